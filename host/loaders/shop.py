"""/shop: one page of cards with facets, sorts and plain links, all of it in the address."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from domain import catalogue
from domain.catalogue import FACETS, SORTS, CategoryCount, ShopQuery
from domain.pages import by_id
from host import seo
from host.counts import Counts
from host.loaders import Answer, Asked, Loaded, Props
from host.loaders.cards import cards
from host.loaders.errors import not_found
from host.loaders.labels import FACET_LABELS, SORT_LABELS, label
from host.shell import Head

# A single category is a page of its own for search engines only with enough on it (SEO contract: at least three).
INDEXABLE_HITS = 3
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
    return ShopQuery(**chosen, sort=sort if sort in SORTS else SORTS[0], page=_page(asked.query.get("page", "1")))


def _page(text: str) -> int:
    """0 for what is no page: it is not found."""
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return 0
    return int(text)


def address(query: ShopQuery) -> str:
    """The one address of a query: fixed order, page 1 and the usual sort unnamed."""
    pairs = [(facet, value) for facet in FACETS for value in query.chosen(facet)]
    if query.sort != SORTS[0]:
        pairs.append(("sort", query.sort))
    if query.page > 1:
        pairs.append(("page", str(query.page)))
    return "/shop?" + urlencode(pairs) if pairs else "/shop"


async def load(asked: Asked) -> Answer:
    query = parse(asked)
    if query.page < 1:
        return await not_found(asked)
    kept = asked.site.counts
    found = kept.get(query.filters, asked.at)
    version, rows, counts = await asked.db.read(_gather, query, found, asked.site.version, asked.at)
    if found is None and version == asked.site.version:
        kept.put(query.filters, asked.at, counts)
    pages = max(1, -(-counts[0] // catalogue.PAGE_SIZE))
    if query.page > pages:
        return await not_found(asked)
    shown = cards(rows, asked.site.by_id, asked.at)
    props = _props(asked, query, counts, pages, shown)
    # A combination without a hit is a helpful page that search engines need not keep.
    is_found = counts[0] > 0 or query.filters == ShopQuery()
    return Loaded("shop", _head(asked, query, counts[0], props), props, status=200 if is_found else 404)


def _gather(
    session: Session, query: ShopQuery, known: Counts | None, version: int, at: datetime
) -> tuple[int, Any, Counts]:
    """Cards and counts of one state: known counts serve only the version they were made from."""
    found, rows = catalogue.card_page(session, query, at)
    if known is not None and found == version:
        return found, rows, known
    return found, rows, catalogue.facet_counts(session, query.filters, at)


def _only_category(asked: Asked, query: ShopQuery) -> CategoryCount | None:
    is_plain = query == ShopQuery(category=query.category, page=query.page)
    return asked.site.by_slug.get(query.category[0]) if is_plain and len(query.category) == 1 else None


def _canonical(query: ShopQuery) -> ShopQuery:
    """Only a single category and the page survive; any other filter points to the list it narrows."""
    category = query.category if len(query.category) == 1 else ()
    narrowed = query.filters != ShopQuery(category=category)
    return ShopQuery(category=category, page=1 if narrowed else query.page)


def _head(asked: Asked, query: ShopQuery, total: int, props: Props) -> Head:
    settings = asked.settings
    category = _only_category(asked, query)
    is_indexable = query == ShopQuery(page=query.page) or (category is not None and total >= INDEXABLE_HITS)
    crumbs = [{"name": "Home", "href": "/"}, {"name": "Catalogue", "href": "/shop"}]
    if category:
        crumbs.append({"name": category.name, "href": address(ShopQuery(category=query.category))})
    first = (query.page - 1) * catalogue.PAGE_SIZE + 1
    blocks = [seo.breadcrumbs(settings, crumbs)]
    if props["cards"]:
        blocks.insert(0, seo.item_list(settings, props["heading"], props["cards"], first))
    return Head(
        title=seo.title(settings, seo.shop_title(category, query.page)),
        description=_description(asked, category, total, query.page),
        canonical=seo.absolute(settings, address(_canonical(query))),
        robots="index, follow" if is_indexable and by_id()["shop"].indexable else "noindex, follow",
        image=seo.absolute(settings, props["cards"][0]["picture"]["src"]) if props["cards"] else None,
        json_ld=tuple(blocks),
    )


def _description(asked: Asked, category: CategoryCount | None, total: int, page: int) -> str:
    suffix = f" Page {page}." if page > 1 else ""
    if category:
        return f"{category.description or category.name} {total} to choose from.{suffix}"
    return f"{total} courses, books and exam vouchers from {asked.settings.site_name}.{suffix}"


def _props(asked: Asked, query: ShopQuery, counts: Counts, pages: int, shown: list[Props]) -> Props:
    category = _only_category(asked, query)
    return {
        "heading": category.name if category else "All courses and materials",
        "intro": category.description if category else asked.settings.site_tagline + ".",
        "total": counts[0],
        "page": query.page,
        "pages": pages,
        "cards": shown,
        "facets": [_facet(asked, query, name, counts[1][name]) for name in FACETS],
        "active": _active(asked, query),
        "clearHref": address(ShopQuery(sort=query.sort)),
        "sort": [
            {
                "value": sort,
                "label": SORT_LABELS[sort],
                "selected": sort == query.sort,
                "href": address(replace(query, sort=sort, page=1)),
            }
            for sort in SORTS
        ],
        "pager": _pager(query, pages),
    }


def _facet(asked: Asked, query: ShopQuery, name: str, counts: dict[str, int]) -> Props:
    chosen = query.chosen(name)
    options = []
    for value in _values(asked, name, counts):
        count = counts.get(value, 0)
        if not count and value not in chosen:
            continue
        rest = tuple(sorted(set(chosen) ^ {value}))
        target = replace(query, **{name: rest}, page=1)  # type: ignore[arg-type]
        options.append(
            {
                "value": value,
                "label": label(asked.site, name, value),
                "count": count,
                "selected": value in chosen,
                "href": address(target),
                "nofollow": target != ShopQuery(category=target.category[:1]),
            }
        )
    return {"name": name, "label": FACET_LABELS[name], "options": options}


def _values(asked: Asked, name: str, counts: dict[str, int]) -> list[str]:
    fixed: dict[str, list[str]] = {
        "category": list(asked.site.by_slug),
        "level": list(catalogue.LEVELS),
        "price": list(catalogue.PRICE_BANDS),
        "duration": list(catalogue.DURATION_BANDS),
        "kind": list(catalogue.KINDS),
    }
    return fixed.get(name) or sorted(counts, key=lambda value: (-counts[value], value))


def _active(asked: Asked, query: ShopQuery) -> list[Props]:
    made = []
    for name in FACETS:
        for value in query.chosen(name):
            rest = tuple(one for one in query.chosen(name) if one != value)
            target = replace(query, **{name: rest}, page=1)  # type: ignore[arg-type]
            made.append({"label": label(asked.site, name, value), "href": address(target)})
    return made


def _pager(query: ShopQuery, pages: int) -> Props:
    """First, last and the neighbours; gaps have no number."""
    near = {1, pages, *range(max(1, query.page - 2), min(pages, query.page + 2) + 1)}
    entries: list[Props] = []
    before = 0
    for number in sorted(near):
        if number - before > 1:
            entries.append({"number": None, "href": None})
        href = None if number == query.page else address(replace(query, page=number))
        entries.append({"number": number, "href": href})
        before = number
    return {
        "previous": address(replace(query, page=query.page - 1)) if query.page > 1 else None,
        "next": address(replace(query, page=query.page + 1)) if query.page < pages else None,
        "entries": entries,
    }
