"""Data for client navigation while it cannot be had: what stands in the kept document of the same page."""

from typing import Any

import orjson
from aiohttp import web

from domain.pages import match
from host import keys, pages
from host.kept import Kept
from host.kept_pages import canonical

_BEGIN, _END = b'<script type="application/json" id="state">', b"</script>"


async def data(request: web.Request) -> web.StreamResponse:
    """GET /data/…: as `pages.data` answers, or the kept page's, marked X-Cache: stale, where that can only fail."""
    answer = await pages.data(request)
    cache, found = request.app[keys.PAGE_CACHE], match("/" + request.match_info["tail"])
    if answer.status < 500 or cache is None or found is None:
        return answer
    key = canonical(found, request.query)
    kept = None if key is None else await cache.stored(key)
    if kept is None:
        return answer
    cache.stale += 1
    headers = {"Cache-Control": "no-store", "X-Build": request.app[keys.ASSETS].build, "X-Robots-Tag": "noindex"}
    return web.Response(
        body=orjson.dumps(_data_of(kept)),
        headers={**headers, "X-Cache": "stale"},
        content_type="application/json",
        charset="utf-8",
    )


def _data_of(kept: Kept) -> dict[str, Any]:
    """{page, status, head, props} of a finished document (docs/wire.md, "data"), which carries its props as state."""
    state = orjson.loads(kept.unpacked().rpartition(_BEGIN)[2].partition(_END)[0])
    head = orjson.loads(kept.head)
    return {"page": state["page"], "status": state["status"], "head": head, "props": state["props"]}
