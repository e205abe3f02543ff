"""Classic authentication: sign-in with a password, its expiry, and the end of a recovery."""

from standins.identity import transactions, users
from standins.identity.authn import states
from standins.identity.responses import (
    IdentityApiError,
    IdentityCall,
    IdentityResponse,
    Json,
    json_response,
    object_of,
    text_of,
)
from standins.identity.tables import User


def sign_in(call: IdentityCall) -> IdentityResponse:
    """Starts a sign-in with name and password. A state token alone returns the current state."""
    body = call.json
    if "stateToken" in body and "username" not in body:
        return show_state(call)
    name, password = text_of(body, "username"), text_of(body, "password")
    if not name or not password:
        absent = [field for field, value in (("username", name), ("password", password)) if not value]
        causes = [f"{field}: The field cannot be left blank" for field in absent]
        raise IdentityApiError("E0000001", 400, "Api validation failed: authRequest", *causes)
    try:
        user = users.authenticate(call, name, password)
    except users.WrongPassword:
        raise sign_in_failed() from None
    except users.Locked:
        return locked_out_response(call)
    options = object_of(body, "options")
    extra: Json = {"relayState": body["relayState"]} if isinstance(body.get("relayState"), str) else {}
    # The hosted page sends `two` when the application has asked for two factors.
    extra |= {"two": True} if call.params.get("two") else {}
    state_token, row = states.create(call, user, warns=options.get("warnBeforePasswordExpired") is True, **extra)
    transactions.update(row, amr=["pwd"])
    return json_response(states.advance(call, state_token, row))


def sign_in_failed() -> IdentityApiError:
    return IdentityApiError("E0000004", 401, "Authentication failed")


def locked_out_response(call: IdentityCall) -> IdentityResponse:
    """The state LOCKED_OUT, or a plain failure when the policy hides it."""
    if not call.provider.policies["lockout"]["shown"]:
        raise sign_in_failed()
    return json_response({"status": "LOCKED_OUT", "_links": {"next": states.link(call, "/recovery/unlock", "unlock")}})


def show_state(call: IdentityCall) -> IdentityResponse:
    return json_response(states.state_json(call, *states.find_transaction(call)))


def cancel(call: IdentityCall) -> IdentityResponse:
    _, row = states.find_transaction(call)
    relay = row.data.get("relayState")
    call.session.delete(row)
    return json_response({"relayState": relay})


def previous(call: IdentityCall) -> IdentityResponse:
    """Goes back to the list of factors."""
    state_token, row = states.require_offered(call)
    state = "MFA_ENROLL" if row.data["state"] == "MFA_ENROLL_ACTIVATE" else "MFA_REQUIRED"
    transactions.update(row, state=state, factor=None, context=None)
    return json_response(states.state_json(call, state_token, row))


def skip(call: IdentityCall) -> IdentityResponse:
    state_token, row = states.require_offered(call)
    if row.data["state"] == "PASSWORD_WARN":
        transactions.update(row, warns=False)
    else:
        users.user_by_id(call.session, row.user_id).has_declined = True
    return json_response(states.advance(call, state_token, row))


def change_password(call: IdentityCall) -> IdentityResponse:
    state_token, row = states.require_offered(call)
    user = users.user_by_id(call.session, row.user_id)
    try:
        is_right = users.is_current_password(call, user, text_of(call.json, "oldPassword"))
    except users.Locked:
        raise IdentityApiError("E0000069", 403, "User Locked") from None
    if not is_right:
        raise IdentityApiError(
            "E0000014", 403, "Update of credentials failed", "oldPassword: Old password is not correct"
        )
    _set_password(call, user)
    return json_response(states.advance(call, state_token, row))


def reset_password(call: IdentityCall) -> IdentityResponse:
    """Ends a recovery: sets the new password and continues the sign-in."""
    state_token, row = states.require_offered(call)
    user = users.user_by_id(call.session, row.user_id)
    _set_password(call, user)
    users.unlock(call, user)
    if call.json.get("revokeSessions") is True:
        users.end_sessions(call, user)
    transactions.update(row, recovery=None)
    return json_response(states.advance(call, state_token, row))


def _set_password(call: IdentityCall, user: User) -> None:
    try:
        users.set_password(call, user, text_of(call.json, "newPassword"))
    except users.PasswordRefused as broken:
        summary = "The password does not meet the complexity requirements of the current password policy."
        raise IdentityApiError("E0000080", 403, summary, *broken.causes) from None
