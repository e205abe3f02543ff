"""The calls of classic authentication up to the password; factors and recovery stand in files of their own."""

from standins.identity import transactions, users
from standins.identity.answers import Answer, ApiError, Call, object_of, reply, text_of
from standins.identity.authn import states
from standins.identity.tables import User


def authn(call: Call) -> Answer:
    """Name and password begin a sign-in; a state token alone shows where one stands."""
    body = call.json
    if "stateToken" in body and "username" not in body:
        return resume(call)
    name, password = text_of(body, "username"), text_of(body, "password")
    if not name or not password:
        absent = [field for field, value in (("username", name), ("password", password)) if not value]
        causes = [f"{field}: The field cannot be left blank" for field in absent]
        raise ApiError("E0000001", 400, "Api validation failed: authRequest", *causes)
    try:
        user = users.signed_in(call, name, password)
    except users.WrongPassword:
        raise failed() from None
    except users.Locked:
        return locked_out(call)
    options = object_of(body, "options")
    more = {"relayState": body["relayState"]} if isinstance(body.get("relayState"), str) else {}
    word, row = states.begin(call, user, warns=options.get("warnBeforePasswordExpired") is True, **more)
    transactions.update(row, amr=["pwd"])
    return reply(states.advance(call, word, row))


def failed() -> ApiError:
    return ApiError("E0000004", 401, "Authentication failed")


def locked_out(call: Call) -> Answer:
    """Shown, unless the policy hides it behind a plain failure."""
    if not call.provider.policies["lockout"]["shown"]:
        raise failed()
    return reply({"status": "LOCKED_OUT", "_links": {"next": states.link(call, "/recovery/unlock", "unlock")}})


def resume(call: Call) -> Answer:
    return reply(states.shown(call, *states.current(call)))


def cancel(call: Call) -> Answer:
    _, row = states.current(call)
    relay = row.data.get("relayState")
    call.session.delete(row)
    return reply({"relayState": relay})


def previous(call: Call) -> Answer:
    """Back to the list that the factor was chosen from."""
    word, row = states.offered(call)
    state = "MFA_ENROLL" if row.data["state"] == "MFA_ENROLL_ACTIVATE" else "MFA_REQUIRED"
    transactions.update(row, state=state, factor=None, context=None)
    return reply(states.shown(call, word, row))


def skip(call: Call) -> Answer:
    word, row = states.offered(call)
    if row.data["state"] == "PASSWORD_WARN":
        transactions.update(row, warns=False)
    else:
        users.of_id(call.session, row.user_id).has_declined = True
    return reply(states.advance(call, word, row))


def change_password(call: Call) -> Answer:
    word, row = states.offered(call)
    user = users.of_id(call.session, row.user_id)
    try:
        is_right = users.checked_password(call, user, text_of(call.json, "oldPassword"))
    except users.Locked:
        raise ApiError("E0000069", 403, "User Locked") from None
    if not is_right:
        raise ApiError("E0000014", 403, "Update of credentials failed", "oldPassword: Old password is not correct")
    _set(call, user)
    return reply(states.advance(call, word, row))


def reset_password(call: Call) -> Answer:
    """The end of a recovery: the new password, and signed in with it."""
    word, row = states.offered(call)
    user = users.of_id(call.session, row.user_id)
    _set(call, user)
    users.unlock(call, user)
    if call.json.get("revokeSessions") is True:
        users.end_sessions(call, user)
    transactions.update(row, recovery=None)
    return reply(states.advance(call, word, row))


def _set(call: Call, user: User) -> None:
    try:
        users.set_password(call, user, text_of(call.json, "newPassword"))
    except users.PolicyBroken as broken:
        summary = "The password does not meet the complexity requirements of the current password policy."
        raise ApiError("E0000080", 403, summary, *broken.causes) from None
