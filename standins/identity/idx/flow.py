"""Which step follows which."""

import json
from urllib.parse import urlencode

from standins.identity import authenticators, enrolling, sessions, tickets, users
from standins.identity.answers import Answer, Json
from standins.identity.codes import Wrong
from standins.identity.idx import enrolment, forms, showing
from standins.identity.idx.transaction import Problem, Tx
from standins.identity.tables import Enrollment, User

UNLOCKED = ("oie.selfservice.unlock_user.success.message", "Your account is unlocked. You can sign in now.")
_SHOWS = {
    "identify": showing.identify,
    "identify-recovery": showing.identify_recovery,
    "unlock-select": showing.unlock_select,
    "select": showing.select,
    "verification-data": showing.verification_data,
    "challenge": showing.challenge,
    "reenroll": showing.reenroll,
    "reenroll-warning": showing.reenroll_warning,
    "reset": showing.reset,
    "enroll-profile": enrolment.enroll_profile,
    "select-enroll": enrolment.select,
    "enrollment-data": enrolment.enrollment_data,
    "enroll": enrolment.enroll,
    "enroll-poll": enrolment.enroll_poll,
    "channel-data": enrolment.channel_data,
    "terminal": showing.terminal,
}


def show(tx: Tx, problem: Problem | None = None) -> Answer:
    """The step the transaction stands at, or the end of it."""
    if tx.step == "done":
        return success(tx)
    rows, extras = _SHOWS[tx.step](tx)
    return showing.frame(tx, rows, extras, problem)


def parts(tx: Tx) -> tuple[list[Json], Json]:
    """The forms and actions that the step offers."""
    return _SHOWS[tx.step](tx) if tx.step != "done" else ([], {})


def advance(tx: Tx) -> None:
    """On from a proof, an enrolment or a choice, to the next thing that still has to happen."""
    user = tx.user
    if user is None:
        raise Problem(401, "errors.E0000004", "Unable to sign in")
    tx.go(tx.step, key=None, enrollment=None, method=None, context=None, shown=None, channel=None)
    if tx.data["flow"] == "unlock":
        users.unlock(tx.call, user)
        tx.go("terminal", ending=list(UNLOCKED))
    elif tx.data["flow"] == "recover":
        _recovered(tx)
    else:
        tx.go(_next(tx, user))
        if tx.step == "select" and len(tx.candidates()) == 1:
            choose(tx, tx.candidates()[0], "")


def _recovered(tx: Tx) -> None:
    question = next((one for one in tx.held() if one.key == "security_question"), None)
    if question is not None and "security_question" not in tx.data["verified"]:
        choose(tx, question, "security_question")
    else:
        tx.go("reset")


def _next(tx: Tx, user: User) -> str:
    verified = tx.data["verified"]
    if tx.data["flow"] == "authenticate" and user.password_state == "EXPIRED":  # noqa: S105 a state
        return "reenroll"
    is_warned = tx.data.get("warned", False)
    if tx.data["flow"] == "authenticate" and user.password_state == "WARN" and not is_warned:  # noqa: S105 a state
        return "reenroll-warning"
    if tx.candidates() and not set(verified) & set(tx.policy["second"]):
        return "select"
    due = tx.due()
    if "required" not in due.values():
        user.is_active = True
    if due and ("required" in due.values() or not user.has_declined):
        return "select-enroll"
    return "done"


def choose(tx: Tx, one: Enrollment, method: str) -> None:
    """To the authenticator: first how it is to be asked, where there is a choice, then its challenge."""
    kind = authenticators.KINDS[one.key]
    method = method if method in kind.methods else "" if len(kind.methods) > 1 else kind.methods[0]
    tx.go("verification-data", key=one.key, enrollment=one.id, method=method or None, context=None)
    if method:
        ask(tx)


def ask(tx: Tx) -> None:
    """Sends the challenge of the chosen authenticator; for a name that does not exist nothing is sent."""
    user, attempt = tx.user, tx.attempt
    if user is None or attempt is None:
        tx.go("challenge")
        return
    try:
        context = authenticators.ask(tx.call, user, attempt, lambda code: _link(tx, code))
    except Wrong as wrong:
        raise said(wrong, attempt.enrollment.key) from None
    tx.go("challenge", context=context)
    number = showing.push_number(tx)
    if number is not None:
        tx.go("challenge", context={**context, "number": number})


def _link(tx: Tx, code: str) -> str:
    """The address in the mail: in the same browser it answers the challenge by itself."""
    return f"{tx.data['redirect_uri']}?{urlencode({'otp': code, 'state': tx.data['state']})}"


def begin_enrolment(tx: Tx, key: str, data: Json) -> None:
    user = tx.user
    if user is None:
        raise Problem(401, "errors.E0000004", "Unable to sign in")
    enrolling.give_up(tx.call, tx.about, tx.enrollment)
    try:
        begun = enrolling.begin(tx.call, user, key, {**data, "site": tx.client.origins[0]}, tx.about)
    except Wrong as wrong:
        raise said(wrong, key) from None
    step = "enroll-poll" if key == "okta_verify" else "enroll"
    tx.go(step, key=key, enrollment=begun.enrollment.id, method=None, context=begun.context, shown=begun.shown)


def success(tx: Tx) -> Answer:
    """The interaction code, which the application exchanges itself; the transaction is over."""
    call, user = tx.call, tx.user
    if user is None:
        raise Problem(401, "errors.E0000004", "Unable to sign in")
    names = ("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "server")
    data = {name: tx.data[name] for name in names if name in tx.data}
    amr = list(dict.fromkeys(tx.data["amr"])) or ["pwd"]
    kept = {**data, "auth_at": call.now, "amr": amr}
    code = tickets.issue(call, "interaction_code", kept, call.seconds("code"), user.id)
    base = f"{call.provider.issuer(tx.data['server'])}" + ("" if tx.data["server"] else "/oauth2")
    issue = {
        "rel": ["create-form"],
        "name": "issue",
        "href": f"{base}/v1/token",
        "method": "POST",
        "value": [
            forms.fixed("grant_type", "interaction_code"),
            forms.fixed("interaction_code", code),
            forms.fixed("client_id", tx.client.id),
            {"name": "code_verifier", "required": True},
        ],
        "accepts": "application/x-www-form-urlencoded",
    }
    body = {"version": "1.0.0", "stateHandle": tx.word, "intent": "LOGIN", "successWithInteractionCode": issue}
    call.session.delete(tx.row)
    cookie = sessions.begin(call, user, amr)
    headers = {"Cache-Control": "no-store"}
    return Answer(200, json.dumps(body).encode(), forms.ION, headers, {sessions.COOKIE: cookie})


_OF_REASONS = {
    "too_many": (429, "tooManyRequests", "You have tried too often. Wait a little, then ask for a new code."),
    "too_soon": (429, "errors.E0000150", "Wait half a minute before asking for another message."),
    "rejected": (400, "api.authn.poll.error.push_rejected", "You have chosen to reject this sign-in."),
}
_INVALID = {
    "phone_number": ("phone.invalid", "Enter a phone number with its country code, such as +15550100001."),
    "security_question": ("errors.E0000001", "Choose a question and answer it with at least 4 letters."),
}
_APP = "authfactor.challenge.soft_token."
_OF_KINDS = {
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
_CODE = ("api.authn.error.PASSCODE_INVALID", "Invalid code. Try again.", "passcode")


def said(wrong: Wrong, key: str) -> Problem:
    """What went wrong with an authenticator, as the engine says it."""
    if wrong.reason in _OF_REASONS:
        return Problem(*_OF_REASONS[wrong.reason])
    if wrong.reason == "invalid":
        return Problem(400, *_INVALID[key], {"phone_number": "phoneNumber"}.get(key, "answer"))
    name, text, field = _OF_KINDS.get(key, _CODE)
    if wrong.reason == "used":
        name, text = f"{_APP}used_passcode", "Each code can be used once."
    return Problem(401, name, text, field)
