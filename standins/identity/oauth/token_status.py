"""userinfo, revoke, introspect: what a token says, and the end of it."""

from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7662 import IntrospectionEndpoint

from standins.identity import held, tokens
from standins.identity.answers import Answer, BearerError, Call, Json, reply
from standins.identity.clients import Client
from standins.identity.held import Access, Held
from standins.identity.server import METHODS, Request, Server
from standins.identity.users import of_id


def userinfo(call: Call) -> Answer:
    claims = tokens.bearer(call)
    if "openid" not in claims["scp"]:
        raise BearerError(403, "insufficient_scope", "The access token must provide the scope openid.")
    user = of_id(call.session, claims["uid"])
    return reply({"sub": user.id, **tokens.about(call, user, claims["scp"])})


class _Own:
    """A token that is not ours and one that is another client's are alike: nobody learns which."""

    CLIENT_AUTH_METHODS = METHODS
    server: Server

    def authenticate_token(self, request: Request, client: Client) -> Access | Held | None:
        token = held.found(self.server.call, request.form.get("token", ""))
        return token if token is not None and token.check_client(client) else None


class Revocation(_Own, RevocationEndpoint):
    def revoke_token(self, token: Access | Held, request: Request) -> None:
        token.revoke(self.server.call)


class Introspection(_Own, IntrospectionEndpoint):
    def introspect_token(self, token: Access | Held) -> Json:
        return token.told(self.server.call)


def revoke(call: Call) -> Answer:
    """200 without a body, also for unknown tokens."""
    return _answered(call, Revocation)


def introspect(call: Call) -> Answer:
    return _answered(call, Introspection)


def _answered(call: Call, endpoint: type[Revocation] | type[Introspection]) -> Answer:
    server = Server(call, call.form)
    server.register_endpoint(endpoint)
    answer: Answer = server.create_endpoint_response(endpoint.ENDPOINT_NAME)
    return answer
