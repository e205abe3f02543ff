"""GET authorize: from a session token, a session or the hosted page to a code, in every response mode."""

import json
from typing import Any
from urllib.parse import urlencode, urlsplit

from standins.identity import pages, sessions, tickets
from standins.identity.answers import Answer, Call, OAuthError, Refusal, redirect
from standins.identity.clients import granted_scopes
from standins.identity.discovery import RESPONSE_MODES, server_of
from standins.identity.provider import Client
from standins.identity.tables import BrowserSession
from standins.identity.users import of_id

KEPT = (
    *("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "response_mode", "max_age"),
    *("login_hint", "prompt"),
)


class PageError(Refusal):
    """Nobody to send the browser back to: the person reads it here."""

    def __init__(self, title: str, text: str, status: int = 400):
        super().__init__(text)
        self.title, self.text, self.status = title, text, status

    def answer(self) -> Answer:
        return pages.page("problem", self.status, title=self.title, text=self.text)


def authorize(call: Call) -> Answer:
    """A code when nothing stands against it, the hosted sign-in page when somebody has to sign in first."""
    asked = {name: call.query[name] for name in KEPT if call.query.get(name)} | {"server": server_of(call)}
    client = _client(call, asked)
    try:
        _check(call, client, asked)
        found, cookie = _session(call)
        if found is not None and (cookie is not None or is_good_enough(call, asked, found)):
            return granted(call, asked, found, cookie)
        if "none" in asked.get("prompt", "").split():
            raise OAuthError("login_required", "The client specified not to prompt, but the user is not signed in.")
    except OAuthError as error:
        return send(asked, {"error": error.error, "error_description": error.description})
    word = tickets.issue(call, "authorize", asked, call.seconds("signInPage"))
    return redirect(f"{call.provider.origin}/signin?{urlencode({'to': word})}")


def _client(call: Call, asked: dict[str, str]) -> Client:
    """Raises PageError: an address that is not registered is never redirected to."""
    client = call.provider.clients.get(asked.get("client_id", ""))
    if client is None:
        raise PageError("Unknown application", "The application that sent you here is not registered.")
    if asked.get("redirect_uri") not in client.redirects:
        raise PageError("Unknown address", "The application asked to send you to an address it has not registered.")
    return client


def _check(call: Call, client: Client, asked: dict[str, str]) -> None:
    query = call.query
    if query.get("response_type") != "code":
        raise OAuthError("unsupported_response_type", "Only the response type code is supported.")
    if asked.get("response_mode", "query") not in RESPONSE_MODES:
        asked.pop("response_mode")
        raise OAuthError("unsupported_response_mode", "The response mode is not supported.")
    asked["scope"] = " ".join(granted_scopes(client, asked.get("scope", "")))
    if query.get("code_challenge_method") != "S256" or len(asked.get("code_challenge", "")) != 43:
        raise OAuthError("invalid_request", "PKCE with the code challenge method S256 is required.")
    if not asked.get("state"):
        raise OAuthError("invalid_request", "The state parameter is required.")
    if "max_age" in asked and not asked["max_age"].isdigit():
        raise OAuthError("invalid_request", "max_age must be a number of seconds.")
    prompts = asked.get("prompt", "").split()
    if set(prompts) - {"none", "login", "consent", "enroll_authenticator"} or ("none" in prompts and len(prompts) > 1):
        raise OAuthError("invalid_request", "The value of prompt is not supported.")


def _session(call: Call) -> tuple[BrowserSession | None, str | None]:
    """That of a session token, newly begun, else the browser's. A used or unknown token is as if absent."""
    ticket = tickets.use(call, "session", call.query.get("sessionToken"))
    if ticket is None:
        return sessions.current(call), None
    user = of_id(call.session, ticket.user_id)
    cookie = sessions.begin(call, user, ticket.data["amr"], ticket.data["auth_at"])
    call.session.flush()
    found = BrowserSession(user_id=user.id, amr=ticket.data["amr"], auth_at=ticket.data["auth_at"])
    return found, cookie


def is_good_enough(call: Call, asked: dict[str, str], found: BrowserSession) -> bool:
    """prompt=login and an older sign-in than max_age ask for a new one."""
    if "login" in asked.get("prompt", "").split():
        return False
    return "max_age" not in asked or call.now - found.auth_at <= int(asked["max_age"])


def granted(call: Call, asked: dict[str, Any], found: BrowserSession, cookie: str | None = None) -> Answer:
    """The browser sent back with a code for the session's user."""
    data = {**asked, "auth_at": found.auth_at, "amr": found.amr}
    code = tickets.issue(call, "code", data, call.seconds("code"), user_id=found.user_id)
    answer = send(asked, {"code": code})
    if cookie is not None:
        answer.cookies[sessions.COOKIE] = cookie
    return answer


def send(asked: dict[str, Any], pairs: dict[str, str]) -> Answer:
    """The browser sent back to the application with these pairs and the state, as the response mode wants it."""
    target: str = asked["redirect_uri"]
    pairs = {**pairs, **({"state": asked["state"]} if "state" in asked else {})}
    mode = asked.get("response_mode", "query")
    parts = urlsplit(target)
    origin = f"{parts.scheme}://{parts.netloc}"
    if mode == "form_post":
        return pages.page("form_post", script="form_post", forms_to=(origin,), target=target, pairs=pairs)
    if mode == "okta_post_message":
        # As data in an attribute: nothing of it is read as script or markup.
        return pages.page(
            "post_message", script="post_message", framed_by=(origin,), message=json.dumps(pairs), origin=origin
        )
    glue = "#" if mode == "fragment" else "&" if "?" in target else "?"
    return redirect(target + glue + urlencode(pairs))
