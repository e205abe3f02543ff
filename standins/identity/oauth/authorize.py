"""GET authorize: from a session token, a session or the hosted page to a code, in every response mode."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError

from standins.identity import pages, sessions, tickets
from standins.identity.answers import Answer, Call, Refusal, redirect
from standins.identity.discovery import RESPONSE_MODES, server_of
from standins.identity.grants import CodeGrant, extensions
from standins.identity.server import Server, refusal
from standins.identity.tables import BrowserSession
from standins.identity.users import of_id

KEPT = (
    *("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "response_mode", "max_age"),
    *("login_hint", "prompt", "response_type", "code_challenge_method"),
)
PROMPTS = {"none", "login", "consent", "enroll_authenticator"}


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
    asked["prompt"] = " ".join(asked.get("prompt", "").split())
    _check_way_back(call, asked)
    server = _server(call, asked)
    try:
        _grant(server).validate_authorization_request()
        found, cookie = _session(call)
        is_young = found is not None and (cookie is not None or is_young_enough(call, asked, found))
        grant = server.get_consent_grant(end_user=found if is_young else None)
    except OAuth2Error as error:
        refused = refusal(error)
        return send(asked, {"error": refused.error, "error_description": refused.description})
    if found is not None and is_young and (cookie is not None or grant.prompt != "login"):
        return granted(call, asked, found, cookie)
    word = tickets.issue(call, "authorize", asked, call.seconds("signInPage"))
    return redirect(f"{call.provider.origin}/signin?{urlencode({'to': word})}")


def _check_way_back(call: Call, asked: dict[str, str]) -> None:
    """Raises PageError: an address that is not registered is never redirected to."""
    client = call.provider.clients.get(asked.get("client_id", ""))
    if client is None:
        raise PageError("Unknown application", "The application that sent you here is not registered.")
    if not client.check_redirect_uri(asked.get("redirect_uri", "")):
        raise PageError("Unknown address", "The application asked to send you to an address it has not registered.")


def _server(call: Call, asked: dict[str, Any]) -> Server:
    server = Server(call, asked)
    server.register_grant(CodeGrant, [*extensions(call), _demands])
    return server


def _grant(server: Server) -> CodeGrant:
    """Raises OAuth2Error."""
    if server.request.payload.response_type != "code":
        # The core would put what was asked into its text, where a quotation mark breaks it.
        raise OAuth2Error("Only the response type code is supported.", error="unsupported_response_type")
    grant: CodeGrant = server.get_authorization_grant(server.request)
    return grant


def _demands(grant: CodeGrant) -> None:
    grant.register_hook("after_validate_authorization_request_payload", _check)


def _check(grant: CodeGrant, _redirect_uri: str) -> None:
    """What we ask of a request beyond the core. Raises OAuth2Error."""
    asked = grant.request.payload.data
    if asked.get("response_mode", "query") not in RESPONSE_MODES:
        raise OAuth2Error("The response mode is not supported.", error="unsupported_response_mode")
    if "state" not in asked:
        raise InvalidRequestError("The state parameter is required.")
    if "max_age" in asked and not asked["max_age"].isdecimal():
        raise InvalidRequestError("max_age must be a number of seconds.")
    if set(asked.get("prompt", "").split()) - PROMPTS:
        raise InvalidRequestError("The value of prompt is not supported.")


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


def is_young_enough(call: Call, asked: dict[str, str], found: BrowserSession) -> bool:
    """A sign-in older than max_age asks for a new one."""
    return "max_age" not in asked or call.now - found.auth_at <= int(asked["max_age"])


def granted(call: Call, asked: dict[str, Any], found: BrowserSession, cookie: str | None = None) -> Answer:
    """The browser sent back with a code for the session's user. Raises OAuthError."""
    server = _server(call, asked)
    made = server.create_authorization_response(server.request, found, server.get_authorization_grant(server.request))
    # The core writes the code into the query; how it goes back depends on the response mode.
    code = dict(parse_qsl(urlsplit(made.headers["Location"]).query))["code"]
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
