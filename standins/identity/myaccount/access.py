"""Who calls, whether the token opens this, and the links of answers."""

from collections.abc import Callable

from standins.identity import tokens
from standins.identity.answers import Answer, ApiError, BearerError, Call, Json
from standins.identity.tables import User
from standins.identity.users import of_id

Handler = Callable[[Call, User], Answer]
VERSION = "okta-version=1.0.0"
AT = "/idp/myaccount"


def guarded(area: str, handler: Handler) -> Callable[[Call], Answer]:
    """`area`: profile, email, phone or password. Reading and writing want scopes of their own, writing also a
    sign-in of the last minutes."""

    def handle(call: Call) -> Answer:
        if VERSION not in call.headers.get("Accept", "").replace(" ", ""):
            raise ApiError("E0000021", 406, "The Accept header must name okta-version=1.0.0.")
        claims = tokens.bearer(call)
        is_reading = call.method == "GET"
        if not _opens(call, claims, f"okta.myAccount.{area}.{'read' if is_reading else 'manage'}"):
            raise BearerError(403, "insufficient_scope", "The access token does not have the required scopes.")
        fresh = call.seconds("fresh")
        if not is_reading and call.now - claims["auth_time"] > fresh:
            text = "The access token requires additional authentication."
            raise BearerError(403, "insufficient_authentication_context", text, max_age=str(int(fresh)))
        return handler(call, of_id(call.session, claims["uid"]))

    return handle


def _opens(call: Call, claims: Json, scope: str) -> bool:
    """`manage` opens reading too; a client may be allowed all with openid alone."""
    client = call.provider.clients.get(claims["cid"])
    is_open = client is not None and client.account_with_openid and "openid" in claims["scp"]
    return is_open or scope in claims["scp"] or scope.replace(".read", ".manage") in claims["scp"]


def link(call: Call, path: str, *methods: str) -> Json:
    return {"href": f"{call.provider.origin}{AT}{path}", "hints": {"allow": list(methods)}}


def invalid(what: str, *causes: str) -> ApiError:
    return ApiError("E0000001", 400, f"Api validation failed: {what}", *causes)
