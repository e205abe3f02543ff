"""Forgotten passwords and locked accounts, by e-mail and by phone; unknown names get the same answers."""

from standins.identity import authenticators, codes, outbox, tickets, transactions, users
from standins.identity.answers import Answer, ApiError, Call, Json, reply, text_of
from standins.identity.authenticators import Attempt
from standins.identity.authn import states
from standins.identity.authn.second import refusal
from standins.identity.codes import Wrong
from standins.identity.tables import Enrollment, Transaction, User

SUBJECTS = {"PASSWORD": "Reset your password", "UNLOCK": "Unlock your account"}


def password(call: Call) -> Answer:
    return _begin(call, "PASSWORD", "recovery")


def unlock(call: Call) -> Answer:
    return _begin(call, "UNLOCK", "unlock")


def _begin(call: Call, kind: str, feature: str) -> Answer:
    name, via = text_of(call.json, "username"), (text_of(call.json, "factorType") or "EMAIL").upper()
    if not name or via not in ("EMAIL", "SMS", "CALL"):
        raise ApiError("E0000001", 400, "Api validation failed: recoveryRequest", "username, factorType: not usable")
    if not call.provider.policies["features"][feature]:
        raise ApiError("E0000034", 403, "Forgot password not allowed on specified user.")
    user = users.find(call.session, name)
    if via == "EMAIL":
        if user is not None:
            _mail(call, user, kind)
        return reply(
            {"status": "RECOVERY_CHALLENGE", "factorResult": "WAITING", "factorType": "EMAIL", "recoveryType": kind}
        )
    relay = {"relayState": call.json["relayState"]} if isinstance(call.json.get("relayState"), str) else {}
    word, row = states.begin(call, user, state="RECOVERY_CHALLENGE", recovery=kind, via=via, **relay)
    _phone(call, row, user, via)
    return reply(states.shown(call, word, row))


def _mail(call: Call, user: User, kind: str) -> None:
    word = tickets.issue(call, "recovery", {"kind": kind}, call.seconds("recoveryToken"), user.id)
    client = next(iter(call.provider.clients.values()))
    link = client.links[kind].replace("{token}", word) if kind in client.links else None
    subject = SUBJECTS[kind]
    outbox.put(
        call, user.profile["email"], "email", kind.lower(), login=user.login, link=link, token=word, subject=subject
    )


def _phone(call: Call, row: Transaction, user: User | None, via: str) -> None:
    one = _phone_of(call, user)
    if user is None or one is None:
        # A code nobody gets, so that tries are counted alike.
        codes.new(call, _about(row))
        return
    try:
        authenticators.phoned(call, user, one, _about(row), via)
    except Wrong as wrong:
        raise refusal(wrong) from None


def _phone_of(call: Call, user: User | None) -> Enrollment | None:
    held = authenticators.of_user(call, user) if user is not None else []
    return next((one for one in held if one.key == "phone_number"), None)


def _about(row: Transaction) -> str:
    return f"authn:{row.digest}"


def phone_verify(call: Call) -> Answer:
    word, row = states.offered(call)
    try:
        codes.check(call, _about(row), text_of(call.json, "passCode").strip())
    except Wrong as wrong:
        raise refusal(wrong) from None
    return reply(_go_on(call, word, row))


def phone_resend(call: Call) -> Answer:
    word, row = states.offered(call)
    user = users.of_id(call.session, row.user_id) if row.user_id else None
    _phone(call, row, user, row.data["via"])
    return reply(states.shown(call, word, row))


def token(call: Call) -> Answer:
    """The word from the mail, good once."""
    ticket = tickets.use(call, "recovery", text_of(call.json, "recoveryToken"))
    if ticket is None:
        raise ApiError("E0000011", 401, "Invalid token provided")
    user = users.of_id(call.session, ticket.user_id)
    word, row = states.begin(call, user, state="RECOVERY", recovery=ticket.data["kind"])
    return reply(_go_on(call, word, row))


def _go_on(call: Call, word: str, row: Transaction) -> Json:
    """To the security question when there is one, else to what was asked for."""
    user = users.of_id(call.session, row.user_id)
    has_question = any(one.key == "security_question" for one in authenticators.of_user(call, user))
    if has_question:
        transactions.update(row, state="RECOVERY")
        return states.shown(call, word, row)
    return _proved(call, word, row, user)


def _proved(call: Call, word: str, row: Transaction, user: User) -> Json:
    if row.data["recovery"] == "UNLOCK":
        users.unlock(call, user)
        call.session.delete(row)
        return {"status": "SUCCESS", "recoveryType": "UNLOCK"}
    transactions.update(row, state="PASSWORD_RESET", amr=["otp"])
    return states.shown(call, word, row)


def answer(call: Call) -> Answer:
    word, row = states.offered(call)
    user = users.of_id(call.session, row.user_id)
    one = next(one for one in authenticators.of_user(call, user) if one.key == "security_question")
    attempt = Attempt(_about(row), one, "", {}, ())
    try:
        authenticators.check(call, user, attempt, call.json)
    except Wrong as wrong:
        if wrong.reason == "too_many":
            raise refusal(wrong) from None
        raise ApiError("E0000087", 403, "The recovery question answer did not match our records.") from None
    return reply(_proved(call, word, row, user))
