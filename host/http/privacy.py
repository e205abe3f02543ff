"""Privacy signals of browsers."""

from aiohttp import web


def has_privacy_signal(request: web.Request) -> bool:
    """Whether the browser sends Global Privacy Control or Do Not Track; visits then have no session and no address."""
    return request.headers.get("Sec-GPC") == "1" or request.headers.get("DNT") == "1"
