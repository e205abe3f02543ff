"""Authlib's server core for one call: who calls, what tokens are made of, how the core's answers become ours."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from authlib.oauth2 import AuthorizationServer, OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import InvalidClientError
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc6749.util import extract_basic_authorization
from authlib.oauth2.rfc6750 import BearerTokenGenerator

from standins.identity import opaque, signing, tickets, tokens
from standins.identity.answers import Answer, Call, OAuthError, redirect
from standins.identity.clients import Client
from standins.identity.tables import Ticket, User

BY_HEADER = ("client_secret_basic", "client_id_basic")
METHODS = [*BY_HEADER, "client_secret_post", "none"]
# What the core says without a text of its own, or with what was asked in it.
TEXTS = {
    "login_required": "The client specified not to prompt, but the user is not signed in.",
    "unsupported_grant_type": "The authorization grant type is not supported.",
    "invalid_grant": "The grant is invalid or has expired.",
}


class Request(OAuth2Request):
    """The fields of a form or query, read already; one without a value counts as left out (RFC 6749, 3.1)."""

    def __init__(self, call: Call, fields: Mapping[str, str]):
        super().__init__(call.method, call.provider.origin + call.path, headers=call.headers)
        self.payload = BasicOAuth2Payload({name: value for name, value in fields.items() if value})

    @property
    def form(self) -> dict[str, str]:
        fields: dict[str, str] = self.payload.data
        return fields


class Server(AuthorizationServer):
    """Lives as long as the call, inside its transaction. What the core refuses is raised as OAuthError."""

    def __init__(self, call: Call, fields: Mapping[str, str]):
        super().__init__()
        self.call, self.request = call, Request(call, fields)
        self.register_client_auth_method("client_id_basic", _id_alone)
        made = BearerTokenGenerator(self._access_token, self._refresh_token, self._expires_in)
        self.register_token_generator("default", made)

    def query_client(self, client_id: str) -> Client | None:
        return self.call.provider.clients.get(client_id)

    def create_oauth2_request(self, _request: object) -> Request:
        return self.request

    def authenticate_client(self, request: Request, methods: list[str], endpoint: str = "token") -> Client:
        """Where there is a Basic header, the form proves nothing. Raises InvalidClientError."""
        is_basic = str(request.headers.get("Authorization", "")).lower().startswith("basic ")
        fitting = [method for method in methods if (method in BY_HEADER) == is_basic]
        try:
            client: Client = super().authenticate_client(request, fitting, endpoint)
        except ValueError as error:  # what is in the header is no text
            raise InvalidClientError("The Authorization header is not understood.") from error
        return client

    def generate_token(self, *args: Any, include_refresh_token: bool = True, **more: Any) -> dict[str, Any]:
        """A refresh token goes with offline_access alone."""
        is_wanted = include_refresh_token and "offline_access" in self.request.authorization_code.scopes
        token: dict[str, Any] = super().generate_token(*args, include_refresh_token=is_wanted, **more)
        return token

    def _access_token(self, user: User, scope: str, **_more: object) -> str:
        held = self.request.authorization_code
        return signing.signed(self.call, tokens.access_claims(self.call, held, user, scope.split()))

    def _refresh_token(self, **_more: object) -> str:
        return opaque.new("rt_")

    def _expires_in(self, _client: Client, _grant_type: str) -> int:
        return int(self.call.seconds("accessToken"))

    def save_token(self, token: dict[str, Any], request: Request) -> None:
        """Access tokens carry what they say; a refresh token stays good for all that was granted at first."""
        if "refresh_token" not in token:
            return
        held = request.authorization_code
        data = {name: held.data[name] for name in ("client_id", "server", "scope", "auth_at", "amr")}
        until = self.call.now + self.call.seconds("refreshToken")
        ticket = Ticket(kind="refresh", data=data, expires_at=until, user_id=request.user.id)
        tickets.keep(self.call, token["refresh_token"], ticket)

    def send_signal(self, name: str, *args: object, **more: object) -> None:
        """Nobody listens."""

    def handle_response(self, status: int, body: Any, headers: Iterable[tuple[str, str]]) -> Answer:
        given = dict(headers)
        if "Location" in given:
            return redirect(given["Location"])
        media = given.pop("Content-Type", "application/json")
        return Answer(status, json.dumps(body).encode() if body else b"", media, given)

    def handle_error_response(self, _request: Request, error: OAuth2Error) -> Answer:
        raise refusal(error) from error


def _id_alone(query_client: Any, request: Request) -> Client | None:
    """Public clients of one library send Basic base64(id), without a colon. Raises InvalidClientError."""
    name, secret = extract_basic_authorization(request.headers)
    if not name or secret:
        return None
    client: Client | None = query_client(name)
    if client is None:
        raise InvalidClientError("The client does not exist on this server.")
    return client


def refusal(error: OAuth2Error) -> OAuthError:
    """Clients rely on a description, and on 401 for a client that is not known."""
    text = error.description or TEXTS.get(error.error, "The request was refused.")
    return OAuthError(error.error, text, 401 if error.error == "invalid_client" else 400)


def authenticated(call: Call) -> Client:
    """The client of a form call that is none of the core's. Raises OAuthError invalid_client."""
    server = Server(call, call.form)
    try:
        return server.authenticate_client(server.request, METHODS, "interact")
    except OAuth2Error as error:
        raise refusal(error) from error
