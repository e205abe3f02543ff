"""userinfo, revoke, introspect: what a token says, and the end of it."""

from standins.identity import tickets, tokens
from standins.identity.answers import Answer, BearerError, Call, reply
from standins.identity.clients import authenticated
from standins.identity.users import of_id


def userinfo(call: Call) -> Answer:
    claims = tokens.bearer(call)
    if "openid" not in claims["scp"]:
        raise BearerError(403, "insufficient_scope", "The access token must provide the scope openid.")
    user = of_id(call.session, claims["uid"])
    return reply({"sub": user.id, **tokens.about(call, user, tuple(claims["scp"]))})


def revoke(call: Call) -> Answer:
    """200 for every token, also for one that is not ours or not this client's: nobody learns which."""
    client = authenticated(call)
    word = call.form.get("token", "")
    held = tickets.look(call, "refresh", word)
    if held is not None and held.data["client"] == client.id:
        held.used_at = call.now
    claims = tokens.live_access(call, word)
    if claims is not None and claims["cid"] == client.id:
        tokens.revoke_access(call, claims)
    return Answer(200)


def introspect(call: Call) -> Answer:
    client = authenticated(call)
    word = call.form.get("token", "")
    claims = tokens.live_access(call, word)
    if claims is not None and claims["cid"] == client.id:
        told = ("iss", "aud", "iat", "exp", "sub", "uid", "jti")
        about = {name: claims[name] for name in told}
        return reply(
            {
                "active": True,
                "token_type": "Bearer",
                "client_id": client.id,
                "username": claims["sub"],
                "scope": " ".join(claims["scp"]),
                **about,
            }
        )
    held = tickets.look(call, "refresh", word)
    if held is None or held.data["client"] != client.id:
        return reply({"active": False})
    user = of_id(call.session, held.user_id)
    return reply(
        {
            "active": True,
            "client_id": client.id,
            "scope": " ".join(held.data["scopes"]),
            "exp": int(held.expires_at),
            "sub": user.login,
            "username": user.login,
            "uid": user.id,
        }
    )
