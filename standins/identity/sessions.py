"""The provider's own browser sessions, and the calls about them."""

from standins.identity import opaque
from standins.identity.answers import Answer, Call, iso, missing, reply
from standins.identity.tables import BrowserSession, User

# Unlike the shop's cookies: cookies know no port, and both sites may run on one address.
COOKIE = "provider_session"


def begin(call: Call, user: User, amr: list[str], auth_at: float | None = None) -> str:
    """A new session; answers the cookie's value."""
    word = opaque.new("102")
    call.session.add(
        BrowserSession(
            digest=opaque.digest(word),
            id=opaque.new_id("idx"),
            user_id=user.id,
            amr=amr,
            auth_at=call.now if auth_at is None else auth_at,
            expires_at=call.now + call.seconds("session"),
        )
    )
    return word


def current(call: Call) -> BrowserSession | None:
    word = call.cookies.get(COOKIE)
    found = call.session.get(BrowserSession, opaque.digest(word)) if word else None
    return found if found is not None and found.expires_at > call.now else None


def end(call: Call) -> None:
    found = current(call)
    if found is not None:
        call.session.delete(found)


def _body(call: Call, found: BrowserSession) -> dict[str, object]:
    user = call.session.get(User, found.user_id)
    return {
        "id": found.id,
        "userId": found.user_id,
        "login": user.login if user is not None else "",
        "createdAt": iso(found.auth_at),
        "expiresAt": iso(found.expires_at),
        "status": "ACTIVE",
        "lastPasswordVerification": iso(found.auth_at),
        "amr": found.amr,
        "mfaActive": len(found.amr) > 1,
    }


def me(call: Call) -> Answer:
    found = current(call)
    if found is None:
        raise missing()
    return reply(_body(call, found))


def refresh(call: Call) -> Answer:
    """The same session for its full time again."""
    found = current(call)
    if found is None:
        raise missing()
    found.expires_at = call.now + call.seconds("session")
    return reply(_body(call, found))


def close_me(call: Call) -> Answer:
    if current(call) is None:
        raise missing()
    end(call)
    return Answer(204, cookies={COOKIE: None})
