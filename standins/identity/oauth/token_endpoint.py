"""POST token: exchanges codes, interaction codes and refresh tokens for tokens."""

from standins.identity.oauth.grants import CodeGrant, IdTokens, InteractionGrant, RefreshGrant, code_extensions
from standins.identity.oauth.server import Server
from standins.identity.responses import IdentityCall, IdentityResponse


def issue_tokens(call: IdentityCall) -> IdentityResponse:
    server = Server(call, call.form)
    server.register_grant(CodeGrant, code_extensions(call))
    server.register_grant(InteractionGrant, code_extensions(call))
    server.register_grant(RefreshGrant, [IdTokens(call)])
    answer: IdentityResponse = server.create_token_response()
    return answer
