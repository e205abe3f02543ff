"""The provider's own browser sessions, and the calls about them."""

from standins.identity import opaque_tokens
from standins.identity.responses import IdentityCall, IdentityResponse, iso_utc, json_response, not_found
from standins.identity.tables import BrowserSession, User

# Must differ from the shop's cookies: cookies ignore the port, and both sites may run on one host.
COOKIE = "provider_session"


def create(call: IdentityCall, user: User, amr: list[str], auth_at: float | None = None) -> str:
    """Creates a session. Returns the cookie's value."""
    token = opaque_tokens.new_token("102")
    call.session.add(
        BrowserSession(
            digest=opaque_tokens.digest(token),
            id=opaque_tokens.new_id("idx"),
            user_id=user.id,
            amr=amr,
            auth_at=call.now if auth_at is None else auth_at,
            expires_at=call.now + call.seconds("session"),
        )
    )
    return token


def current(call: IdentityCall) -> BrowserSession | None:
    token = call.cookies.get(COOKIE)
    session = call.session.get(BrowserSession, opaque_tokens.digest(token)) if token else None
    return session if session is not None and session.expires_at > call.now else None


def delete_current(call: IdentityCall) -> None:
    session = current(call)
    if session is not None:
        call.session.delete(session)


def _session_json(call: IdentityCall, session: BrowserSession) -> dict[str, object]:
    user = call.session.get(User, session.user_id)
    return {
        "id": session.id,
        "userId": session.user_id,
        "login": user.login if user is not None else "",
        "createdAt": iso_utc(session.auth_at),
        "expiresAt": iso_utc(session.expires_at),
        "status": "ACTIVE",
        "lastPasswordVerification": iso_utc(session.auth_at),
        "amr": session.amr,
        "mfaActive": len(session.amr) > 1,
    }


def show_me(call: IdentityCall) -> IdentityResponse:
    session = current(call)
    if session is None:
        raise not_found()
    return json_response(_session_json(call, session))


def refresh_me(call: IdentityCall) -> IdentityResponse:
    """Extends the session to its full lifetime."""
    session = current(call)
    if session is None:
        raise not_found()
    session.expires_at = call.now + call.seconds("session")
    return json_response(_session_json(call, session))


def delete_me(call: IdentityCall) -> IdentityResponse:
    if current(call) is None:
        raise not_found()
    delete_current(call)
    return IdentityResponse(204, cookies={COOKIE: None})
