"""The transitions between steps, and the end of a transaction."""

import json
from urllib.parse import urlencode

from standins.identity import sessions, tickets, users
from standins.identity.authenticators import challenges, enrolment
from standins.identity.authenticators.codes import ChallengeFailed
from standins.identity.idx import enrolment_steps, forms, sign_in_steps
from standins.identity.idx.transaction import FormError, Tx
from standins.identity.responses import IdentityResponse, Json
from standins.identity.tables import Enrollment, User

UNLOCKED = ("oie.selfservice.unlock_user.success.message", "Your account is unlocked. You can sign in now.")
_STEPS = {
    "identify": sign_in_steps.identify,
    "identify-recovery": sign_in_steps.identify_recovery,
    "unlock-select": sign_in_steps.unlock_select,
    "select": sign_in_steps.select,
    "verification-data": sign_in_steps.verification_data,
    "challenge": sign_in_steps.challenge,
    "reenroll": sign_in_steps.reenroll,
    "reenroll-warning": sign_in_steps.reenroll_warning,
    "reset": sign_in_steps.reset,
    "enroll-profile": enrolment_steps.enroll_profile,
    "select-enroll": enrolment_steps.select,
    "enrollment-data": enrolment_steps.enrollment_data,
    "enroll": enrolment_steps.enroll,
    "enroll-poll": enrolment_steps.enroll_poll,
    "channel-data": enrolment_steps.channel_data,
    "terminal": sign_in_steps.terminal,
}


def step_response(tx: Tx, problem: FormError | None = None) -> IdentityResponse:
    """The response of the current step, or of the end."""
    if tx.step == "done":
        return complete(tx)
    rows, extras = _STEPS[tx.step](tx)
    return sign_in_steps.wrap_step(tx, rows, extras, problem)


def step_parts(tx: Tx) -> tuple[list[Json], Json]:
    """The forms and actions of the current step."""
    return _STEPS[tx.step](tx) if tx.step != "done" else ([], {})


def advance(tx: Tx) -> None:
    """Moves to the next step after a challenge, an enrolment or a choice."""
    user = tx.user
    if user is None:
        raise FormError(401, "errors.E0000004", "Unable to sign in")
    tx.go_to(tx.step, key=None, enrollment=None, method=None, context=None, shown=None, channel=None)
    if tx.data["flow"] == "unlock":
        users.unlock(tx.call, user)
        tx.go_to("terminal", ending=list(UNLOCKED))
    elif tx.data["flow"] == "recover":
        _continue_recovery(tx)
    else:
        tx.go_to(_next_step(tx, user))
        if tx.step == "select" and len(tx.candidates()) == 1:
            choose_authenticator(tx, tx.candidates()[0], "")


def _continue_recovery(tx: Tx) -> None:
    question = next(
        (enrollment for enrollment in tx.active_enrollments() if enrollment.key == "security_question"), None
    )
    if question is not None and "security_question" not in tx.data["verified"]:
        choose_authenticator(tx, question, "security_question")
    else:
        tx.go_to("reset")


def _next_step(tx: Tx, user: User) -> str:
    verified = tx.data["verified"]
    if tx.data["flow"] == "authenticate" and user.password_state == "EXPIRED":
        return "reenroll"
    is_warned = tx.data.get("warned", False)
    if tx.data["flow"] == "authenticate" and user.password_state == "WARN" and not is_warned:
        return "reenroll-warning"
    if tx.candidates() and not set(verified) & set(tx.policy["second"]):
        return "select"
    due = tx.due_authenticators()
    if "required" not in due.values():
        user.is_active = True
    if due and ("required" in due.values() or not user.has_declined):
        return "select-enroll"
    return "done"


def choose_authenticator(tx: Tx, enrollment: Enrollment, method: str) -> None:
    """Goes to the choice of the authenticator's method if it has several, else to its challenge."""
    kind = challenges.KINDS[enrollment.key]
    method = method if method in kind.methods else "" if len(kind.methods) > 1 else kind.methods[0]
    tx.go_to("verification-data", key=enrollment.key, enrollment=enrollment.id, method=method or None, context=None)
    if method:
        send_challenge(tx)


def send_challenge(tx: Tx) -> None:
    """Sends the challenge of the chosen authenticator; for an unknown user nothing is sent."""
    user, attempt = tx.user, tx.attempt
    if user is None or attempt is None:
        tx.go_to("challenge")
        return
    try:
        context = challenges.start(tx.call, user, attempt, lambda code: _mail_link(tx, code))
    except ChallengeFailed as wrong:
        raise to_form_error(wrong, attempt.enrollment.key) from None
    tx.go_to("challenge", context=context)
    number = sign_in_steps.push_number(tx)
    if number is not None:
        tx.go_to("challenge", context={**context, "number": number})


def _mail_link(tx: Tx, code: str) -> str:
    """The URL in the mail, which answers the challenge when opened in the same browser."""
    return f"{tx.data['redirect_uri']}?{urlencode({'otp': code, 'state': tx.data['state']})}"


def start_enrolment(tx: Tx, key: str, data: Json) -> None:
    user = tx.user
    if user is None:
        raise FormError(401, "errors.E0000004", "Unable to sign in")
    enrolment.abandon(tx.call, tx.attempt_key, tx.enrollment)
    try:
        started = enrolment.start(tx.call, user, key, {**data, "site": tx.client.origins[0]}, tx.attempt_key)
    except ChallengeFailed as wrong:
        raise to_form_error(wrong, key) from None
    step = "enroll-poll" if key == "okta_verify" else "enroll"
    tx.go_to(step, key=key, enrollment=started.enrollment.id, method=None, context=started.context, shown=started.shown)


def complete(tx: Tx) -> IdentityResponse:
    """Ends the transaction. The response holds the interaction code, which the client exchanges."""
    call, user = tx.call, tx.user
    if user is None:
        raise FormError(401, "errors.E0000004", "Unable to sign in")
    names = ("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "server")
    data = {name: tx.data[name] for name in names if name in tx.data}
    amr = list(dict.fromkeys(tx.data["amr"])) or ["pwd"]
    grant_data = {**data, "auth_at": call.now, "amr": amr}
    code = tickets.issue(call, "interaction_code", grant_data, call.seconds("code"), user.id)
    base = f"{call.provider.issuer(tx.data['server'])}" + ("" if tx.data["server"] else "/oauth2")
    issue = {
        "rel": ["create-form"],
        "name": "issue",
        "href": f"{base}/v1/token",
        "method": "POST",
        "value": [
            forms.fixed_field("grant_type", "interaction_code"),
            forms.fixed_field("interaction_code", code),
            forms.fixed_field("client_id", tx.client.id),
            {"name": "code_verifier", "required": True},
        ],
        "accepts": "application/x-www-form-urlencoded",
    }
    body = {"version": "1.0.0", "stateHandle": tx.state_handle, "intent": "LOGIN", "successWithInteractionCode": issue}
    call.session.delete(tx.row)
    cookie = sessions.create(call, user, amr)
    headers = {"Cache-Control": "no-store"}
    return IdentityResponse(200, json.dumps(body).encode(), forms.ION, headers, {sessions.COOKIE: cookie})


_ERRORS_BY_REASON = {
    "too_many": (429, "tooManyRequests", "You have tried too often. Wait a little, then ask for a new code."),
    "too_soon": (429, "errors.E0000150", "Wait half a minute before asking for another message."),
    "rejected": (400, "api.authn.poll.error.push_rejected", "You have chosen to reject this sign-in."),
}
_INVALID_INPUT = {
    "phone_number": ("phone.invalid", "Enter a phone number with its country code, such as +15550100001."),
    "security_question": ("errors.E0000001", "Choose a question and answer it with at least 4 letters."),
}
_APP = "authfactor.challenge.soft_token."
_ERRORS_BY_KIND = {
    "security_question": ("api.authn.error.PASSCODE_INVALID", "That is not the answer. Try again.", "answer"),
    "webauthn": (
        "authfactor.webauthn.error.assertion_validation_failure",
        "The security key could not be verified. Try again.",
        None,
    ),
    "google_otp": (f"{_APP}invalid_passcode", "Your code doesn't match. Try again.", "passcode"),
    "okta_verify": (f"{_APP}invalid_passcode", "Your code doesn't match. Try again.", "totp"),
    "okta_password": ("incorrectPassword", "Password is incorrect", None),
}
_WRONG_CODE = ("api.authn.error.PASSCODE_INVALID", "Invalid code. Try again.", "passcode")


def to_form_error(wrong: ChallengeFailed, key: str) -> FormError:
    """A failed challenge as the engine's message."""
    if wrong.reason in _ERRORS_BY_REASON:
        return FormError(*_ERRORS_BY_REASON[wrong.reason])
    if wrong.reason == "invalid":
        return FormError(400, *_INVALID_INPUT[key], {"phone_number": "phoneNumber"}.get(key, "answer"))
    name, text, field = _ERRORS_BY_KIND.get(key, _WRONG_CODE)
    if wrong.reason == "used":
        name, text = f"{_APP}used_passcode", "Each code can be used once."
    return FormError(401, name, text, field)
