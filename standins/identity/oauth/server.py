"""Authlib's server core for one call: client authentication, token creation, conversion of its responses."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from authlib.oauth2 import AuthorizationServer, OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import InvalidClientError
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc6749.util import extract_basic_authorization
from authlib.oauth2.rfc6750 import BearerTokenGenerator

from standins.identity import opaque_tokens, tickets
from standins.identity.clients import Client
from standins.identity.oauth import signing, tokens
from standins.identity.responses import IdentityCall, IdentityResponse, OAuthError, redirect
from standins.identity.tables import Ticket, User

BASIC_METHODS = ("client_secret_basic", "client_id_basic")
CLIENT_AUTH_METHODS = [*BASIC_METHODS, "client_secret_post", "none"]
# Errors to which the core gives no text, or one that quotes the request.
ERROR_TEXTS = {
    "login_required": "The client specified not to prompt, but the user is not signed in.",
    "unsupported_grant_type": "The authorization grant type is not supported.",
    "invalid_grant": "The grant is invalid or has expired.",
}


class Request(OAuth2Request):
    """The fields of a form or query. A field without a value counts as missing (RFC 6749, 3.1)."""

    def __init__(self, call: IdentityCall, fields: Mapping[str, str]):
        super().__init__(call.method, call.provider.origin + call.path, headers=call.headers)
        self.payload = BasicOAuth2Payload({name: value for name, value in fields.items() if value})

    @property
    def form(self) -> dict[str, str]:
        fields: dict[str, str] = self.payload.data
        return fields


class Server(AuthorizationServer):
    """Lives as long as the call, in its transaction. Raises the core's errors as OAuthError."""

    def __init__(self, call: IdentityCall, fields: Mapping[str, str]):
        super().__init__()
        self.call, self.request = call, Request(call, fields)
        self.register_client_auth_method("client_id_basic", _client_of_basic_id)
        token_generator = BearerTokenGenerator(self._access_token, self._refresh_token, self._expires_in)
        self.register_token_generator("default", token_generator)

    def query_client(self, client_id: str) -> Client | None:
        return self.call.provider.clients.get(client_id)

    def create_oauth2_request(self, _request: object) -> Request:
        return self.request

    def authenticate_client(self, request: Request, methods: list[str], endpoint: str = "token") -> Client:
        """With a Basic header the form's credentials are ignored. Raises InvalidClientError."""
        is_basic = str(request.headers.get("Authorization", "")).lower().startswith("basic ")
        usable_methods = [method for method in methods if (method in BASIC_METHODS) == is_basic]
        try:
            client: Client = super().authenticate_client(request, usable_methods, endpoint)
        except ValueError as error:  # the header is not valid base64 or UTF-8
            raise InvalidClientError("The Authorization header is not understood.") from error
        return client

    def generate_token(self, *args: Any, include_refresh_token: bool = True, **more: Any) -> dict[str, Any]:
        """Issues a refresh token only with the scope offline_access."""
        is_wanted = include_refresh_token and "offline_access" in self.request.authorization_code.scopes
        token: dict[str, Any] = super().generate_token(*args, include_refresh_token=is_wanted, **more)
        return token

    def _access_token(self, user: User, scope: str, **_more: object) -> str:
        grant = self.request.authorization_code
        return signing.sign(self.call, tokens.access_claims(self.call, grant, user, scope.split()))

    def _refresh_token(self, **_more: object) -> str:
        return opaque_tokens.new_token("rt_")

    def _expires_in(self, _client: Client, _grant_type: str) -> int:
        return int(self.call.seconds("accessToken"))

    def save_token(self, token: dict[str, Any], request: Request) -> None:
        """Stores the refresh token, with the scope granted at first. Access tokens are self-contained."""
        if "refresh_token" not in token:
            return
        grant = request.authorization_code
        data = {name: grant.data[name] for name in ("client_id", "server", "scope", "auth_at", "amr")}
        expires_at = self.call.now + self.call.seconds("refreshToken")
        ticket = Ticket(kind="refresh", data=data, expires_at=expires_at, user_id=request.user.id)
        tickets.store(self.call, token["refresh_token"], ticket)

    def send_signal(self, name: str, *args: object, **more: object) -> None:
        """Does nothing: there are no listeners."""

    def handle_response(self, status: int, body: Any, headers: Iterable[tuple[str, str]]) -> IdentityResponse:
        response_headers = dict(headers)
        if "Location" in response_headers:
            return redirect(response_headers["Location"])
        media = response_headers.pop("Content-Type", "application/json")
        return IdentityResponse(status, json.dumps(body).encode() if body else b"", media, response_headers)

    def handle_error_response(self, _request: Request, error: OAuth2Error) -> IdentityResponse:
        raise to_oauth_error(error) from error


def _client_of_basic_id(query_client: Any, request: Request) -> Client | None:
    """The client of a header `Basic base64(id)` without a colon, as one library sends it. Raises InvalidClientError."""
    name, secret = extract_basic_authorization(request.headers)
    if not name or secret:
        return None
    client: Client | None = query_client(name)
    if client is None:
        raise InvalidClientError("The client does not exist on this server.")
    return client


def to_oauth_error(error: OAuth2Error) -> OAuthError:
    """Adds what clients rely on: a description, and 401 for an unknown client."""
    text = error.description or ERROR_TEXTS.get(error.error, "The request was refused.")
    return OAuthError(error.error, text, 401 if error.error == "invalid_client" else 400)


def authenticate_client(call: IdentityCall) -> Client:
    """The client of a form call outside the core. Raises OAuthError invalid_client."""
    server = Server(call, call.form)
    try:
        return server.authenticate_client(server.request, CLIENT_AUTH_METHODS, "interact")
    except OAuth2Error as error:
        raise to_oauth_error(error) from error
