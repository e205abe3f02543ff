"""The endpoints userinfo, revoke and introspect."""

from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7662 import IntrospectionEndpoint

from standins.identity.clients import Client
from standins.identity.oauth import issued_tokens, tokens
from standins.identity.oauth.issued_tokens import AccessToken, StoredGrant
from standins.identity.oauth.server import CLIENT_AUTH_METHODS, Request, Server
from standins.identity.responses import BearerError, IdentityCall, IdentityResponse, Json, json_response
from standins.identity.users import user_by_id


def userinfo(call: IdentityCall) -> IdentityResponse:
    claims = tokens.bearer_claims(call)
    if "openid" not in claims["scp"]:
        raise BearerError(403, "insufficient_scope", "The access token must provide the scope openid.")
    user = user_by_id(call.session, claims["uid"])
    return json_response({"sub": user.id, **tokens.profile_claims(call, user, claims["scp"])})


class _OwnTokens:
    """Treats another client's token like an unknown one, so that clients cannot tell them apart."""

    CLIENT_AUTH_METHODS = CLIENT_AUTH_METHODS
    server: Server

    def authenticate_token(self, request: Request, client: Client) -> AccessToken | StoredGrant | None:
        token = issued_tokens.find_token(self.server.call, request.form.get("token", ""))
        return token if token is not None and token.check_client(client) else None


class Revocation(_OwnTokens, RevocationEndpoint):
    def revoke_token(self, token: AccessToken | StoredGrant, request: Request) -> None:
        token.revoke(self.server.call)


class Introspection(_OwnTokens, IntrospectionEndpoint):
    def introspect_token(self, token: AccessToken | StoredGrant) -> Json:
        return token.introspection_claims(self.server.call)


def revoke(call: IdentityCall) -> IdentityResponse:
    """Revokes a token: 200 without a body, also for unknown tokens."""
    return _run_endpoint(call, Revocation)


def introspect(call: IdentityCall) -> IdentityResponse:
    return _run_endpoint(call, Introspection)


def _run_endpoint(call: IdentityCall, endpoint: type[Revocation] | type[Introspection]) -> IdentityResponse:
    server = Server(call, call.form)
    server.register_endpoint(endpoint)
    answer: IdentityResponse = server.create_endpoint_response(endpoint.ENDPOINT_NAME)
    return answer
