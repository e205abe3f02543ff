"""What each step of signing in shows: its forms, and the authenticators they speak of."""

import json
from collections.abc import Callable
from typing import Any

from standins.identity.answers import Answer, Json, iso
from standins.identity.authenticators import KINDS
from standins.identity.idx import forms
from standins.identity.idx.forms import CODE_LABEL, choice, credentials, field, fixed, form, listed, nested
from standins.identity.idx.transaction import Problem, Tx, kind_of
from standins.identity.tables import Push

EMAIL_REFRESH_MS = 4000
PUSH_REFRESH_MS = 2000
Shown = tuple[list[Json], Json]
ENROLLED = ["$.currentAuthenticatorEnrollment"]
NEW_PASSWORD = field("passcode", "New password", secret=True)
ELSEWHERE = field("revokeSessions", "Sign me out elsewhere", type="boolean")


def identify(tx: Tx) -> Shown:
    """The first step: who, and with which password; or another way in."""
    rows = [form(tx, "identify", "identify", *_identify_fields(tx))]
    extras: Json = {}
    if tx.features["registration"]:
        rows.append(form(tx, "select-enroll-profile", "enroll"))
    if tx.features["unlock"]:
        rows.append(form(tx, "unlock-account", "unlock-account"))
    rows += [_idp(tx, one) for one in tx.call.provider.policies["idps"]]
    if tx.features["recovery"] and not tx.features["identifierFirst"]:
        password = forms.of_kind(KINDS["okta_password"], recover=form(tx, "recover", "recover"))
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
    address = f"{tx.call.provider.origin}/sso/idps/{idp['id']}?stateToken={tx.word}"
    about = {"id": idp["id"], "name": idp["name"]}
    return {"name": "redirect-idp", "type": idp["type"], "idp": about, "href": address, "method": "GET"}


def identify_recovery(tx: Tx) -> Shown:
    return [form(tx, "identify-recovery", "identify", field("identifier", "Username", required=True))], {}


def unlock_select(tx: Tx) -> Shown:
    options, extras = _anybodys(tx)
    chosen = {"name": "authenticator", "type": "object", "options": options}
    who = field("identifier", "Username", required=True)
    return [form(tx, "select-authenticator-unlock-account", "challenge", who, chosen)], extras


def _anybodys(tx: Tx) -> tuple[list[Json], Json]:
    """The ways of recovery, the same for every name: nobody learns what somebody has enrolled."""
    keys = tx.call.provider.policies["recoveryMethods"]
    options = [
        choice(KINDS[key], f"$.authenticatorEnrollments.value[{at}]", forms.methods(KINDS[key], required=False))
        for at, key in enumerate(keys)
    ]
    return options, {"authenticatorEnrollments": listed([forms.of_kind(KINDS[key]) for key in keys])}


def select(tx: Tx) -> Shown:
    """The list of what may be proved."""
    if tx.data["flow"] != "authenticate":
        options, extras = _anybodys(tx)
    else:
        rows = tx.candidates()
        options = [_option(one, at) for at, one in enumerate(rows)]
        shown = [forms.of_enrollment(one, shows_profile=True) for one in rows]
        extras = {"authenticatorEnrollments": listed(shown)}
        if not rows:
            options = [choice(KINDS["okta_password"], "$.authenticatorEnrollments.value[0]")]
            extras = {"authenticatorEnrollments": listed([forms.of_kind(KINDS["okta_password"])])}
    chosen = {"name": "authenticator", "type": "object", "options": options}
    return [form(tx, "select-authenticator-authenticate", "challenge", chosen)], extras


def _option(one: Any, at: int) -> Json:
    kind = KINDS[one.key]
    fields = [forms.methods(kind, required=False)]
    if one.key == "phone_number":
        fields.append({"name": "enrollmentId", "required": True, "value": one.id, "mutable": False})
    return choice(kind, f"$.authenticatorEnrollments.value[{at}]", *fields)


def verification_data(tx: Tx) -> Shown:
    """Which way the chosen authenticator is to be asked."""
    kind = kind_of(tx)
    which = nested("authenticator", fixed("id", kind.id), forms.methods(kind, required=True), label=kind.name)
    asked = form(tx, "authenticator-verification-data", "challenge", which, relatesTo=ENROLLED)
    others, extras = select(tx)
    return [asked, *others], {**extras, **_current(tx)}


def _current(tx: Tx, **more: Any) -> Json:
    one, kind = tx.enrollment, kind_of(tx)
    shows = tx.data["flow"] == "authenticate"
    about = forms.of_enrollment(one, shows_profile=shows) if one is not None and shows else forms.of_kind(kind)
    return {"currentAuthenticatorEnrollment": {"type": "object", "value": {**about, **more}}}


def challenge(tx: Tx) -> Shown:
    """The authenticator was asked; here comes the answer."""
    kind, method = kind_of(tx), tx.data.get("method", "")
    asked, more = _asked(tx)
    if kind.key in ("okta_email", "phone_number") or method == "push":
        more["resend"] = form(tx, "resend", "challenge/resend")
    if kind.key == "okta_email":
        more["poll"] = form(tx, "poll", "challenge/poll", refresh=EMAIL_REFRESH_MS)
    if kind.key == "okta_password" and tx.features["recovery"]:
        more["recover"] = form(tx, "recover", "recover")
    others, extras = select(tx)
    return [asked, *others], {**extras, **_current(tx, **more)}


def _asked(tx: Tx) -> tuple[Json, Json]:
    """The form of the answer, and what the person or browser needs for it."""
    key, context = tx.data["key"], tx.data.get("context", {})
    if key == "okta_verify" and tx.data.get("method") == "push":
        number = {"contextualData": {"correctAnswer": context.get("number")}} if context.get("number") else {}
        return form(tx, "challenge-poll", "challenge/poll", relatesTo=ENROLLED, refresh=PUSH_REFRESH_MS), number
    fields = _ANSWERS[key](tx) if key in _ANSWERS else [field("passcode", CODE_LABEL)]
    more: Json = {}
    if key == "security_question":
        more["contextualData"] = {"enrolledQuestion": _question(tx)}
    elif key == "webauthn":
        data = {"challenge": context.get("challenge"), "userVerification": "discouraged", "extensions": {}}
        more["contextualData"] = {"challengeData": data}
    return form(tx, "challenge-authenticator", "challenge/answer", credentials(*fields), relatesTo=ENROLLED), more


def _question(tx: Tx) -> Json:
    one = tx.enrollment
    key = one.data["questionKey"] if one is not None else ""
    own = one.data.get("question") if one is not None else None
    return {"questionKey": key, "question": own or tx.call.provider.policies["questions"].get(key, "")}


def _key_fields(_tx: Tx) -> list[Json]:
    names = ("clientData", "authenticatorData", "signatureData")
    return [{"name": name, "required": True, "visible": False} for name in names]


def _question_fields(tx: Tx) -> list[Json]:
    asked = _question(tx)
    key = {**fixed("questionKey", asked["questionKey"]), "label": asked["question"]}
    return [key, field("answer", "Answer", required=True)]


_ANSWERS: dict[str, Callable[[Tx], list[Json]]] = {
    "okta_password": lambda _tx: [field("passcode", "Password", secret=True)],
    "okta_verify": lambda _tx: [field("totp", CODE_LABEL, required=True)],
    "security_question": _question_fields,
    "webauthn": _key_fields,
}


def _new_password(name: str) -> Callable[[Tx], Shown]:
    def show(tx: Tx) -> Shown:
        asked = credentials(NEW_PASSWORD, ELSEWHERE)
        rows = [form(tx, name, "challenge/answer", asked, relatesTo=["$.currentAuthenticator"])]
        if name == "reenroll-authenticator-warning":
            rows.append(form(tx, "skip", "skip"))
        return rows, {"currentAuthenticator": {"type": "object", "value": password_kind(tx)}}

    return show


def password_kind(tx: Tx) -> Json:
    """The password with its rules, for forms that take a new one."""
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
    return forms.of_kind(KINDS["okta_password"], settings=settings)


reenroll = _new_password("reenroll-authenticator")
reenroll_warning = _new_password("reenroll-authenticator-warning")
reset = _new_password("reset-authenticator")


def terminal(tx: Tx) -> Shown:
    """Nothing left to submit; the message says how it ended."""
    key, text = tx.data["ending"]
    return [], {"messages": listed([forms.message(key, text, "INFO")])}


def push_number(tx: Tx) -> int | None:
    """The number shown beside a push, to be found again in the app."""
    found = tx.call.session.get(Push, tx.data.get("context", {}).get("push", ""))
    return found.number if found is not None else None


def frame(tx: Tx, rows: list[Json], extras: Json, problem: Problem | None) -> Answer:
    """The whole answer around a step's forms."""
    body: Json = {
        "version": "1.0.0",
        "stateHandle": tx.word,
        "expiresAt": iso(tx.row.expires_at),
        "intent": "LOGIN",
        **({"remediation": listed(rows)} if rows else {}),
        **extras,
        "app": {
            "type": "object",
            "value": {"name": "oidc_client", "label": tx.client.label, "id": tx.client.id},
        },
        "cancel": form(tx, "cancel", "cancel"),
    }
    if problem is not None and not _mark(rows[:1], problem):
        body["messages"] = listed([forms.message(problem.key, problem.text)])
    status = problem.status if problem is not None else 200
    return Answer(status, json.dumps(body).encode(), forms.ION, {"Cache-Control": "no-store"})


def _mark(part: object, problem: Problem) -> bool:
    """Puts the message at the field it belongs to; False when there is no such field."""
    if isinstance(part, list):
        return any(_mark(one, problem) for one in part)
    if not isinstance(part, dict) or problem.field is None:
        return False
    if part.get("name") == problem.field and "rel" not in part and "form" not in part:
        part["messages"] = listed([forms.message(problem.key, problem.text)])
        return True
    inside = [part.get("form"), part.get("value"), part.get("options")]
    return any(_mark(one, problem) for one in inside if isinstance(one, (dict, list)))
