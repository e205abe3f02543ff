"""The forms and authenticators of each sign-in step."""

import json
from collections.abc import Callable
from typing import Any

from standins.identity.authenticators.challenges import KINDS
from standins.identity.idx import forms
from standins.identity.idx.forms import (
    CODE_LABEL,
    array,
    authenticator_option,
    credentials,
    field,
    fixed_field,
    form,
    nested_form,
)
from standins.identity.idx.transaction import FormError, Tx, current_kind
from standins.identity.responses import IdentityResponse, Json, iso_utc
from standins.identity.tables import Push

EMAIL_REFRESH_MS = 4000
PUSH_REFRESH_MS = 2000
StepParts = tuple[list[Json], Json]
ENROLLED = ["$.currentAuthenticatorEnrollment"]
NEW_PASSWORD = field("passcode", "New password", secret=True)
SIGN_OUT_ELSEWHERE = field("revokeSessions", "Sign me out elsewhere", type="boolean")


def identify(tx: Tx) -> StepParts:
    """The first step: user name and password, registration, unlocking, other providers."""
    rows = [form(tx, "identify", "identify", *_identify_fields(tx))]
    extras: Json = {}
    if tx.features["registration"]:
        rows.append(form(tx, "select-enroll-profile", "enroll"))
    if tx.features["unlock"]:
        rows.append(form(tx, "unlock-account", "unlock-account"))
    rows += [_idp(tx, idp) for idp in tx.call.provider.policies["idps"]]
    if tx.features["recovery"] and not tx.features["identifierFirst"]:
        password = forms.kind_json(KINDS["okta_password"], recover=form(tx, "recover", "recover"))
        extras["currentAuthenticator"] = {"type": "object", "value": password}
    return rows, extras


def _identify_fields(tx: Tx) -> list[Json]:
    password = [credentials(field("passcode", "Password", secret=True))]
    return [
        field("identifier", "Username", required=True),
        *([] if tx.features["identifierFirst"] else password),
        field("rememberMe", "Keep me signed in", type="boolean"),
    ]


def _idp(tx: Tx, idp: Json) -> Json:
    address = f"{tx.call.provider.origin}/sso/idps/{idp['id']}?stateToken={tx.state_handle}"
    about = {"id": idp["id"], "name": idp["name"]}
    return {"name": "redirect-idp", "type": idp["type"], "idp": about, "href": address, "method": "GET"}


def identify_recovery(tx: Tx) -> StepParts:
    return [form(tx, "identify-recovery", "identify", field("identifier", "Username", required=True))], {}


def unlock_select(tx: Tx) -> StepParts:
    options, extras = _recovery_options(tx)
    authenticator_field = {"name": "authenticator", "type": "object", "options": options}
    identifier_field = field("identifier", "Username", required=True)
    return [form(tx, "select-authenticator-unlock-account", "challenge", identifier_field, authenticator_field)], extras


def _recovery_options(tx: Tx) -> tuple[list[Json], Json]:
    """The methods of recovery, equal for every user so that they do not reveal enrollments."""
    keys = tx.call.provider.policies["recoveryMethods"]
    options = [
        authenticator_option(
            KINDS[key], f"$.authenticatorEnrollments.value[{at}]", forms.method_field(KINDS[key], required=False)
        )
        for at, key in enumerate(keys)
    ]
    return options, {"authenticatorEnrollments": array([forms.kind_json(KINDS[key]) for key in keys])}


def select(tx: Tx) -> StepParts:
    """The list of authenticators to sign in with."""
    if tx.data["flow"] != "authenticate":
        options, extras = _recovery_options(tx)
    else:
        rows = tx.candidates()
        options = [_option(enrollment, at) for at, enrollment in enumerate(rows)]
        enrolled = [forms.enrollment_json(enrollment, shows_profile=True) for enrollment in rows]
        extras = {"authenticatorEnrollments": array(enrolled)}
        if not rows:
            options = [authenticator_option(KINDS["okta_password"], "$.authenticatorEnrollments.value[0]")]
            extras = {"authenticatorEnrollments": array([forms.kind_json(KINDS["okta_password"])])}
    authenticator_field = {"name": "authenticator", "type": "object", "options": options}
    return [form(tx, "select-authenticator-authenticate", "challenge", authenticator_field)], extras


def _option(enrollment: Any, at: int) -> Json:
    kind = KINDS[enrollment.key]
    fields = [forms.method_field(kind, required=False)]
    if enrollment.key == "phone_number":
        fields.append({"name": "enrollmentId", "required": True, "value": enrollment.id, "mutable": False})
    return authenticator_option(kind, f"$.authenticatorEnrollments.value[{at}]", *fields)


def verification_data(tx: Tx) -> StepParts:
    """Which way the chosen authenticator is to be asked."""
    kind = current_kind(tx)
    authenticator_form = nested_form(
        "authenticator", fixed_field("id", kind.id), forms.method_field(kind, required=True), label=kind.name
    )
    data_form = form(tx, "authenticator-verification-data", "challenge", authenticator_form, relatesTo=ENROLLED)
    others, extras = select(tx)
    return [data_form, *others], {**extras, **_current(tx)}


def _current(tx: Tx, **more: Any) -> Json:
    enrollment, kind = tx.enrollment, current_kind(tx)
    is_profile_shown = tx.data["flow"] == "authenticate"
    about = (
        forms.enrollment_json(enrollment, shows_profile=is_profile_shown)
        if enrollment is not None and is_profile_shown
        else forms.kind_json(kind)
    )
    return {"currentAuthenticatorEnrollment": {"type": "object", "value": {**about, **more}}}


def challenge(tx: Tx) -> StepParts:
    """The form for the answer to the challenge."""
    kind, method = current_kind(tx), tx.data.get("method", "")
    answer_form, extra = _challenge_form(tx)
    if kind.key in ("okta_email", "phone_number") or method == "push":
        extra["resend"] = form(tx, "resend", "challenge/resend")
    if kind.key == "okta_email":
        extra["poll"] = form(tx, "poll", "challenge/poll", refresh=EMAIL_REFRESH_MS)
    if kind.key == "okta_password" and tx.features["recovery"]:
        extra["recover"] = form(tx, "recover", "recover")
    others, extras = select(tx)
    return [answer_form, *others], {**extras, **_current(tx, **extra)}


def _challenge_form(tx: Tx) -> tuple[Json, Json]:
    """The form for the answer, and the data that the person or browser needs for it."""
    key, context = tx.data["key"], tx.data.get("context", {})
    if key == "okta_verify" and tx.data.get("method") == "push":
        number = {"contextualData": {"correctAnswer": context.get("number")}} if context.get("number") else {}
        return form(tx, "challenge-poll", "challenge/poll", relatesTo=ENROLLED, refresh=PUSH_REFRESH_MS), number
    fields = _ANSWER_FIELDS[key](tx) if key in _ANSWER_FIELDS else [field("passcode", CODE_LABEL)]
    extra: Json = {}
    if key == "security_question":
        extra["contextualData"] = {"enrolledQuestion": _question(tx)}
    elif key == "webauthn":
        data = {"challenge": context.get("challenge"), "userVerification": "discouraged", "extensions": {}}
        extra["contextualData"] = {"challengeData": data}
    return form(tx, "challenge-authenticator", "challenge/answer", credentials(*fields), relatesTo=ENROLLED), extra


def _question(tx: Tx) -> Json:
    enrollment = tx.enrollment
    key = enrollment.data["questionKey"] if enrollment is not None else ""
    own_question = enrollment.data.get("question") if enrollment is not None else None
    return {"questionKey": key, "question": own_question or tx.call.provider.policies["questions"].get(key, "")}


def _key_fields(_tx: Tx) -> list[Json]:
    names = ("clientData", "authenticatorData", "signatureData")
    return [{"name": name, "required": True, "visible": False} for name in names]


def _question_fields(tx: Tx) -> list[Json]:
    question = _question(tx)
    key = {**fixed_field("questionKey", question["questionKey"]), "label": question["question"]}
    return [key, field("answer", "Answer", required=True)]


_ANSWER_FIELDS: dict[str, Callable[[Tx], list[Json]]] = {
    "okta_password": lambda _tx: [field("passcode", "Password", secret=True)],
    "okta_verify": lambda _tx: [field("totp", CODE_LABEL, required=True)],
    "security_question": _question_fields,
    "webauthn": _key_fields,
}


def _new_password(name: str) -> Callable[[Tx], StepParts]:
    def show(tx: Tx) -> StepParts:
        password_form = credentials(NEW_PASSWORD, SIGN_OUT_ELSEWHERE)
        rows = [form(tx, name, "challenge/answer", password_form, relatesTo=["$.currentAuthenticator"])]
        if name == "reenroll-authenticator-warning":
            rows.append(form(tx, "skip", "skip"))
        return rows, {"currentAuthenticator": {"type": "object", "value": password_kind_json(tx)}}

    return show


def password_kind_json(tx: Tx) -> Json:
    """The password authenticator with its rules, for forms that set a new one."""
    rules = tx.call.provider.policies["password"]
    complexity = {
        "minLength": rules["minLength"],
        "minLowerCase": rules["lowercase"],
        "minUpperCase": rules["uppercase"],
        "minNumber": rules["number"],
        "minSymbol": 0,
        "excludeUsername": rules["excludeUsername"],
    }
    settings = {"complexity": complexity, "age": {"minAgeMinutes": 0, "historyCount": rules["history"]}}
    return forms.kind_json(KINDS["okta_password"], settings=settings)


reenroll = _new_password("reenroll-authenticator")
reenroll_warning = _new_password("reenroll-authenticator-warning")
reset = _new_password("reset-authenticator")


def terminal(tx: Tx) -> StepParts:
    """The end without sign-in: a message and no form."""
    key, text = tx.data["ending"]
    return [], {"messages": array([forms.message(key, text, "INFO")])}


def push_number(tx: Tx) -> int | None:
    """The number shown beside a push, which the person chooses in the app."""
    push = tx.call.session.get(Push, tx.data.get("context", {}).get("push", ""))
    return push.number if push is not None else None


def wrap_step(tx: Tx, rows: list[Json], extras: Json, problem: FormError | None) -> IdentityResponse:
    """The response with a step's forms and an error, if any."""
    body: Json = {
        "version": "1.0.0",
        "stateHandle": tx.state_handle,
        "expiresAt": iso_utc(tx.row.expires_at),
        "intent": "LOGIN",
        **({"remediation": array(rows)} if rows else {}),
        **extras,
        "app": {
            "type": "object",
            "value": {"name": "oidc_client", "label": tx.client.label, "id": tx.client.id},
        },
        "cancel": form(tx, "cancel", "cancel"),
    }
    if problem is not None and not _attach_message(rows[:1], problem):
        body["messages"] = array([forms.message(problem.key, problem.text)])
    status = problem.status if problem is not None else 200
    return IdentityResponse(status, json.dumps(body).encode(), forms.ION, {"Cache-Control": "no-store"})


def _attach_message(part: object, problem: FormError) -> bool:
    """Adds the message to its field; False when no field has that name."""
    if isinstance(part, list):
        return any(_attach_message(inner, problem) for inner in part)
    if not isinstance(part, dict) or problem.field is None:
        return False
    if part.get("name") == problem.field and "rel" not in part and "form" not in part:
        part["messages"] = array([forms.message(problem.key, problem.text)])
        return True
    inside = [part.get("form"), part.get("value"), part.get("options")]
    return any(_attach_message(inner, problem) for inner in inside if isinstance(inner, (dict, list)))
