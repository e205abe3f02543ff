"""/search: what somebody's words may mean, with the shop's facets, sorts and pages, all of it in the address."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from domain import catalogue, search
from domain.catalogue import FACETS, PAGE_SIZE, SORTS, CardRow, Narrowed, ShopQuery
from domain.search import RELEVANCE, Found
from host import seo
from host.loaders import Answer, Asked, Loaded, Props, shop
from host.loaders.cards import cards
from host.loaders.controls import draw
from host.loaders.errors import not_found
from host.loaders.labels import SORT_LABELS
from host.searches import RESULTS
from host.shell import Head

PATH = "/search"
SORT_NAMES = {RELEVANCE: "Best match", **SORT_LABELS}
POPULAR_SHOWN = 8
COURSES_SHOWN = 3


async def load(asked: Asked) -> Answer:
    text = _text(asked)
    query = _parsed(asked)
    if query.page < 1:
        return await not_found(asked)
    if not text:
        return _loaded(asked, text, _props(asked, text, query, Found("none")) | await _help(asked))
    as_typed = "exact" in asked.query
    found = await asked.db.read(search.search, text, query, asked.at, as_typed=as_typed)
    if query.page > _pages(found):
        return await not_found(asked)
    props = _props(asked, text, query, found, as_typed=as_typed)
    if not found.everything:
        props |= await _help(asked)
    # Filters, sorts and further pages are the same search gone on with.
    is_first = query == ShopQuery(sort=RELEVANCE, only=asked.only) and not as_typed
    return _loaded(asked, text, props, {RESULTS: f"{found.answer} {found.everything}"} if is_first else {})


def _text(asked: Asked) -> str:
    """What is searched for. Of several the first by the alphabet, and no letter past the 200th: as pages are kept."""
    return search.cleaned(min(asked.query.getall("q", [""]))[: search.QUERY_LETTERS])


def _parsed(asked: Asked) -> ShopQuery:
    query = shop.parse(asked)
    return query if asked.query.get("sort") in SORTS else replace(query, sort=RELEVANCE)


def address(text: str, as_typed: bool, query: ShopQuery) -> str:
    """The one address of a search: fixed order, page 1 and the usual sort unnamed."""
    pairs = [("q", text), *([("exact", "1")] if as_typed else [])]
    pairs += [(facet, value) for facet in FACETS for value in query.chosen(facet)]
    if query.sort not in (RELEVANCE, ""):
        pairs.append(("sort", query.sort))
    if query.page > 1:
        pairs.append(("page", str(query.page)))
    return f"{PATH}?{urlencode(pairs)}"


def _pages(found: Found) -> int:
    return max(1, -(-found.total // PAGE_SIZE))


def _props(asked: Asked, text: str, query: ShopQuery, found: Found, *, as_typed: bool = False) -> Props:
    """`SearchProps` of components/api/pageProps.ts."""
    counts = found.counts or {facet: {} for facet in FACETS}
    to = partial(address, text, as_typed)
    return {
        "query": text,
        "answer": found.answer if text else "empty",
        "total": found.total,
        "isCut": found.is_cut,
        "page": query.page,
        "pages": _pages(found),
        "cards": cards(found.rows, asked.site.by_id, asked.at),
        **draw(asked.site, replace(query, page=1), counts, to, SORT_NAMES),
        "pager": shop.pager(to(replace(query, page=1)), query.page, _pages(found)),
        "understood": found.understood,
        "unknown": list(found.unknown),
        "asTypedHref": address(text, True, ShopQuery(sort=RELEVANCE)) if found.answer == "corrected" else None,
        "didYouMean": _link(found.did_you_mean) if found.did_you_mean else None,
        "popular": [],
        "courses": [],
    }


def _link(text: str) -> Props:
    return {"text": text, "href": address(text, False, ShopQuery(sort=RELEVANCE))}


async def _help(asked: Asked) -> Props:
    """What to go on with when there is nothing to show."""
    popular, rows = await asked.db.read(_popular, asked.only, asked.at)
    return {"popular": [_link(one) for one in popular], "courses": cards(rows, asked.site.by_id, asked.at)}


def _popular(session: Session, only: Narrowed | None, at: datetime) -> tuple[list[str], list[CardRow]]:
    """What others look for may be what somebody restricted does not see."""
    _, rows = catalogue.card_page(session, ShopQuery(kind=("course",), only=only), at)
    return [] if only else search.popular(session, POPULAR_SHOWN), list(rows)[:COURSES_SHOWN]


def _loaded(asked: Asked, text: str, props: Props, headers: dict[str, str] | None = None) -> Loaded:
    return Loaded("search", _head(asked, text, props), props, headers=headers or {})


def _head(asked: Asked, text: str, props: dict[str, Any]) -> Head:
    title = f"Search: {text}" if text else "Search"
    number = f", page {props['page']}" if props["page"] > 1 else ""
    return Head(
        title=seo.title(asked.settings, title + number),
        description=f"Search the courses, books and exam vouchers of {asked.settings.site_name}.",
        # Search engines are to keep what is found, not the finding.
        robots="noindex, follow",
    )
