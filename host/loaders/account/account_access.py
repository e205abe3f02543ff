"""Whether a sign-in may read and change the account at the provider, and where that is asked for
(docs/decisions/0098)."""

from urllib.parse import urlencode

from domain.identity import sessions
from host.auth.token_cipher import decrypt_tokens
from host.rendering.page_request import PageRequest
from host.rendering.page_result import Redirect

# The page was asked for in vain before: the learner is shown a link.
MARK = "access"


async def missing_access(request: PageRequest) -> Redirect | str | None:
    """A redirect that asks the provider without showing its page; once that was in vain, the address that shows it;
    None: nothing is missing, or this session has nothing that could be asked with."""
    settings = request.settings
    assert request.session is not None  # noqa: S101 only loaders of private pages call this, with a session
    assert request.app is not None  # noqa: S101 page_handler gives it to loaders of private pages
    scopes = set(settings.oidc_account_scopes.split())
    encrypted = await request.db.read(sessions.provider_tokens_of, request.session.auth.session_id)
    if not scopes or encrypted is None or encrypted.issuer != settings.oidc_issuer:
        return None
    tokens = decrypt_tokens(request.app, encrypted)
    if not tokens.access_token or not scopes.isdisjoint(tokens.scopes):
        return None
    query = {"returnTo": request.path, "area": request.session.auth.area}
    if request.query.get(MARK):
        return f"/api/auth/start?{urlencode({**query, 'access': 'account'})}"
    return Redirect(f"/api/auth/start?{urlencode({**query, 'access': 'silent'})}")
