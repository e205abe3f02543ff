"""The one GET handler behind every row of routes.json: a page as a document, streamed or complete, never blank."""

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import orjson
from aiohttp import web
from aiohttp.typedefs import Handler
from multidict import MultiDict

from domain.account.current_session import CurrentSession
from domain.catalogue.scope import CatalogueScope
from domain.crawlers.fetches import READ
from domain.errors import ServiceUnavailable
from domain.routes import AreaPage, Page, canonical_query, match_route, normalised_path
from domain.visits.days.paths import place_of
from domain.visits.served_documents import CRAWLER_CLASSES
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access, area_guard, catalogue_scope, private_pages
from host.auth.form_keys import FORM_KEYS
from host.auth.session_info import session_info
from host.http import request_keys, user_agents
from host.http.problems import RateLimited
from host.loaders import client_rendered, errors, styleguide
from host.loaders.areas import area_page
from host.page_cache import policy
from host.rate_limits import policies
from host.rendering.document import CompleteDocument, headers_of
from host.rendering.page_registry import PAGES, PageOptions, options_of
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect, SignInFirst
from host.rendering.private_document import PrivateDocument
from host.rendering.shell import json_bytes
from host.rendering.streamed_document import StreamedDocument
from host.scoped_site import with_scoped_site
from host.search_log import RESULTS, SEARCH_LOG
from host.site_state import SITE
from host.visits.served_counts import SERVED_COUNTS

log = logging.getLogger("coursefront.pages")

# For pages that only one visitor may see, or that depend on the visitor's contract.
PRIVATE_HEADERS = {"Cache-Control": "private, no-store", "Vary": "Accept-Encoding, Cookie"}
NOTHING_VISIBLE = CatalogueScope((), has_all_courses=False)


async def page(request: web.Request) -> web.StreamResponse:
    """A page's document: from the cache, or rendered now; a restricted visitor's is never cached."""
    agent_class, is_get = user_agents.agent_class(request), request.method == "GET"
    is_crawler = is_get and agent_class in CRAWLER_CLASSES
    if is_crawler:
        # The fetch is recorded once it is answered (host/visits/crawl_recording.py).
        request[request_keys.SERVED_HEAD] = b""
    scope = await visible_scope(request)
    cached = policy.cached_response(request) if scope is None else None
    if cached is None:
        _redirect_to_normalised_path(request)
        requested = page_request(request, request.path, scope)
        response = await _answer_of(requested)(request, requested)
        is_counted = requested.route is not None and not place_of(request.path).area
    else:
        response, is_counted = cached, True
    if is_counted and is_get and response.status in READ:
        request.app[SERVED_COUNTS].documents[int(time.time()) // 60, agent_class] += 1
    if is_get and not is_crawler and RESULTS in response.headers:
        record_search(request, response)
    return response


async def visible_scope(request: web.Request) -> CatalogueScope | None:
    """What the visitor may see of the catalogue, None for all: nothing when that cannot be found out."""
    try:
        return await catalogue_scope.scope_of(request)
    except ServiceUnavailable:
        return NOTHING_VISIBLE


def _answer_of(page: PageRequest) -> Callable[[web.Request, PageRequest], Awaitable[web.StreamResponse]]:
    """The function that answers: by whether the page is one person's, some people's or everyone's."""
    if page.route is not None and page.route.private:
        return _private_page
    return _shared_page if page.scope is None else _restricted_page


async def _shared_page(request: web.Request, page: PageRequest) -> web.StreamResponse:
    outcome = await policy.get_or_render(request.app, page, load)
    if isinstance(outcome, Redirect):
        # Staff may take it back: without this header browsers keep a permanent redirect for as long as they like.
        raise web.HTTPMovedPermanently(outcome.location, headers={"Cache-Control": "no-cache"})
    if isinstance(outcome, PageResult):
        return await document(request, page, outcome)
    return policy.to_response(request, outcome)


async def _restricted_page(request: web.Request, page: PageRequest) -> web.StreamResponse:
    page = await with_scoped_site(page)
    result = await load(page)
    if isinstance(result, Redirect):
        raise web.HTTPFound(result.location, headers=PRIVATE_HEADERS)
    return await document(request, page, replace(result, headers={**result.headers, **PRIVATE_HEADERS}))


async def _private_page(request: web.Request, page: PageRequest) -> web.StreamResponse:
    page = replace(page, sends_head_first=request.method == "GET")
    page, result = await load_with_session(request, page)
    return await private_document(request, page, result)


async def private_document(request: web.Request, page: PageRequest, result: LoaderResult) -> web.StreamResponse:
    """The document of `load_with_session`; also the response to a form sent without JavaScript."""
    if isinstance(result, SignInFirst):
        raise web.HTTPSeeOther(result.location, headers=PRIVATE_HEADERS)
    if isinstance(result, Redirect):
        raise web.HTTPFound(result.location, headers=PRIVATE_HEADERS)
    is_error = result.area is None and (page.route is None or result.page != page.route.id)
    if is_error or page.is_session_unknown or request.method == "HEAD":
        return await document(request, page, result)
    session = b"null" if page.session is None else json_bytes(session_info(page.session))
    return await PrivateDocument(request.app, result, request.rel_url.raw_path_qs, session).respond(request, page)


async def load_with_session(
    request: web.Request, page: PageRequest, load_page: Callable[[PageRequest], Awaitable[LoaderResult]] | None = None
) -> tuple[PageRequest, LoaderResult]:
    """The result of `load`; a private page's is for the session of the request, and must not be stored anywhere.

    `load_page`: instead of `load`, for what is not the page itself but for the same people.
    """
    route = page.route
    if route is None or not route.private:
        return page, await load(page)
    try:
        page = await _with_session(request, page)
        result = _sign_in_first(request, page) or await _within_limit(request, page, load_page or load)
    except ServiceUnavailable:
        page = replace(page, session=None, is_session_unknown=True)
        # The browser shows such a page from what it has stored.
        result = await client_rendered.load(page, route) if route.for_guests else errors.unavailable(page)
    except _SessionFailed:
        log.exception("the session for %s, or what is read with it, could not be read", page.path)
        page = replace(page, session=None, is_session_unknown=True)
        result = errors.broken(page, page.request_id)
    if isinstance(result, PageResult):
        result = replace(result, headers={**result.headers, **PRIVATE_HEADERS})
    return page, result


async def _within_limit(
    request: web.Request, page: PageRequest, load_page: Callable[[PageRequest], Awaitable[LoaderResult]]
) -> LoaderResult:
    if isinstance(page.route, AreaPage) and page.session is not None:
        try:
            await policies.limit(request, "area_pages_per_learner_minute", learner=page.session.auth)
        except RateLimited as error:
            return area_page.too_many_requests(page, page.route, error)
    return await load_page(page)


async def _with_session(request: web.Request, page: PageRequest) -> PageRequest:
    session, first = await _session_and_first_read(request, page)
    options = options_of(page.route.id) if page.route is not None else PageOptions()
    if options.order_status is not None:
        page = replace(page, order_status=options.order_status(request, page, session))
    if session is None:
        return page

    def form_key(purpose: str) -> str:
        return request.app[FORM_KEYS].create(purpose, session.auth.learner_id, page.at)

    limit = page.limit
    if options.learner_limits:
        limit = partial(policies.limit, request, *options.learner_limits, learner=session.auth)
    actor = area_access.page_actor(request, session) if isinstance(page.route, AreaPage) else None
    return replace(
        page, session=session, first_read=first, actor=actor, limit=limit, form_key=form_key, app=request.app
    )


class _SessionFailed(Exception):
    """Finding the session, or what is read with it, raised what nobody expects."""


async def _session_and_first_read(request: web.Request, page: PageRequest) -> tuple[CurrentSession | None, Any]:
    first_read = options_of(page.route.id).first_read if page.route is not None else None
    try:
        return await private_pages.document_session_and(request, None if first_read is None else first_read(page))
    except ServiceUnavailable:
        raise
    except Exception as error:
        raise _SessionFailed from error


def _sign_in_first(request: web.Request, page: PageRequest) -> SignInFirst | None:
    """Where a private page leads guests, and one of an area those who are not signed in to it, or have not chosen their
    organisation."""
    route = page.route
    if route is None or not route.served:
        return None
    address = request.rel_url.raw_path_qs.removeprefix("/data").removeprefix("/csv")
    if not isinstance(route, AreaPage):
        is_open = page.session is not None or route.for_guests or options_of(route.id).explains_sign_in
        return None if is_open else SignInFirst(area_guard.sign_in_address("/login", address))
    if area_guard.needs_sign_in(route, page.session):
        return SignInFirst(area_guard.sign_in_address(str(route.area.sign_in), address))
    return (
        SignInFirst(area_guard.choice_address(address, page.session))
        if area_guard.needs_choice(route, page.session)
        else None
    )


def _redirect_to_normalised_path(request: web.Request) -> None:
    path = normalised_path(request.path)
    if path is not None:
        query = request.rel_url.raw_query_string
        raise web.HTTPMovedPermanently(f"{path}?{query}" if query else path)


async def document(request: web.Request, page: PageRequest, result: PageResult) -> web.StreamResponse:
    """The document of a loader's result; also the response to a form sent without JavaScript."""
    if request.method == "HEAD":
        return web.Response(status=result.status, headers=headers_of(request.app, result, None))
    if request_keys.SERVED_HEAD in request:
        request[request_keys.SERVED_HEAD] = orjson.dumps(result.head.as_props())
    is_complete = not result.deferred or user_agents.is_crawler(request)
    mode = request.app[SETTINGS].render
    kind = CompleteDocument if mode == "whole" or (mode == "auto" and is_complete) else StreamedDocument
    return await kind(request.app, result, request.rel_url.raw_path_qs).respond(request, page)


def with_error_page(handler: Handler) -> Handler:
    """For files that people follow a link to: when there are too many requests, or the file cannot be made now, they
    get a page that says so and when to come back."""

    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except RateLimited as error:
            status, retry_after_s = 429, error.retry_after_s
            text = "You asked for many documents. Please wait a minute, then try again."
        except ServiceUnavailable as error:
            status, retry_after_s, text = 503, error.retry_after_s, str(error)
        page = page_request(request, request.path)
        result = errors.error(page, status, text, [])
        headers = {**PRIVATE_HEADERS, "Retry-After": str(retry_after_s)}
        return await document(request, page, replace(result, headers=headers))

    return answer


def record_search(request: web.Request, response: web.StreamResponse) -> None:
    """Log a person's search, also when a cached page answered it. What a browser fetches ahead is none."""
    results = response.headers.get(RESULTS)
    is_asked = request.method == "GET" and not user_agents.is_ahead_of_click(request)
    if results is not None and is_asked and user_agents.is_browser(request):
        request.app[SEARCH_LOG].record(request.query.get("q", ""), results)


async def load(request: PageRequest) -> LoaderResult:
    """The result of the page's loader; the error page for what is not a page."""
    route = request.route
    try:
        if styleguide.is_requested(request):
            return styleguide.load()
        if route is None or not route.served:
            return await errors.not_found(request)
        if route.private or isinstance(route, AreaPage):
            return await _load_private(request, route)
        found = PAGES.get(route.id)
        result: LoaderResult = await (client_rendered.load(request, route) if found is None else found.load(request))
        return result
    except ServiceUnavailable:
        return errors.unavailable(request)
    except Exception:
        # Whatever went wrong, the visitor gets words and a way home instead of a blank page.
        log.exception("the loader of %s failed", request.path)
        return errors.broken(request, request.request_id)


async def _load_private(request: PageRequest, route: Page) -> LoaderResult:
    if isinstance(route, AreaPage):
        return await area_page.load(request, route, PAGES[route.id].load if route.id in PAGES else None)
    own = PAGES[route.id]
    needs_sign_in = request.session is None and not route.for_guests and not own.options.loads_for_guests
    result: LoaderResult = await (client_rendered.load if needs_sign_in else own.load)(request, route)
    return result


def _is_persons(request: web.Request) -> bool:
    return request.method != "HEAD" and user_agents.is_browser(request) and not user_agents.is_ahead_of_click(request)


def page_request(request: web.Request, path: str, scope: CatalogueScope | None = None) -> PageRequest:
    """The request for the page at `path`, which for data and forms is not the path of the HTTP request."""
    match = match_route(path)
    limits = options_of(match.page.id).limits if match else ()
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
        limit=partial(policies.limit, request, *limits) if limits else None,
        is_persons=partial(_is_persons, request),
        raw_path=request.raw_path,
        request_id=request[request_keys.REQUEST_ID],
    )
