"""Where a referral link leads: a path on this site, with the campaign of the link."""

from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from domain.visits.visits import CLICK_IDS
from host.http.local_redirects import MAX_PATH_LENGTH, safe_local_path


def target_of(request: web.Request) -> str:
    """The path in `to`, "/" for anything else. A path without a campaign of its own gets that of the link."""
    target = safe_local_path(request.query.get("to", "")) or "/"
    address, hash_sign, fragment = target.partition("#")
    path, _, query = address.partition("?")
    if any(_is_of_campaign(name) for name, _ in parse_qsl(query)):
        return target
    campaign = urlencode([(name, text) for name, text in request.query.items() if text and _is_of_campaign(name)])
    queries = "&".join(part for part in (query, campaign) if part)
    extended = f"{path}?{queries}{hash_sign}{fragment}" if campaign else target
    return extended if len(extended) <= MAX_PATH_LENGTH else target


def _is_of_campaign(name: str) -> bool:
    return name.startswith("utm_") or name in CLICK_IDS
