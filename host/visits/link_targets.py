"""Where a referral link leads: a path on this site, with the campaign of the link."""

from urllib.parse import urlencode

from aiohttp import web

from domain.visits.campaigns import campaign_parameters
from host.http.local_redirects import MAX_PATH_LENGTH, safe_local_path


def target_of(request: web.Request) -> str:
    """The path in `to`, "/" for anything else. A path without a campaign of its own gets that of the link."""
    target = safe_local_path(request.query.get("to", "")) or "/"
    if campaign_parameters(target):
        return target
    address, hash_sign, fragment = target.partition("#")
    path, _, query = address.partition("?")
    campaign = urlencode(campaign_parameters(request.rel_url.raw_path_qs))
    queries = "&".join(part for part in (query, campaign) if part)
    extended = f"{path}?{queries}{hash_sign}{fragment}" if campaign else target
    return extended if len(extended) <= MAX_PATH_LENGTH else target
