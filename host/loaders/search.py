"""/search: results of a query, with the shop's facets, sorts and pages, all of it in the address."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Literal
from urllib.parse import urlencode

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import FACETS, PAGE_SIZE, SORTS, CardRow, ShopQuery
from domain.catalogue.scope import CatalogueScope
from domain.search import query_log, tokenizer
from domain.search import search as search_search
from domain.search.search import RELEVANCE, SearchResult
from domain.search.search import Answer as FoundBy
from domain.search.tokenizer import MAX_QUERY_LENGTH
from domain.text_direction import isolated
from host.loaders import shop
from host.loaders.cards import Card, cards
from host.loaders.controls import list_controls
from host.loaders.errors import not_found
from host.loaders.labels import SORT_LABELS
from host.loaders.shop import ListProps
from host.page_cache import page_data
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect
from host.rendering.shell import Head
from host.search_log import RESULTS
from host.seo import head_texts

PATH = "/search"
SORT_NAMES = {RELEVANCE: "Best match", **SORT_LABELS}
POPULAR_SHOWN = 8
COURSES_SHOWN = 3


class SearchLink(TypedDict):
    text: str
    href: str


class SearchHelpProps(TypedDict):
    """Suggestions when a search has no results."""

    popular: list[SearchLink]
    courses: list[Card]


NO_HELP: SearchHelpProps = {"popular": [], "courses": []}


class ResultProps(ListProps):
    """`query` as typed, `normalisedQuery` as it was searched, with its `unknown` words. `answer` says how the results
    were found; empty: there was no query. `isTruncated`: there are more results than are counted. `exactHref` searches
    for the query as typed."""

    query: str
    answer: FoundBy | Literal["empty"]
    isTruncated: bool
    normalisedQuery: str
    unknown: list[str]
    exactHref: str | None
    didYouMean: SearchLink | None


class SearchProps(ResultProps, SearchHelpProps):
    """/search: the shop's list of the results of a query."""


@page("search")
async def load(request: PageRequest) -> LoaderResult[SearchProps]:
    text = _text(request)
    query = _query(request)
    if query.page < 1:
        return await not_found(request)
    as_typed = "exact" in request.query
    if shop.is_in_capitals(request, query):
        return Redirect(address(text, as_typed, query))
    if not text:
        return _page_result(
            request, text, {**_props(request, text, query, SearchResult("none")), **await _help(request)}
        )
    key = address(text, as_typed, query)
    composed = await page_data.find_search(request, key)
    return await _search(request, text, query, key, as_typed=as_typed) if composed is None else composed


async def _search(
    request: PageRequest, text: str, query: ShopQuery, key: str, *, as_typed: bool
) -> LoaderResult[SearchProps]:
    result = await request.db.read(search_search.search, text, query, request.at, as_typed=as_typed)
    if query.page > _pages(result):
        return await not_found(request)
    results = _props(request, text, query, result, as_typed=as_typed)
    props: SearchProps = {**results, **(NO_HELP if result.everything else await _help(request))}
    # Filters, sorts and further pages continue the same search, which is logged once.
    is_plain = not query.active_facets and query.sort == RELEVANCE and query.page == 1
    is_first = is_plain and not as_typed
    headers = {RESULTS: f"{result.answer} {result.everything}"} if is_first else {}
    page = _page_result(request, text, props, headers)
    # Suggestions change without the catalogue.
    has_help = not result.everything
    source = page_data.Source(result.version, (result.changes_at,))
    return page if has_help else page_data.compose_search(request, key, page, source)


def _text(request: PageRequest) -> str:
    return tokenizer.clean(request.query.get("q", "")[:MAX_QUERY_LENGTH])


def _query(request: PageRequest) -> ShopQuery:
    query = shop.parse(request)
    return query if request.query.get("sort") in SORTS else replace(query, sort=RELEVANCE)


def address(text: str, as_typed: bool, query: ShopQuery) -> str:
    """The canonical address of a search: parameters in fixed order, without page 1 and the default sort."""
    pairs = [("q", text), *([("exact", "1")] if as_typed else [])]
    pairs += [(facet, value) for facet in FACETS for value in query.selected(facet)]
    if query.sort not in (RELEVANCE, ""):
        pairs.append(("sort", query.sort))
    if query.page > 1:
        pairs.append(("page", str(query.page)))
    return f"{PATH}?{urlencode(pairs)}"


def _pages(result: SearchResult) -> int:
    return max(1, -(-result.total // PAGE_SIZE))


def _props(
    request: PageRequest, text: str, query: ShopQuery, result: SearchResult, *, as_typed: bool = False
) -> ResultProps:
    counts = result.counts or {facet: {} for facet in FACETS}
    to = partial(address, text, as_typed)
    return {
        "query": text,
        "answer": result.answer if text else "empty",
        "total": result.total,
        "isTruncated": result.is_truncated,
        "page": query.page,
        "pages": _pages(result),
        "cards": cards(result.rows, request.site, request.at),
        **list_controls(request.site, replace(query, page=1), counts, to, SORT_NAMES),
        "pagination": shop.pagination(to(replace(query, page=1)), query.page, _pages(result)),
        "normalisedQuery": result.normalised_query,
        "unknown": list(result.unknown),
        "exactHref": address(text, True, ShopQuery(sort=RELEVANCE)) if result.answer == "corrected" else None,
        "didYouMean": _link(result.did_you_mean) if result.did_you_mean else None,
    }


def _link(text: str) -> SearchLink:
    return {"text": text, "href": address(text, False, ShopQuery(sort=RELEVANCE))}


async def _help(request: PageRequest) -> SearchHelpProps:
    popular, rows = await request.db.read(_popular, request.scope, request.at)
    return {"popular": [_link(text) for text in popular], "courses": cards(rows, request.site, request.at)}


def _popular(session: Session, scope: CatalogueScope | None, at: datetime) -> tuple[list[str], list[CardRow]]:
    """Popular queries and courses; no queries for restricted visitors, as they may name courses outside the scope."""
    _, rows = catalogue_listing.card_page(session, ShopQuery(kind=("course",), scope=scope), at)
    return [] if scope else query_log.popular(session, POPULAR_SHOWN), list(rows)[:COURSES_SHOWN]


def _page_result(
    request: PageRequest, text: str, props: SearchProps, headers: dict[str, str] | None = None
) -> PageResult:
    return PageResult("search", _head(request, text, props), props, headers=headers or {})


def _head(request: PageRequest, text: str, props: SearchProps) -> Head:
    title = f"Search: {text}" if text else "Search"
    number = f", page {props['page']}" if props["page"] > 1 else ""
    return Head(
        title=head_texts.title(request.settings, title + number),
        description=f"Search the courses, books and exam vouchers of {isolated(request.settings.site_name)}.",
        # Search engines are to index the results, not the pages that list them.
        robots="noindex, follow",
    )
