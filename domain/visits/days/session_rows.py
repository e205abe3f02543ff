"""A session of a day with all that its visits say: what every table and file of the day is made from."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.visits.days.channels import VisitSource
from domain.visits.days.sessions import Session
from domain.visits.days.traffic_class import TrafficClass

# One number for each of NAMES.
Figures = tuple[int, ...]
# Page, path, and product or "".
Places = tuple[str, str, str]


class SessionKeys(NamedTuple):
    """The values of the dimensions of sessions. `values`: coupon, special, student, partner; `agent`: device, agent."""

    source: VisitSource
    landing: str
    values: tuple[str, ...]
    agent: tuple[str, str]


# A page of a session: its place; bits that say of what it is the session's first; and how many visits it has.
OpenedPage = tuple[Places, int, int]
# The first of this page and path, of this path, of this page, of this product.
PAIR, PATH, PAGE, PRODUCT = 1, 2, 4, 8
_FIRST = PAIR | PATH | PAGE | PRODUCT


def opened_pages(places: Sequence[Places]) -> list[OpenedPage]:
    """Each page that a session opened, once. `places`: of its visits."""
    if len(places) == 1:
        return [(places[0], _FIRST, 1)]
    counts: dict[Places, int] = {}
    for place in places:
        counts[place] = counts.get(place, 0) + 1
    if len(counts) == 1:
        return [(places[0], _FIRST, len(places))]
    opened: list[OpenedPage] = []
    pages, paths, products = set(), set(), set()
    for place, visits in counts.items():
        page, path, product = place
        firsts = 0
        if path not in paths:
            firsts = PAIR | PATH
        # A path is of one page, but for "(other)".
        elif (page, path) not in [other[:2] for other, *_ in opened]:
            firsts = PAIR
        if page not in pages:
            firsts |= PAGE
        if product not in products:
            firsts |= PRODUCT
        pages.add(page)
        paths.add(path)
        products.add(product)
        opened.append((place, firsts, visits))
    return opened


class SessionRow(NamedTuple):
    """`earlier`: the visits of the evening before, when the session goes on over midnight. `orders`: whether each of
    its orders is paid. `figures`: with the steps that it reached. `hours`, `places`: of each visit; a place beyond the
    most visited ones of the day is "(other)". `opened`: the different places."""

    visits: Session
    earlier: Session
    traffic_class: TrafficClass
    orders: list[bool]
    keys: SessionKeys
    figures: Figures
    hours: list[int]
    places: list[Places]
    opened: list[OpenedPage]
