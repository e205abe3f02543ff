"""Protection against cross-site request forgery by Origin and Sec-Fetch-Site (docs/readings.md, "Calls")."""

from urllib.parse import urlsplit

from aiohttp import web

from host.app_keys import SETTINGS
from host.http.problems import Problem

_LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}


def require_same_origin(request: web.Request, *, required: bool = False) -> None:
    """Raises Problem 403 when another site's page sent the request. A request with neither header does not come from a
    browser and passes, unless `required`."""
    origin = request.headers.get("Origin")
    fetch_site = request.headers.get("Sec-Fetch-Site")
    is_foreign = fetch_site not in (None, "same-origin", "none") or (
        origin is not None and not _is_our_origin(request, origin)
    )
    if is_foreign or (required and origin is None and fetch_site is None):
        raise Problem(403, "This call can only be made from the site itself.")


def is_from_page(request: web.Request) -> bool:
    """Whether a browser sent the request for a page: browsers say of which site."""
    return "Origin" in request.headers or "Sec-Fetch-Site" in request.headers


def _is_our_origin(request: web.Request, origin: str) -> bool:
    ours = request.app[SETTINGS].site_origin
    if origin == ours:
        return True
    return bool(_loopback_port(ours)) and _loopback_port(origin) == _loopback_port(ours)


def _loopback_port(origin: str) -> str:
    """ "scheme:port" of a loopback origin, else "": localhost and 127.0.0.1 count as the same site."""
    try:
        parts = urlsplit(origin)
        host, _, port = parts.netloc.rpartition(":") if parts.port else (parts.netloc, "", "")
    except ValueError:
        return ""
    return f"{parts.scheme}:{port}" if host in _LOOPBACK else ""
