"""POST token: codes, interaction codes and refresh tokens become tokens."""

from standins.identity.answers import Answer, Call
from standins.identity.grants import CodeGrant, IdTokens, InteractionGrant, RefreshGrant, extensions
from standins.identity.server import Server


def token(call: Call) -> Answer:
    server = Server(call, call.form)
    server.register_grant(CodeGrant, extensions(call))
    server.register_grant(InteractionGrant, extensions(call))
    server.register_grant(RefreshGrant, [IdTokens(call)])
    answer: Answer = server.create_token_response()
    return answer
