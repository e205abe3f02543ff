"""What the files of a day are made from: a row for each session, and one for each page that sessions opened. Nothing in
them is of one person: no id of a session, of a visit or of a learner."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

from domain.visits.days.channels import VisitSource
from domain.visits.days.figures import OTHER
from domain.visits.days.session_rows import Places, SessionKeys, SessionRow
from domain.visits.days.traffic_class import TrafficClass
from domain.visits.stored_days.file_list import WrittenFile

# Dimensions of sessions that both files may have, in the order of SessionGroup but for the traffic class.
GROUP_DIMENSIONS = (
    *("channel", "source", "campaign", "referrer", "engine", "assistant", "coupon", "special", "student", "partner"),
    *("device", "agent"),
)
# Bits of a page of a session: its first of this page and path, of this path, of this page, of this product.
PAIR, PATH, PAGE, PRODUCT = 1, 2, 4, 8
_FIRST = PAIR | PATH | PAGE | PRODUCT


class PageCount(NamedTuple):
    """How many sessions opened a page, and their visits of it. `group`, `place`: numbers of DayFileRows."""

    group: int
    place: int
    firsts: int
    sessions: int
    visits: int


@dataclass(frozen=True)
class DayFileRows:
    """`groups`: traffic class and the values of GROUP_DIMENSIONS. `sessions`: numbers in lines, in the order of
    SESSION_NUMBERS, of which the first two are places in `groups` and `landings`."""

    groups: Sequence[tuple[str, ...]]
    landings: Sequence[str]
    places: Sequence[Places]
    sessions: Sequence[str]
    pages: Sequence[PageCount]


SESSION_NUMBERS = (
    *("group", "landing", "hour", "visits", "sessions", "bounces", "timed_sessions", "seconds", "reached"),
)


class DayFileWriter(Protocol):
    """Writes the files of a day where they are read."""

    def write(self, site: int, day: date, rows: DayFileRows) -> Sequence[WrittenFile] | None:
        """None when they cannot be written, which is logged: the figures of the day are stored all the same."""


class DayFileTally:
    """Collects the rows of the files. What sessions share is written once and named by a number."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, VisitSource, tuple[str, ...], tuple[str, str]], int] = {}
        self._landings: dict[str, int] = {}
        self._places: dict[Places, int] = {}
        self._sessions: list[str] = []
        self._alone: Counter[tuple[int, int]] = Counter()
        self._pages: dict[tuple[int, int, int], list[int]] = {}

    def add_session(self, row: SessionRow) -> None:
        keys, hours, places, figures = row.keys, row.hours, row.places, row.figures
        group = self._group(row.traffic_class, keys)
        landing = self._landings.setdefault(keys.landing, len(self._landings))
        count, first = figures[0], hours[0]
        of_first = count
        if hours[-1] != first:
            for hour, visits in Counter(hours).items():
                if hour != first:
                    of_first -= visits
                    self._sessions.append(f"{group},{landing},{hour},{visits},0,0,0,0,0")
        about = f"{figures[4]},{figures[5]},{figures[6]},{sum(figures[7:])}"
        self._sessions.append(f"{group},{landing},{first},{of_first},1,{about}")
        if count == 1:
            self._add_page(group, places[0], _FIRST, 1, 1)
        else:
            self._add_pages(group, places)

    def add_alone(self, traffic_class: TrafficClass, keys: SessionKeys, hour: int, place: Places) -> None:
        """A visit without a session."""
        group = self._group(traffic_class, keys)
        self._landings.setdefault(keys.landing, len(self._landings))
        self._alone[group, hour] += 1
        self._without_session = keys.landing
        self._add_page(group, place, 0, 0, 1)

    _without_session = ""

    def _group(self, traffic_class: TrafficClass, keys: SessionKeys) -> int:
        """The landing page is counted apart: with it nearly every session would be a group of its own."""
        # `value` and the hash of the class itself are functions in Python.
        key = (traffic_class._value_, keys.source, keys.values, keys.agent)
        if (found := self._groups.get(key)) is None:
            found = self._groups[key] = len(self._groups)
        return found

    def _add_pages(self, group: int, places: Sequence[Places]) -> None:
        """A session is counted once for each page, path and product that it has a visit of."""
        counts: dict[Places, int] = {}
        for place in places:
            counts[place] = counts.get(place, 0) + 1
        if len(counts) == 1:
            self._add_page(group, places[0], _FIRST, 1, len(places))
            return
        paths, pages, products = set(), set(), set()
        pairs: set[tuple[str, str]] = set()
        for place, visits in counts.items():
            page, path, product = place
            firsts = 0
            if page not in pages:
                firsts = PAGE
                pages.add(page)
            if path not in paths:
                firsts |= PATH
                paths.add(path)
            if product not in products:
                firsts |= PRODUCT
                products.add(product)
            if (page, path) not in pairs:
                firsts |= PAIR
                pairs.add((page, path))
            self._add_page(group, place, firsts, 1, visits)

    def _add_page(self, group: int, place: Places, firsts: int, sessions: int, visits: int) -> None:
        if (number := self._places.get(place)) is None:
            number = self._places[place] = len(self._places)
        key = (group, number, firsts)
        if (entry := self._pages.get(key)) is None:
            self._pages[key] = [sessions, visits]
        else:
            entry[0] += sessions
            entry[1] += visits

    def rows(self, leading: Mapping[str, Set[str]]) -> DayFileRows:
        """Values that are not among the `leading` ones of the day are "(other)", as in its stored figures."""
        groups = [
            (name, *_folded(GROUP_DIMENSIONS, (*source, *values, *agent), leading))
            for name, source, values, agent in self._groups
        ]
        alone = [
            f"{group},{self._landings[self._without_session]},{hour},{visits},0,0,0,0,0"
            for (group, hour), visits in self._alone.items()
        ]
        landings = [_folded(("landing",), (landing,), leading)[0] for landing in self._landings]
        # Places are those of the most visited already.
        pages = [PageCount(*key, *counts) for key, counts in self._pages.items()]
        return DayFileRows(groups, landings, list(self._places), [*self._sessions, *alone], pages)


def _folded(names: Sequence[str], values: Sequence[str], leading: Mapping[str, Set[str]]) -> list[str]:
    return [value if value in leading[name] else OTHER for name, value in zip(names, values, strict=True)]
