"""GET authorize: returns a code for a session token, a session or a sign-in on the hosted page."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError

from standins.identity import pages, sessions, tickets
from standins.identity.oauth.discovery import RESPONSE_MODES, server_name
from standins.identity.oauth.grants import CodeGrant, code_extensions
from standins.identity.oauth.server import Server, to_oauth_error
from standins.identity.responses import CallRefused, IdentityCall, IdentityResponse, redirect
from standins.identity.tables import BrowserSession
from standins.identity.users import user_by_id

REQUEST_FIELDS = (
    *("client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge", "response_mode", "max_age"),
    *("acr_values", "login_hint", "prompt", "response_type", "code_challenge_method"),
)
# Values of acr_values that ask for two factors of whatever kind.
TWO_FACTORS = {"urn:okta:loa:2fa:any", "urn:okta:loa:2fa:any:ifpossible"}
PROMPTS = {"none", "login", "consent", "enroll_authenticator"}


class PageError(CallRefused):
    """An error shown as a page, where the browser cannot be redirected back to the client."""

    def __init__(self, title: str, text: str, status: int = 400):
        super().__init__(text)
        self.title, self.text, self.status = title, text, status

    def response(self) -> IdentityResponse:
        return pages.render_page("problem", self.status, title=self.title, text=self.text)


def authorize(call: IdentityCall) -> IdentityResponse:
    """Redirects back with a code, or to the hosted sign-in page when the person has to sign in first."""
    params = {name: call.query[name] for name in REQUEST_FIELDS if call.query.get(name)} | {"server": server_name(call)}
    params["prompt"] = " ".join(params.get("prompt", "").split())
    _check_redirect_uri(call, params)
    server = _server(call, params)
    try:
        _code_grant(server).validate_authorization_request()
        session, cookie = _find_session(call)
        is_recent = session is not None and (cookie is not None or is_recent_enough(call, params, session))
        is_recent = is_recent and session is not None and is_strong_enough(params, session)
        grant = server.get_consent_grant(end_user=session if is_recent else None)
    except OAuth2Error as error:
        oauth_error = to_oauth_error(error)
        return return_to_client(params, {"error": oauth_error.error, "error_description": oauth_error.description})
    if session is not None and is_recent and (cookie is not None or grant.prompt != "login"):
        return grant_code(call, params, session, cookie)
    ticket_token = tickets.issue(call, "authorize", params, call.seconds("signInPage"))
    return redirect(f"{call.provider.origin}/signin?{urlencode({'to': ticket_token})}")


def _check_redirect_uri(call: IdentityCall, params: dict[str, str]) -> None:
    """Raises PageError unless client and redirect URI are registered: others are never redirected to."""
    client = call.provider.clients.get(params.get("client_id", ""))
    if client is None:
        raise PageError("Unknown application", "The application that sent you here is not registered.")
    if not client.check_redirect_uri(params.get("redirect_uri", "")):
        raise PageError("Unknown address", "The application asked to send you to an address it has not registered.")


def _server(call: IdentityCall, params: dict[str, Any]) -> Server:
    server = Server(call, params)
    server.register_grant(CodeGrant, [*code_extensions(call), _add_request_checks])
    return server


def _code_grant(server: Server) -> CodeGrant:
    """Raises OAuth2Error."""
    if server.request.payload.response_type != "code":
        # The core would quote the parameter in its text, where a quotation mark breaks the header.
        raise OAuth2Error("Only the response type code is supported.", error="unsupported_response_type")
    grant: CodeGrant = server.get_authorization_grant(server.request)
    return grant


def _add_request_checks(grant: CodeGrant) -> None:
    grant.register_hook("after_validate_authorization_request_payload", _check_request)


def _check_request(grant: CodeGrant, _redirect_uri: str) -> None:
    """Checks parameters that the core does not check. Raises OAuth2Error."""
    params = grant.request.payload.data
    if params.get("response_mode", "query") not in RESPONSE_MODES:
        raise OAuth2Error("The response mode is not supported.", error="unsupported_response_mode")
    if "state" not in params:
        raise InvalidRequestError("The state parameter is required.")
    if "max_age" in params and not params["max_age"].isdecimal():
        raise InvalidRequestError("max_age must be a number of seconds.")
    if set(params.get("prompt", "").split()) - PROMPTS:
        raise InvalidRequestError("The value of prompt is not supported.")


def _find_session(call: IdentityCall) -> tuple[BrowserSession | None, str | None]:
    """The session and, for a session token, its new cookie. Without a valid token: the browser's session."""
    ticket = tickets.redeem(call, "session", call.query.get("sessionToken"))
    if ticket is None:
        return sessions.current(call), None
    user = user_by_id(call.session, ticket.user_id)
    cookie = sessions.create(call, user, ticket.data["amr"], ticket.data["auth_at"])
    call.session.flush()
    session = BrowserSession(user_id=user.id, amr=ticket.data["amr"], auth_at=ticket.data["auth_at"])
    return session, cookie


def is_recent_enough(call: IdentityCall, params: dict[str, str], session: BrowserSession) -> bool:
    """Whether the sign-in is younger than the request's max_age."""
    return "max_age" not in params or call.now - session.auth_at <= int(params["max_age"])


def is_strong_enough(params: dict[str, str], session: BrowserSession) -> bool:
    """Whether the sign-in has the two factors that the request's acr_values ask for. Other values ask for nothing."""
    return not asks_for_two_factors(params) or len(set(session.amr)) > 1


def asks_for_two_factors(params: dict[str, str]) -> bool:
    return bool(TWO_FACTORS & set(params.get("acr_values", "").split()))


def grant_code(
    call: IdentityCall, params: dict[str, Any], session: BrowserSession, cookie: str | None = None
) -> IdentityResponse:
    """Sends the browser back with a code for the session's user. Raises OAuthError."""
    server = _server(call, params)
    core_response = server.create_authorization_response(
        server.request, session, server.get_authorization_grant(server.request)
    )
    # The core writes the code into the query, whatever the response mode.
    code = dict(parse_qsl(urlsplit(core_response.headers["Location"]).query))["code"]
    response = return_to_client(params, {"code": code})
    if cookie is not None:
        response.cookies[sessions.COOKIE] = cookie
    return response


def return_to_client(params: dict[str, Any], pairs: dict[str, str]) -> IdentityResponse:
    """Sends the browser back to the client with these pairs and the state, in the requested response mode."""
    target: str = params["redirect_uri"]
    pairs = {**pairs, **({"state": params["state"]} if "state" in params else {})}
    mode = params.get("response_mode", "query")
    parts = urlsplit(target)
    origin = f"{parts.scheme}://{parts.netloc}"
    if mode == "form_post":
        return pages.render_page("form_post", script="form_post", forms_to=(origin,), target=target, pairs=pairs)
    if mode == "okta_post_message":
        # As an attribute value: the browser parses none of it as script or markup.
        return pages.render_page(
            "post_message", script="post_message", framed_by=(origin,), message=json.dumps(pairs), origin=origin
        )
    separator = "#" if mode == "fragment" else "&" if "?" in target else "?"
    return redirect(target + separator + urlencode(pairs))
