"""GET logout: the end of the provider's session, and the way back."""

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError
from authlib.oidc.rpinitiated import EndSessionEndpoint
from authlib.oidc.rpinitiated.end_session import EndSessionRequest

from standins.identity import pages, sessions, signing
from standins.identity.answers import Answer, Call, Json
from standins.identity.authorize import PageError
from standins.identity.server import Server


class EndSession(EndSessionEndpoint):
    def _validate_id_token_hint(self, id_token_hint: str) -> Json:
        """An expired hint is as good as a fresh one. The core would go by the machine's clock instead of ours, and
        would take an access token."""
        claims = signing.read(self.server.call, id_token_hint)
        if claims is None or not str(claims.get("jti", "")).startswith("ID."):
            raise InvalidRequestError("The hint is no id token of this provider.")
        return claims

    def end_session(self, end_session_request: EndSessionRequest) -> None:
        call = self.server.call
        if _is_own(call, end_session_request):
            sessions.end(call)


def _is_own(call: Call, asked: EndSessionRequest) -> bool:
    found = sessions.current(call)
    return found is not None and bool(found.user_id == asked.id_token_claims["sub"])


def logout(call: Call) -> Answer:
    """A forged hint ends nothing, and a person without one is not asked."""
    server = Server(call, call.query)
    server.register_endpoint(EndSession)
    try:
        asked = server.validate_endpoint_request("end_session")
    except OAuth2Error:
        asked = None
    if asked is None or asked.id_token_claims is None or asked.client is None:
        raise PageError("Sign-out not understood", "The sign-out request carries no valid id token.")
    if "post_logout_redirect_uri" in server.request.form and asked.redirect_uri is None:
        raise PageError("Unknown address", "The application asked to send you to an address it has not registered.")
    is_own = _is_own(call, asked)
    answer: Answer = server.create_endpoint_response("end_session", asked) or pages.page("signed_out", 200)
    if is_own:
        answer.cookies[sessions.COOKIE] = None
    return answer
