"""The grants for authorization codes, interaction codes and refresh tokens, built on Authlib's."""

from typing import Any

from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, BaseGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core.grants import OpenIDCode
from authlib.oidc.core.grants.util import validate_request_prompt
from joserfc.jwk import RSAKey

from standins.identity import opaque_tokens, tickets
from standins.identity.clients import Client
from standins.identity.oauth import signing, tokens
from standins.identity.oauth.discovery import server_name
from standins.identity.oauth.issued_tokens import StoredGrant
from standins.identity.oauth.server import CLIENT_AUTH_METHODS, Request
from standins.identity.responses import IdentityCall, Json
from standins.identity.tables import Ticket, User

# Clients discard a refresh token only when they get exactly this text.
INVALID_REFRESH_TOKEN = "The refresh token is invalid or expired."


class Pkce(CodeChallenge):
    """Requires S256 in both requests. The core would accept a request without a challenge."""

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
    """Adds the id token to every grant, and the checks of OpenID Connect to the authorization request."""

    def __init__(self, call: IdentityCall):
        super().__init__()
        self.call = call

    def __call__(self, grant: BaseGrant) -> None:
        super().__call__(grant)
        # The core checks prompt only with the scope openid.
        grant.register_hook("after_validate_consent_request", validate_request_prompt)

    def exists_nonce(self, nonce: str, request: Request) -> bool:
        """Always False: the client checks its nonce, none is stored here."""
        return False

    def resolve_client_private_key(self, client: Client) -> RSAKey:
        return signing.signing_key(self.call)

    def get_encode_header(self, client: Client) -> dict[str, str]:
        return signing.jws_header(self.call)

    def get_client_claims(self, client: Client) -> Json:
        return tokens.id_claims(self.call, client)

    def generate_user_info(self, user: User, scope: str) -> Json:
        return {"sub": user.id, **tokens.profile_claims(self.call, user, scope.split())}


class CodeGrant(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = CLIENT_AUTH_METHODS
    KIND = "code"

    def generate_authorization_code(self) -> str:
        return opaque_tokens.new_token()

    def save_authorization_code(self, code: str, request: Request) -> None:
        call, params = self.server.call, request.payload.data
        data = {
            name: params[name] for name in ("client_id", "redirect_uri", "nonce", "code_challenge") if name in params
        }
        data |= {"scope": request.scope, "server": params.get("server", "")}
        data |= {"auth_at": request.user.auth_at, "amr": request.user.amr}
        expires_at = call.now + call.seconds("code")
        tickets.store(call, code, Ticket(kind="code", data=data, expires_at=expires_at, user_id=request.user.user_id))

    def query_authorization_code(self, code: str, client: Client) -> StoredGrant | None:
        """Redeems the code, also when another parameter is wrong: a PKCE verifier can be tried once."""
        call = self.server.call
        ticket = tickets.redeem(call, self.KIND, code)
        if ticket is None or ticket.data["client_id"] != client.id or ticket.data["server"] != server_name(call):
            return None
        return StoredGrant(ticket, ticket.data["redirect_uri"])

    def delete_authorization_code(self, authorization_code: StoredGrant) -> None:
        """Nothing to do: the query above has redeemed the code."""

    def authenticate_user(self, authorization_code: StoredGrant) -> User | None:
        user: User | None = self.server.call.session.get(User, authorization_code.ticket.user_id)
        return user


class InteractionGrant(CodeGrant):
    """The token request of an interaction code; the code itself comes from an idx transaction."""

    GRANT_TYPE = KIND = "interaction_code"
    RESPONSE_TYPES = frozenset[str]()

    def validate_token_request(self) -> None:
        form = self.request.form
        form.pop("code", None)
        if "interaction_code" in form:
            form["code"] = form["interaction_code"]
        super().validate_token_request()

    def query_authorization_code(self, code: str, client: Client) -> StoredGrant | None:
        """The redirect URI may be missing, as the library omits it at times; a wrong one is refused."""
        grant = super().query_authorization_code(code, client)
        if grant is not None and "redirect_uri" not in self.request.form:
            grant.redirect_uri = ""
        return grant


class RefreshGrant(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = CLIENT_AUTH_METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def validate_token_request(self) -> None:
        super().validate_token_request()
        # The new id token repeats when and how the person signed in.
        self.request.authorization_code = self.request.refresh_token

    def authenticate_refresh_token(self, refresh_token: str) -> StoredGrant:
        call = self.server.call
        ticket = tickets.find(call, "refresh", refresh_token)
        grant = StoredGrant(ticket) if ticket is not None else None
        if grant is None or not grant.check_client(self.request.client) or grant.data["server"] != server_name(call):
            raise InvalidGrantError(INVALID_REFRESH_TOKEN)
        return grant

    def authenticate_user(self, refresh_token: StoredGrant) -> User | None:
        user: User | None = self.server.call.session.get(User, refresh_token.ticket.user_id)
        return user

    def revoke_old_credential(self, refresh_token: StoredGrant) -> None:
        refresh_token.revoke(self.server.call)


def code_extensions(call: IdentityCall) -> list[Any]:
    """The extensions of the two grants that begin with a code."""
    return [Pkce(), IdTokens(call)]
