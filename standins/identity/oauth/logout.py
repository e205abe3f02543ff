"""GET logout: ends the provider's session and redirects back."""

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError
from authlib.oidc.rpinitiated import EndSessionEndpoint
from authlib.oidc.rpinitiated.end_session import EndSessionRequest

from standins.identity import pages, sessions
from standins.identity.oauth import signing
from standins.identity.oauth.authorize import PageError
from standins.identity.oauth.server import Server
from standins.identity.responses import IdentityCall, IdentityResponse, Json


class EndSession(EndSessionEndpoint):
    def _validate_id_token_hint(self, id_token_hint: str) -> Json:
        """Accepts an expired id token too. The core would use the machine's clock instead of the provider's, and
        would accept an access token."""
        claims = signing.read_claims(self.server.call, id_token_hint)
        if claims is None or not str(claims.get("jti", "")).startswith("ID."):
            raise InvalidRequestError("The hint is no id token of this provider.")
        return claims

    def end_session(self, end_session_request: EndSessionRequest) -> None:
        call = self.server.call
        if _is_own(call, end_session_request):
            sessions.delete_current(call)


def _is_own(call: IdentityCall, request: EndSessionRequest) -> bool:
    session = sessions.current(call)
    return session is not None and bool(session.user_id == request.id_token_claims["sub"])


def logout(call: IdentityCall) -> IdentityResponse:
    """Ends the session of the hint's user. Raises PageError without a valid id token."""
    server = Server(call, call.query)
    server.register_endpoint(EndSession)
    try:
        request = server.validate_endpoint_request("end_session")
    except OAuth2Error:
        request = None
    if request is None or request.id_token_claims is None or request.client is None:
        raise PageError("Sign-out not understood", "The sign-out request carries no valid id token.")
    if "post_logout_redirect_uri" in server.request.form and request.redirect_uri is None:
        raise PageError("Unknown address", "The application asked to send you to an address it has not registered.")
    is_own = _is_own(call, request)
    response: IdentityResponse = server.create_endpoint_response("end_session", request) or pages.render_page(
        "signed_out", 200
    )
    if is_own:
        response.cookies[sessions.COOKIE] = None
    return response
