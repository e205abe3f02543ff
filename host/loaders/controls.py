"""Controls of a list: facets, active filters and sorts, each a plain link to the list that it leads to."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from typing_extensions import TypedDict

from domain.catalogue.listing import DURATION_BANDS, FACETS, KINDS, LEVELS, PRICE_BANDS, SORTS, ShopQuery
from host.loaders.labels import FACET_LABELS, SORT_LABELS, label
from host.site_state import SiteState, is_indexable_category
from host.urls import address

Address = Callable[[ShopQuery], str]


class FacetOption(TypedDict):
    value: str
    label: str
    count: int
    selected: bool
    href: str
    nofollow: bool


class Facet(TypedDict):
    name: str
    label: str
    options: list[FacetOption]


class ActiveFilter(TypedDict):
    """An active filter, with the address of the list without it."""

    label: str
    href: str


class SortOption(TypedDict):
    value: str
    label: str
    selected: bool
    href: str


class ListControls(TypedDict):
    facets: list[Facet]
    active: list[ActiveFilter]
    clearHref: str
    sort: list[SortOption]


def is_indexable_list(site: SiteState, query: ShopQuery) -> bool:
    """Whether search engines may index a list: the whole catalogue, or one category with enough in it; every page."""
    if query.sort != SORTS[0] or query.active_facets not in ((), ("category",)):
        return False
    if not query.category:
        return True
    category = site.by_slug.get(query.category[0]) if len(query.category) == 1 else None
    return category is not None and is_indexable_category(category)


def list_controls(
    site: SiteState,
    query: ShopQuery,
    counts: dict[str, dict[str, int]],
    to: Address = address,
    sorts: Mapping[str, str] = SORT_LABELS,
) -> ListControls:
    """The controls of a list, the same on each of its pages: they lead to first pages.

    `to` gives the address of a query; `sorts` are the orders with their labels, the default first.
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


def _facet(site: SiteState, query: ShopQuery, name: str, counts: dict[str, int], to: Address) -> Facet:
    chosen = query.selected(name)
    options: list[FacetOption] = []
    for value in _values(site, name, counts):
        count = counts.get(value, 0)
        if not count and value not in chosen:
            continue
        rest = tuple(sorted(set(chosen) ^ {value}))
        target = replace(query.with_selected(name, rest), page=1)
        options.append(
            {
                "value": value,
                "label": label(site, name, value),
                "count": count,
                "selected": value in chosen,
                "href": to(target),
                "nofollow": to is not address or not is_indexable_list(site, target),
            }
        )
    return {"name": name, "label": FACET_LABELS[name], "options": options}


def _values(site: SiteState, name: str, counts: dict[str, int]) -> list[str]:
    fixed: dict[str, list[str]] = {
        "category": list(site.by_slug),
        "level": list(LEVELS),
        "price": list(PRICE_BANDS),
        "duration": list(DURATION_BANDS),
        "kind": list(KINDS),
    }
    return fixed.get(name) or sorted(counts, key=lambda value: (-counts[value], value))


def _active(site: SiteState, query: ShopQuery, to: Address) -> list[ActiveFilter]:
    filters: list[ActiveFilter] = []
    for name in FACETS:
        for value in query.selected(name):
            rest = tuple(selected for selected in query.selected(name) if selected != value)
            target = replace(query.with_selected(name, rest), page=1)
            filters.append({"label": label(site, name, value), "href": to(target)})
    return filters
