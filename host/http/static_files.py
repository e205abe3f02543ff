"""The handler of files below static/."""

import re

from aiohttp import web

from config.settings import ROOT
from host.http.file_response import FileResponse

STATIC = ROOT / "static"
# The form of every name below static/. Others may be too long for the file system or contain invalid characters.
_NAME = re.compile(r"[\w./-]{1,200}", re.ASCII)
_IMMUTABLE = "public, max-age=31536000, immutable"


async def static(request: web.Request) -> web.StreamResponse:
    """GET /static/…. Built files have their hash in the name and are immutable; a 404 is never cached."""
    name = request.match_info["tail"]
    if not _NAME.fullmatch(name):
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC) or not path.is_file() or path.suffix in {".br", ".gz", ".new"}:
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    return FileResponse(path, headers={"Cache-Control": _cache_control(name), "Vary": "Accept-Encoding"})


def _cache_control(name: str) -> str:
    if name.endswith(".json"):
        return "no-cache"
    return _IMMUTABLE if name.startswith("dist/") else "public, max-age=3600"
