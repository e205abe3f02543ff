"""The grants: authorization codes, interaction codes and refresh tokens, over Authlib's."""

from typing import Any

from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, BaseGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core.grants import OpenIDCode
from authlib.oidc.core.grants.util import validate_request_prompt
from joserfc.jwk import RSAKey

from standins.identity import opaque, signing, tickets, tokens
from standins.identity.answers import Call, Json
from standins.identity.clients import Client
from standins.identity.discovery import server_of
from standins.identity.held import Held
from standins.identity.server import METHODS, Request
from standins.identity.tables import Ticket, User

# Clients keep a dead token on any other text.
DEAD_REFRESH_TOKEN = "The refresh token is invalid or expired."  # noqa: S105 a sentence


class Pkce(CodeChallenge):
    """S256 and nothing else, at both ends. The core would let a request without any challenge pass."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"

    def __init__(self) -> None:
        super().__init__(required=True)

    def validate_code_challenge(self, grant: BaseGrant, redirect_uri: str) -> None:
        data = grant.request.payload.data
        if data.get("code_challenge_method") != "S256" or len(data.get("code_challenge", "")) != 43:
            raise InvalidRequestError("PKCE with the code challenge method S256 is required.")
        super().validate_code_challenge(grant, redirect_uri)

    def validate_code_verifier(self, grant: BaseGrant, result: None) -> None:
        try:
            super().validate_code_verifier(grant, result)
        except InvalidRequestError as error:
            raise InvalidGrantError("PKCE verification failed.") from error


class IdTokens(OpenIDCode):
    """The id token of every grant, and what OpenID Connect adds to the request for a code."""

    def __init__(self, call: Call):
        super().__init__()
        self.call = call

    def __call__(self, grant: BaseGrant) -> None:
        super().__call__(grant)
        # The core minds prompt with the scope openid alone.
        grant.register_hook("after_validate_consent_request", validate_request_prompt)

    def exists_nonce(self, nonce: str, request: Request) -> bool:
        """Nonces are the client's affair: none is remembered here."""
        return False

    def resolve_client_private_key(self, client: Client) -> RSAKey:
        return signing.newest(self.call)

    def get_encode_header(self, client: Client) -> dict[str, str]:
        return signing.header(self.call)

    def get_client_claims(self, client: Client) -> Json:
        return tokens.id_claims(self.call, client)

    def generate_user_info(self, user: User, scope: str) -> Json:
        return {"sub": user.id, **tokens.about(self.call, user, scope.split())}


class CodeGrant(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    KIND = "code"

    def generate_authorization_code(self) -> str:
        return opaque.new()

    def save_authorization_code(self, code: str, request: Request) -> None:
        call, asked = self.server.call, request.payload.data
        data = {name: asked[name] for name in ("client_id", "redirect_uri", "nonce", "code_challenge") if name in asked}
        data |= {"scope": request.scope, "server": asked.get("server", "")}
        data |= {"auth_at": request.user.auth_at, "amr": request.user.amr}
        until = call.now + call.seconds("code")
        tickets.keep(call, code, Ticket(kind="code", data=data, expires_at=until, user_id=request.user.user_id))

    def query_authorization_code(self, code: str, client: Client) -> Held | None:
        """Spent by being shown, also when something else is wrong: who tries verifiers gets one try."""
        call = self.server.call
        ticket = tickets.use(call, self.KIND, code)
        if ticket is None or ticket.data["client_id"] != client.id or ticket.data["server"] != server_of(call):
            return None
        return Held(ticket, ticket.data["redirect_uri"])

    def delete_authorization_code(self, authorization_code: Held) -> None:
        """Spent already."""

    def authenticate_user(self, authorization_code: Held) -> User | None:
        user: User | None = self.server.call.session.get(User, authorization_code.ticket.user_id)
        return user


class InteractionGrant(CodeGrant):
    """The token half alone: an identification transaction gives the code."""

    GRANT_TYPE = KIND = "interaction_code"
    RESPONSE_TYPES = frozenset[str]()

    def validate_token_request(self) -> None:
        form = self.request.form
        form.pop("code", None)
        if "interaction_code" in form:
            form["code"] = form["interaction_code"]
        super().validate_token_request()

    def query_authorization_code(self, code: str, client: Client) -> Held | None:
        """The library leaves the address out now and then; a wrong one is refused all the same."""
        held = super().query_authorization_code(code, client)
        if held is not None and "redirect_uri" not in self.request.form:
            held.redirect_uri = ""
        return held


class RefreshGrant(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def validate_token_request(self) -> None:
        super().validate_token_request()
        # The id token goes on telling when and how the person signed in.
        self.request.authorization_code = self.request.refresh_token

    def authenticate_refresh_token(self, refresh_token: str) -> Held:
        call = self.server.call
        ticket = tickets.look(call, "refresh", refresh_token)
        held = Held(ticket) if ticket is not None else None
        if held is None or not held.check_client(self.request.client) or held.data["server"] != server_of(call):
            raise InvalidGrantError(DEAD_REFRESH_TOKEN)
        return held

    def authenticate_user(self, refresh_token: Held) -> User | None:
        user: User | None = self.server.call.session.get(User, refresh_token.ticket.user_id)
        return user

    def revoke_old_credential(self, refresh_token: Held) -> None:
        refresh_token.revoke(self.server.call)


def extensions(call: Call) -> list[Any]:
    """Of the two grants that begin with a code."""
    return [Pkce(), IdTokens(call)]
