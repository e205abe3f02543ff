"""/shop: one page of cards with facets, sorts and plain links, all of it in the address."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain import catalogue
from domain.catalogue import FACETS, SORTS, CategoryCount, ShopQuery
from domain.pages import by_id
from host import seo
from host.counts import Counted
from host.loaders import Answer, Asked, Loaded, Props, list_texts
from host.loaders.cards import cards_by_id
from host.loaders.controls import address, draw, may_be_kept
from host.loaders.errors import not_found
from host.og import facts as og
from host.shell import INDEXED, Head
from host.site import SiteState

# Values asked for within one facet; what goes beyond is nobody's click.
MOST_VALUES = 20


def parse(asked: Asked) -> ShopQuery:
    """The query's filters in their fixed order; what is unknown is left out."""
    known = {
        "category": set(asked.site.by_slug),
        "level": set(catalogue.LEVELS),
        "price": set(catalogue.PRICE_BANDS),
        "duration": set(catalogue.DURATION_BANDS),
        "kind": set(catalogue.KINDS),
    }
    chosen = {}
    for facet in FACETS:
        values = dict.fromkeys(asked.query.getall(facet, [])[:MOST_VALUES])
        fits = known.get(facet)
        chosen[facet] = tuple(sorted(v for v in values if (v in fits if fits is not None else 0 < len(v) <= 10)))
    sort = asked.query.get("sort", "")
    page = _page(asked.query.get("page", "1"))
    return ShopQuery(**chosen, sort=sort if sort in SORTS else SORTS[0], page=page, only=asked.only)


def _page(text: str) -> int:
    """0 for what is no page: it is not found."""
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return 0
    return int(text)


async def load(asked: Asked) -> Answer:
    query = parse(asked)
    if query.page < 1:
        return await not_found(asked)
    site = asked.site
    known = site.counts.get(query.filters, asked.at)
    look = asked.db.glance if known and catalogue.is_indexed(query) else asked.db.read
    version, shown, counted = await look(_gather, query, known, site, asked.at)
    if counted is not known and version == site.version:
        site.counts.put(query.filters, counted)
    total = counted.counts[0]
    pages = max(1, -(-total // catalogue.PAGE_SIZE))
    if query.page > pages:
        return await not_found(asked)
    props = _props(asked, query, counted, pages, shown)
    # A combination without a hit is a helpful page that search engines need not keep.
    is_found = total > 0 or not query.narrowing
    return Loaded("shop", _head(asked, query, total, props), props, status=200 if is_found else 404)


def _gather(
    session: Session, query: ShopQuery, known: Counted | None, site: SiteState, at: datetime
) -> tuple[int, list[Props], Counted]:
    """Cards and counts of one state: known counts serve only the version they were made from."""
    version = catalogue.version(session)
    shown = cards_by_id(session, site, version, catalogue.card_ids(session, query, at), at)
    if known is not None and version == site.version:
        return version, shown, known
    return version, shown, Counted(catalogue.facet_counts(session, query.filters, at), at)


def _only_category(asked: Asked, query: ShopQuery) -> CategoryCount | None:
    is_plain = query.sort == SORTS[0] and query.narrowing == ("category",) and len(query.category) == 1
    return asked.site.by_slug.get(query.category[0]) if is_plain else None


def _canonical(query: ShopQuery) -> ShopQuery:
    """Only a single category and the page survive; any other filter points to the list it narrows."""
    category = query.category if len(query.category) == 1 else ()
    is_narrowed = query.narrowing != (("category",) if category else ())
    return ShopQuery(category=category, page=1 if is_narrowed else query.page)


def _head(asked: Asked, query: ShopQuery, total: int, props: Props) -> Head:
    settings = asked.settings
    category = _only_category(asked, query)
    is_indexable = may_be_kept(asked.site, query) and by_id()["shop"].indexable
    crumbs = [{"name": "Home", "href": "/"}, {"name": "Catalogue", "href": "/shop"}]
    if category:
        crumbs.append({"name": category.name, "href": address(ShopQuery(category=query.category))})
    first = (query.page - 1) * catalogue.PAGE_SIZE + 1
    blocks = [seo.breadcrumbs(settings, crumbs)]
    shared = og.of_category(settings, category) if category else og.of_page(settings, "shop", "The catalogue")
    if len(props["cards"]) >= seo.LIST_LEAST:
        blocks.insert(0, seo.item_list(settings, props["heading"], props["cards"], first))
    return Head(
        title=seo.title(settings, seo.shop_title(category, query.page)),
        description=list_texts.description(asked, category, total, (query.page, props["pages"])),
        canonical=seo.absolute(settings, address(_canonical(query))),
        robots=INDEXED if is_indexable else "noindex, follow",
        image=settings.site_origin + shared.path,
        json_ld=tuple(blocks),
    )


def _props(asked: Asked, query: ShopQuery, counted: Counted, pages: int, shown: list[Props]) -> Props:
    category = _only_category(asked, query)
    controls = counted.controls.get(query.sort)
    if controls is None:
        controls = counted.controls[query.sort] = draw(asked.site, replace(query, page=1), counted.counts[1])
    return {
        "heading": category.name if category else "All courses and materials",
        "intro": list_texts.intro(asked, category, counted.counts),
        "total": counted.counts[0],
        "page": query.page,
        "pages": pages,
        "cards": shown,
        **controls,
        "pager": pager(address(replace(query, page=1)), query.page, pages) | _led(asked, query),
    }


def _led(asked: Asked, query: ShopQuery) -> Props:
    """Search engines are not led through the pages of a list they may not keep."""
    return {} if may_be_kept(asked.site, query) else {"nofollow": True}


def pager(first: str, shown: int, pages: int) -> Props:
    """First, last and the neighbours of the page that is `shown`; gaps have no number. `first` is page 1's address."""
    following = first + ("&page=" if "?" in first else "?page=")

    def href(page: int) -> str:
        return first if page == 1 else f"{following}{page}"

    near = {1, pages, *range(max(1, shown - 2), min(pages, shown + 2) + 1)}
    entries: list[Props] = []
    before = 0
    for number in sorted(near):
        if number - before > 1:
            entries.append({"number": None, "href": None})
        entries.append({"number": number, "href": None if number == shown else href(number)})
        before = number
    return {
        "previous": href(shown - 1) if shown > 1 else None,
        "next": href(shown + 1) if shown < pages else None,
        "entries": entries,
    }
