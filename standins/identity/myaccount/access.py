"""Token checks, links and errors of all MyAccount calls."""

from collections.abc import Callable

from standins.identity.oauth import tokens
from standins.identity.responses import BearerError, IdentityApiError, IdentityCall, IdentityResponse, Json
from standins.identity.tables import User
from standins.identity.users import user_by_id

Handler = Callable[[IdentityCall, User], IdentityResponse]
VERSION = "okta-version=1.0.0"
MYACCOUNT_PATH = "/idp/myaccount"


def require_token(area: str, right: str, handler: Handler) -> Callable[[IdentityCall], IdentityResponse]:
    """A handler that requires a token with the scope for `area` (profile, email, phone or password) and `right` (read
    or manage). Calls that manage also need a recent sign-in."""

    def handle(call: IdentityCall) -> IdentityResponse:
        if VERSION not in call.headers.get("Accept", "").replace(" ", ""):
            raise IdentityApiError("E0000021", 406, "The Accept header must name okta-version=1.0.0.")
        claims = tokens.bearer_claims(call)
        if not _allows(claims, f"okta.myAccount.{area}", right):
            raise BearerError(403, "insufficient_scope", "The access token does not have the required scopes.")
        fresh = call.seconds("fresh")
        if right == "manage" and call.now - claims["auth_time"] > fresh:
            text = "The access token requires additional authentication."
            raise BearerError(403, "insufficient_authentication_context", text, max_age=str(int(fresh)))
        return handler(call, user_by_id(call.session, claims["uid"]))

    return handle


def _allows(claims: Json, scope: str, right: str) -> bool:
    """Whether the token has the scope; `manage` includes `read`."""
    return f"{scope}.manage" in claims["scp"] or f"{scope}.{right}" in claims["scp"]


def link(call: IdentityCall, path: str, *methods: str) -> Json:
    return {"href": f"{call.provider.origin}{MYACCOUNT_PATH}{path}", "hints": {"allow": list(methods)}}


def validation_error(what: str, *causes: str) -> IdentityApiError:
    return IdentityApiError("E0000001", 400, f"Api validation failed: {what}", *causes)
