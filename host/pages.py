"""The one GET handler behind every row of routes.json: document or data, streamed or whole, and never blank."""

import logging
from dataclasses import replace
from datetime import UTC, datetime

import orjson
from aiohttp import web

from domain.catalogue import Narrowed
from domain.errors import Unavailable
from domain.pages import exact_form, match
from host import crawlers, kept_pages, keys, viewers
from host.drawing import Streamed, Whole, gather, headers_of
from host.loaders import (
    Answer,
    Asked,
    Loaded,
    Loader,
    Moved,
    client_rendered,
    content,
    course,
    errors,
    home,
    item,
    search,
    shop,
    styleguide,
)
from host.searches import RESULTS

log = logging.getLogger("coursefront.pages")

# Of pages that one visitor alone may see.
APART = {"Cache-Control": "private, no-store", "Vary": "Accept-Encoding, Cookie"}

LOADERS: dict[str, Loader] = {
    "home": home.load,
    "shop": shop.load,
    "search": search.load,
    "course-details": course.load,
    "shop-details": item.load,
    "about": content.load_about,
    "contact": content.load_contact,
    "refund-grievance-policy": content.load_policy,
}


async def page(request: web.Request) -> web.StreamResponse:
    """A document for people and search engines."""
    response = await _page(request)
    _note_search(request, response)
    return response


async def _page(request: web.Request) -> web.StreamResponse:
    """A finished document where there is one, else made now; for restricted visitors always now, and for them alone."""
    if await _is_restricted(request):
        return await _apart(request)
    kept = kept_pages.find(request)
    if kept is not None:
        crawlers.record(request)
        return kept
    moved = exact_form(request.path)
    if moved is not None:
        raise web.HTTPMovedPermanently(_with_query(moved, request))
    answer = await kept_pages.make(request, lambda: answer_for(request, request.path))
    if isinstance(answer, web.Response):
        crawlers.record(request)
        return answer
    if isinstance(answer, Moved):
        raise web.HTTPMovedPermanently(answer.location)
    return await document(request, answer)


async def _is_restricted(request: web.Request) -> bool:
    try:
        request[keys.ONLY] = await viewers.narrowed(request)
    except Unavailable:
        # Nobody can say what this visitor may see: nothing of the catalogue then.
        request[keys.ONLY] = Narrowed((), has_all_courses=False)
    return request[keys.ONLY] is not None


async def _apart(request: web.Request) -> web.StreamResponse:
    moved = exact_form(request.path)
    if moved is not None:
        raise web.HTTPMovedPermanently(_with_query(moved, request))
    answer = await answer_for(request, request.path)
    if isinstance(answer, Moved):
        raise web.HTTPFound(answer.location, headers=APART)
    return await document(request, replace(answer, headers={**answer.headers, **APART}))


async def document(request: web.Request, loaded: Loaded) -> web.StreamResponse:
    """The document of what a loader made; also the answer to a form sent without JavaScript."""
    if request.method == "HEAD":
        return web.Response(status=loaded.status, headers=headers_of(request, loaded, None))
    crawlers.record(request)
    is_whole = not loaded.deferred or crawlers.is_declared(request)
    mode = request.app[keys.SETTINGS].render
    drawing = Whole(request, loaded) if mode == "whole" or (mode == "auto" and is_whole) else Streamed(request, loaded)
    try:
        return await drawing.answer()
    finally:
        drawing.stop()


async def data(request: web.Request) -> web.StreamResponse:
    """{page, status, head, props} for client navigation, deferred parts included."""
    await _is_restricted(request)
    answer = await answer_for(request, "/" + request.match_info["tail"])
    headers = {"Cache-Control": "no-store", "X-Build": request.app[keys.ASSETS].build, "X-Robots-Tag": "noindex"}
    if isinstance(answer, Moved):
        return web.json_response({"location": answer.location}, headers=headers)
    headers |= answer.headers
    parts = await gather(request, answer.deferred)
    body = {
        "page": answer.page,
        "status": answer.status,
        "head": answer.head.as_props(),
        "props": {**answer.props, **parts},
    }
    response = web.Response(
        body=orjson.dumps(body), status=answer.status, headers=headers, content_type="application/json", charset="utf-8"
    )
    _note_search(request, response)
    return response


def _note_search(request: web.Request, response: web.StreamResponse) -> None:
    """A person's search goes into the log, also when a kept page answered it."""
    told = response.headers.get(RESULTS)
    if told is None or request.method != "GET":
        return
    if crawlers.visitor_class(request.headers.get("User-Agent", "")) != "crawler":
        request.app[keys.SEARCHES].note(request.query.get("q", ""), told)


async def answer_for(request: web.Request, path: str) -> Answer:
    """What the page's loader makes of the request; the error page for what is no page, or not yet one."""
    asked = await ask(request, path)
    found = match(path)
    try:
        if styleguide.is_asked_for(asked):
            return styleguide.load()
        if found is None or not found.page.served:
            return await errors.not_found(asked)
        if not found.page.server_rendered:
            return await client_rendered.load(asked, found.page)
        return await LOADERS[found.page.id](asked)
    except Unavailable:
        return errors.unavailable(asked)
    except Exception:
        # A page never ends in a blank one: whatever went wrong, the visitor gets words and a way home.
        log.exception("the loader of %s failed", request.path)
        return errors.broken(asked, request[keys.REQUEST_ID])


async def ask(request: web.Request, path: str) -> Asked:
    found = match(path)
    return Asked(
        settings=request.app[keys.SETTINGS],
        db=request.app[keys.DATABASE],
        site=request.app[keys.SITE].state,
        path=path,
        query=request.query,
        values=found.values if found else {},
        at=datetime.now(UTC),
        only=request.get(keys.ONLY),
    )


def _with_query(path: str, request: web.Request) -> str:
    return f"{path}?{request.rel_url.raw_query_string}" if request.rel_url.raw_query_string else path
