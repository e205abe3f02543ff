"""GET /data/…: a page as JSON for client navigation."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, NotRequired

import orjson
from aiohttp import web
from typing_extensions import TypedDict

from domain.errors import ServiceUnavailable
from domain.routes import AreaPage
from host import page_handler
from host.auth import sessions
from host.auth.session_info import SessionInfo, session_info
from host.loaders.account.member_prices import with_member_prices
from host.page_cache.memory import PAGE_CACHE
from host.page_cache.policy import cache_key
from host.rendering.area_props import AreaProps
from host.rendering.assets import ASSETS
from host.rendering.deferred import load_deferred
from host.rendering.document import document_kind
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult, Redirect
from host.rendering.shell import HeadProps, json_bytes
from host.scoped_site import with_scoped_site

_BEGIN, _END = b'<script type="application/json" id="state">', b"</script>"


class PageData(TypedDict):
    """One page as data; `props` are those of its loader, deferred parts included (null: unavailable)."""

    page: str
    status: int
    head: HeadProps
    props: Any
    # Only documents of the same kind can show the page, as policy or area differ; absent: the ordinary kind.
    documentKind: NotRequired[str]
    # The layout and navigation of a page of an area.
    area: NotRequired[AreaProps]
    # Whose data a private page shows, null when nobody is signed in.
    session: NotRequired[SessionInfo | None]


class PageRedirect(TypedDict):
    """The page has moved to another address."""

    location: str


async def data(request: web.Request) -> web.StreamResponse:
    """{page, status, head, props}; if the page cannot be loaded, from its cached document, marked X-Cache: stale."""
    page = page_handler.page_request(request, "/" + request.match_info["tail"])
    # Pages of areas do not depend on what their visitor may see of the catalogue.
    if not isinstance(page.route, AreaPage) or not page.route.served:
        scope = await page_handler.visible_scope(request)
        page = page if scope is None else await with_scoped_site(replace(page, scope=scope))
    page, result = await page_handler.load_with_session(request, page)
    headers = {"Cache-Control": "no-store", "X-Build": request.app[ASSETS].build, "X-Robots-Tag": "noindex"}
    if isinstance(result, Redirect):
        redirect: PageRedirect = {"location": result.location}
        return web.json_response(redirect, headers=headers)
    cached = await _cached_data(request.app, page) if result.status >= 500 else None
    if cached is not None:
        return _json(cached, 200, {**headers, "X-Cache": "stale"})
    body = await _page_data(page, result, await _learner_id(request, page))
    if kind := document_kind(request.app, result):
        body["documentKind"] = kind
    response = _json(body, result.status, {**headers, **result.headers})
    page_handler.record_search(request, response)
    return response


def _json(body: PageData, status: int, headers: dict[str, str]) -> web.Response:
    return web.Response(
        body=json_bytes(body),
        status=status,
        headers=headers,
        content_type="application/json",
        charset="utf-8",
    )


async def _learner_id(request: web.Request, page: PageRequest) -> int | None:
    """Whose prices a public page shows; None: everyone's."""
    if page.route is None or page.route.private:
        return None
    session = await sessions.session_if_available(request)
    return None if session is None else session.learner_id


async def _page_data(page: PageRequest, result: PageResult, learner_id: int | None) -> PageData:
    props = {**result.props, **await load_deferred(page, result.deferred)}
    if learner_id is not None:
        with suppress(ServiceUnavailable):
            props = await with_member_prices(page.db, learner_id, props, page.at, page.settings.shop)
    data: PageData = {"page": result.page, "status": result.status, "head": result.head.as_props(), "props": props}
    if result.area is not None:
        data["area"] = result.area
    is_own = page.route is not None and (result.page == page.route.id or result.area is not None)
    if page.route is not None and page.route.private and is_own and not page.is_session_unknown:
        data["session"] = None if page.session is None else session_info(page.session)
    return data


async def _cached_data(app: web.Application, page: PageRequest) -> PageData | None:
    """The page's data from the state in its cached document. None for restricted visitors: that shows everything."""
    cache, key = app[PAGE_CACHE], cache_key(page)
    if cache is None or key is None or page.scope is not None:
        return None
    cached = await cache.get_or_load(key)
    if cached is None:
        return None
    cache.stale += 1
    state = orjson.loads(cached.html().rpartition(_BEGIN)[2].partition(_END)[0])
    data: PageData = {
        "page": state["page"],
        "status": state["status"],
        "head": orjson.loads(cached.head),
        "props": state["props"],
    }
    return data | {"documentKind": state["documentKind"]} if "documentKind" in state else data
