"""/shop: one page of cards with facets, sorts and plain links, all of it in the address."""

from dataclasses import replace
from datetime import datetime
from typing import NotRequired

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import (
    DURATION_BANDS,
    FACETS,
    KINDS,
    LEVELS,
    PAGE_SIZE,
    PRICE_BANDS,
    SORTS,
    CategoryCount,
    ShopQuery,
)
from domain.money import price_scale
from domain.routes import by_id
from host.facet_counts import CountedPage
from host.images import social_card as og
from host.loaders import list_texts
from host.loaders.cards import Card, cards_by_id
from host.loaders.controls import ListControls, is_indexable_list, list_controls
from host.loaders.crumbs import CATALOGUE, HOME, Crumb
from host.loaders.errors import not_found
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect
from host.rendering.shell import INDEXED, Head
from host.seo import head_texts
from host.site_state import SiteState
from host.urls import address


class PageLink(TypedDict):
    """`href` is null for the current page and for a gap; a gap has no `number` either."""

    number: int | None
    href: str | None


class PageLinks(TypedDict):
    """`nofollow`: the list must not be indexed."""

    previous: str | None
    next: str | None
    entries: list[PageLink]
    nofollow: NotRequired[bool]


class ListProps(ListControls):
    """One page of a list with its controls."""

    total: int
    page: int
    pages: int
    cards: list[Card]
    pagination: PageLinks


class ShopProps(ListProps):
    heading: str
    intro: str


def parse(request: PageRequest) -> ShopQuery:
    """The query's filters in their fixed order and in lower case, without unknown values."""
    allowed = {
        "category": set(request.site.by_slug),
        "level": set(LEVELS),
        "price": set(PRICE_BANDS),
        "duration": set(DURATION_BANDS),
        "kind": set(KINDS),
    }
    chosen = {}
    for facet in FACETS:
        values = {value.lower() for value in request.query.getall(facet, [])}
        fits = allowed.get(facet)
        chosen[facet] = tuple(sorted(v for v in values if (v in fits if fits is not None else 0 < len(v) <= 10)))
    sort = request.query.get("sort", "").lower()
    page = _page(request.query.get("page", "1"))
    return ShopQuery(
        **chosen,
        sort=sort if sort in SORTS else SORTS[0],
        page=page,
        price_scale=price_scale(request.site.currency),
        scope=request.scope,
    )


def is_in_capitals(request: PageRequest, query: ShopQuery) -> bool:
    """Whether the address writes a known filter in capitals: it has one address, that in lower case."""
    return any(set(query.selected(facet)) - {*request.query.getall(facet, [])} for facet in FACETS)


def _page(text: str) -> int:
    """The page's number; 0, which is not found, for anything else."""
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return 0
    return int(text)


@page("shop")
async def load(request: PageRequest) -> LoaderResult[ShopProps]:
    query = parse(request)
    if query.page < 1:
        return await not_found(request)
    if is_in_capitals(request, query):
        return Redirect(address(query))
    site = request.site
    counted = site.counts.get(query.filters, request.at)
    is_brief = counted is not None and catalogue_listing.is_indexed(query)
    if counted is None:
        counted = await site.counts.read(request.db, query.filters, site.edits, request.at)
    total = counted.counts[0]
    pages = max(1, -(-total // PAGE_SIZE))
    if query.page > pages:
        return await not_found(request)
    read = request.db.read_inline if is_brief else request.db.read
    shown = await read(_cards, query, site, request.at) if total else []
    props = _props(request, query, counted, pages, shown)
    # A combination of filters without results is shown with its controls, but is no page for search engines.
    is_found = total > 0 or not query.active_facets
    return PageResult("shop", _head(request, query, total, props), props, status=200 if is_found else 404)


def _cards(session: Session, query: ShopQuery, site: SiteState, at: datetime) -> list[Card]:
    version = catalogue_listing.version(session)
    return cards_by_id(session, site, version, catalogue_listing.card_ids(session, query, at), at)


def _only_category(request: PageRequest, query: ShopQuery) -> CategoryCount | None:
    is_plain = query.sort == SORTS[0] and query.active_facets == ("category",) and len(query.category) == 1
    return request.site.by_slug.get(query.category[0]) if is_plain else None


def _canonical(query: ShopQuery) -> ShopQuery:
    """Keeps a single category and the page. A list with any other filter has the unfiltered one as its canonical."""
    category = query.category if len(query.category) == 1 else ()
    is_filtered = query.active_facets != (("category",) if category else ())
    return ShopQuery(category=category, page=1 if is_filtered else query.page)


def _head(request: PageRequest, query: ShopQuery, total: int, props: ShopProps) -> Head:
    settings = request.settings
    category = _only_category(request, query)
    is_indexable = is_indexable_list(request.site, query) and by_id()["shop"].indexable
    heading = "" if props["heading"] == list_texts.ALL else props["heading"]
    crumbs: list[Crumb] = [HOME, CATALOGUE]
    if category:
        crumbs.append({"name": category.name, "href": address(ShopQuery(category=query.category))})
    first = (query.page - 1) * PAGE_SIZE + 1
    blocks = [head_texts.breadcrumbs(settings, crumbs)]
    shared = og.of_category(settings, category) if category else og.of_page(settings, "shop", "The catalogue")
    if len(props["cards"]) >= head_texts.MIN_LIST_ITEMS:
        blocks.insert(0, head_texts.item_list(settings, props["heading"], props["cards"], first))
    return Head(
        title=head_texts.title(settings, head_texts.shop_title(category, query.page, heading)),
        description=list_texts.description(request, category, total, (query.page, props["pages"])),
        canonical=head_texts.absolute(settings, address(_canonical(query))),
        robots=INDEXED if is_indexable else "noindex, follow",
        image=settings.site_origin + shared.path,
        json_ld=tuple(blocks),
    )


def _props(request: PageRequest, query: ShopQuery, counted: CountedPage, pages: int, shown: list[Card]) -> ShopProps:
    category = _only_category(request, query)
    controls = counted.controls.get(query.sort)
    if controls is None:
        controls = counted.controls[query.sort] = list_controls(request.site, replace(query, page=1), counted.counts[1])
    links = pagination(address(replace(query, page=1)), query.page, pages)
    return {
        "heading": list_texts.heading(request, query),
        "intro": list_texts.intro(request, category, counted.counts),
        "total": counted.counts[0],
        "page": query.page,
        "pages": pages,
        "cards": shown,
        **controls,
        "pagination": links if is_indexable_list(request.site, query) else {**links, "nofollow": True},
    }


def pagination(first: str, shown: int, pages: int) -> PageLinks:
    """First, last and the neighbours of the `shown` page; gaps have no number. `first` is the address of page 1."""
    prefix = first + ("&page=" if "?" in first else "?page=")

    def href(page: int) -> str:
        return first if page == 1 else f"{prefix}{page}"

    near = {1, pages, *range(max(1, shown - 2), min(pages, shown + 2) + 1)}
    entries: list[PageLink] = []
    previous = 0
    for number in sorted(near):
        if number - previous > 1:
            entries.append({"number": None, "href": None})
        entries.append({"number": number, "href": None if number == shown else href(number)})
        previous = number
    return {
        "previous": href(shown - 1) if shown > 1 else None,
        "next": href(shown + 1) if shown < pages else None,
        "entries": entries,
    }
