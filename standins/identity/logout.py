"""GET logout: the end of the provider's session, and the way back."""

from urllib.parse import urlencode

from standins.identity import pages, sessions, signing
from standins.identity.answers import Answer, Call, redirect
from standins.identity.authorize import PageError


def logout(call: Call) -> Answer:
    """An expired hint is as good as a fresh one; a forged one ends nothing."""
    claims = signing.read(call, call.query.get("id_token_hint", ""))
    client = call.provider.clients.get(str(claims.get("aud"))) if claims is not None else None
    if claims is None or client is None or not str(claims.get("jti", "")).startswith("ID."):
        raise PageError("Sign-out not understood", "The sign-out request carries no valid id token.")
    target = call.query.get("post_logout_redirect_uri")
    if target is not None and target not in client.after_logout:
        raise PageError("Unknown address", "The application asked to send you to an address it has not registered.")
    found = sessions.current(call)
    if found is not None and found.user_id == claims["sub"]:
        sessions.end(call)
    answer = pages.page("signed_out", 200) if target is None else _back(target, call.query.get("state"))
    if found is not None and found.user_id == claims["sub"]:
        answer.cookies[sessions.COOKIE] = None
    return answer


def _back(target: str, state: str | None) -> Answer:
    glue = "&" if "?" in target else "?"
    return redirect(target + (glue + urlencode({"state": state}) if state else ""))
