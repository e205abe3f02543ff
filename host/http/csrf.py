"""Whether a state-changing request may come from where it says it comes from (docs/readings.md, "Calls")."""

from urllib.parse import urlsplit

from aiohttp import web

from host import keys
from host.problems import Problem

_LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}


def check(request: web.Request, *, required: bool = False) -> None:
    """Raises Problem 403 for a foreign page. With neither header it is no browser and passes, unless `required`."""
    origin = request.headers.get("Origin")
    fetch_site = request.headers.get("Sec-Fetch-Site")
    is_foreign = fetch_site not in (None, "same-origin", "none") or (
        origin is not None and not _is_ours(request, origin)
    )
    if is_foreign or (required and origin is None and fetch_site is None):
        raise Problem(403, "This call can only be made from the site itself.")


def _is_ours(request: web.Request, origin: str) -> bool:
    ours = request.app[keys.SETTINGS].site_origin
    if origin == ours:
        return True
    return bool(_loopback_port(ours)) and _loopback_port(origin) == _loopback_port(ours)


def _loopback_port(origin: str) -> str:
    """On one's own machine localhost and 127.0.0.1 are the same site: "scheme:port", "" for everything else."""
    try:
        parts = urlsplit(origin)
        host, _, port = parts.netloc.rpartition(":") if parts.port else (parts.netloc, "", "")
    except ValueError:
        return ""
    return f"{parts.scheme}:{port}" if host in _LOOPBACK else ""
