"""What narrows and orders a list: facets, active filters, sorts, each a plain link to the list it leads to."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from domain import catalogue
from domain.catalogue import FACETS, SORTS, ShopQuery
from host.loaders import Props
from host.loaders.labels import FACET_LABELS, SORT_LABELS, label
from host.site import SiteState, is_kept

Address = Callable[[ShopQuery], str]


def address(query: ShopQuery) -> str:
    """The one address of a query: fixed order, page 1 and the usual sort unnamed."""
    pairs = [(facet, value) for facet in FACETS for value in query.chosen(facet)]
    if query.sort != SORTS[0]:
        pairs.append(("sort", query.sort))
    if query.page > 1:
        pairs.append(("page", str(query.page)))
    return "/shop?" + urlencode(pairs) if pairs else "/shop"


def may_be_kept(site: SiteState, query: ShopQuery) -> bool:
    """Whether search engines may keep a list: the whole catalogue, or one category with enough in it, page by page."""
    if query.sort != SORTS[0] or query.narrowing not in ((), ("category",)):
        return False
    if not query.category:
        return True
    known = site.by_slug.get(query.category[0]) if len(query.category) == 1 else None
    return known is not None and is_kept(known)


def draw(
    site: SiteState,
    query: ShopQuery,
    counts: dict[str, dict[str, int]],
    to: Address = address,
    sorts: Mapping[str, str] = SORT_LABELS,
) -> Props:
    """The controls of a list's first page; they lead to first pages, so every page of it has the same.

    `to` says where a query of this list is; `sorts` are its orders with their labels, the usual one first.
    """
    return {
        "facets": [_facet(site, query, name, counts[name], to) for name in FACETS],
        "active": _active(site, query, to),
        "clearHref": to(ShopQuery(sort=query.sort)),
        "sort": [
            {"value": sort, "label": text, "selected": sort == query.sort, "href": to(replace(query, sort=sort))}
            for sort, text in sorts.items()
        ],
    }


def _facet(site: SiteState, query: ShopQuery, name: str, counts: dict[str, int], to: Address) -> Props:
    chosen = query.chosen(name)
    options = []
    for value in _values(site, name, counts):
        count = counts.get(value, 0)
        if not count and value not in chosen:
            continue
        rest = tuple(sorted(set(chosen) ^ {value}))
        target = replace(query, **{name: rest}, page=1)  # type: ignore[arg-type]
        options.append(
            {
                "value": value,
                "label": label(site, name, value),
                "count": count,
                "selected": value in chosen,
                "href": to(target),
                "nofollow": to is not address or not may_be_kept(site, target),
            }
        )
    return {"name": name, "label": FACET_LABELS[name], "options": options}


def _values(site: SiteState, name: str, counts: dict[str, int]) -> list[str]:
    fixed: dict[str, list[str]] = {
        "category": list(site.by_slug),
        "level": list(catalogue.LEVELS),
        "price": list(catalogue.PRICE_BANDS),
        "duration": list(catalogue.DURATION_BANDS),
        "kind": list(catalogue.KINDS),
    }
    return fixed.get(name) or sorted(counts, key=lambda value: (-counts[value], value))


def _active(site: SiteState, query: ShopQuery, to: Address) -> list[Props]:
    made = []
    for name in FACETS:
        for value in query.chosen(name):
            rest = tuple(one for one in query.chosen(name) if one != value)
            target = replace(query, **{name: rest}, page=1)  # type: ignore[arg-type]
            made.append({"label": label(site, name, value), "href": to(target)})
    return made
