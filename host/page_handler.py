"""The one GET handler behind every row of routes.json: a page as a document, streamed or complete, never blank."""

import logging
from dataclasses import replace
from datetime import UTC, datetime

from aiohttp import web
from multidict import MultiDict

from domain.catalogue import CatalogueScope
from domain.errors import ServiceUnavailable
from domain.routes import canonical_query, match_route, normalised_path
from host.app_keys import DATABASE, SETTINGS
from host.auth import catalogue_scope
from host.http import request_keys, user_agents
from host.loaders import client_rendered, content, course, errors, home, item, search, shop, styleguide
from host.page_cache import policy
from host.rendering.document import CompleteDocument, headers_of
from host.rendering.page_request import Loader, PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect
from host.rendering.streamed_document import StreamedDocument
from host.search_log import RESULTS, SEARCH_LOG
from host.site_state import SITE
from host.visits.server_side import record_crawler

log = logging.getLogger("coursefront.pages")

# Of pages that only one visitor may see.
PRIVATE_HEADERS = {"Cache-Control": "private, no-store", "Vary": "Accept-Encoding, Cookie"}
NOTHING_VISIBLE = CatalogueScope((), has_all_courses=False)

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
    """A page's document: from the cache, or rendered now; a restricted visitor's is never cached."""
    scope = await visible_scope(request)
    if scope is not None:
        response = await _private_page(request, scope)
    else:
        cached = policy.cached_response(request)
        response = await _shared_page(request) if cached is None else cached
    if request.method == "GET":
        if user_agents.is_crawler(request):
            record_crawler(request)
        elif RESULTS in response.headers:
            record_search(request, response)
    return response


async def visible_scope(request: web.Request) -> CatalogueScope | None:
    """What the visitor may see of the catalogue, None for all: nothing when that cannot be found out."""
    try:
        return await catalogue_scope.scope_of(request)
    except ServiceUnavailable:
        return NOTHING_VISIBLE


async def _shared_page(request: web.Request, scope: CatalogueScope | None = None) -> web.StreamResponse:
    _redirect_to_normalised_path(request)
    page = page_request(request, request.path, scope)
    outcome = await policy.get_or_render(request.app, page, load)
    if isinstance(outcome, Redirect):
        raise web.HTTPMovedPermanently(outcome.location)
    if isinstance(outcome, PageResult):
        return await document(request, page, outcome)
    return policy.to_response(request, outcome)


async def _private_page(request: web.Request, scope: CatalogueScope) -> web.StreamResponse:
    _redirect_to_normalised_path(request)
    page = page_request(request, request.path, scope)
    result = await load(page)
    if isinstance(result, Redirect):
        raise web.HTTPFound(result.location, headers=PRIVATE_HEADERS)
    return await document(request, page, replace(result, headers={**result.headers, **PRIVATE_HEADERS}))


def _redirect_to_normalised_path(request: web.Request) -> None:
    path = normalised_path(request.path)
    if path is not None:
        query = request.rel_url.raw_query_string
        raise web.HTTPMovedPermanently(f"{path}?{query}" if query else path)


async def document(request: web.Request, page: PageRequest, result: PageResult) -> web.StreamResponse:
    """The document of a loader's result; also the response to a form sent without JavaScript."""
    if request.method == "HEAD":
        return web.Response(status=result.status, headers=headers_of(request.app, result, None))
    is_complete = not result.deferred or user_agents.is_crawler(request)
    mode = request.app[SETTINGS].render
    kind = CompleteDocument if mode == "whole" or (mode == "auto" and is_complete) else StreamedDocument
    return await kind(request.app, result, request.rel_url.raw_path_qs).respond(request, page)


def record_search(request: web.Request, response: web.StreamResponse) -> None:
    """Log a person's search, also when a cached page answered it."""
    results = response.headers.get(RESULTS)
    if results is not None and request.method == "GET" and not user_agents.is_crawler(request):
        request.app[SEARCH_LOG].record(request.query.get("q", ""), results)


async def load(request: PageRequest) -> LoaderResult:
    """The result of the page's loader; the error page for what is not a page."""
    route = request.route
    try:
        if styleguide.is_requested(request):
            return styleguide.load()
        if route is None or not route.served:
            return await errors.not_found(request)
        if not route.server_rendered:
            return await client_rendered.load(request, route)
        return await LOADERS[route.id](request)
    except ServiceUnavailable:
        return errors.unavailable(request)
    except Exception:
        # Whatever went wrong, the visitor gets words and a way home instead of a blank page.
        log.exception("the loader of %s failed", request.path)
        return errors.broken(request, request.request_id)


def page_request(request: web.Request, path: str, scope: CatalogueScope | None = None) -> PageRequest:
    """The request for the page at `path`, which for data and forms is not the path of the HTTP request."""
    match = match_route(path)
    return PageRequest(
        settings=request.app[SETTINGS],
        db=request.app[DATABASE],
        site=request.app[SITE].state,
        path=path,
        query=MultiDict(canonical_query(match.page, request.query.items()) if match else ()),
        values=match.values if match else {},
        at=datetime.now(UTC),
        scope=scope,
        route=match.page if match else None,
        raw_path=request.raw_path,
        request_id=request[request_keys.REQUEST_ID],
    )
