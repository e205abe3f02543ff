"""Figures of a day by dimension, audience and value, and of its hours."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

from domain.visits.days.channels import VisitSource
from domain.visits.days.session_rows import PAGE, PATH, PRODUCT, Figures, Places, SessionKeys, SessionRow
from domain.visits.days.traffic_class import CONFIRMED, POSSIBLE, TrafficClass, audience_of
from domain.visits.stored_days.keys import NAMES, DayKey, HourKey

VISITS = 0
OTHER = "(other)"
ALL = "(all)"
BY_VISIT = ("page", "path", "product")
HOURLY = frozenset({"all", "channel", "campaign", "coupon", "page"})


def only_visits(count: int) -> Figures:
    return (count, *(0 for _ in NAMES[1:]))


@lru_cache(len(TrafficClass))
def counted_as(traffic_class: TrafficClass) -> Figures:
    """A session: itself, and whether it is confirmed and possible."""
    return 1, int(traffic_class in CONFIRMED), int(traffic_class in POSSIBLE)


class SessionGroup:
    """Sessions of one traffic class with the same source, attribution values and agent, and their pages. Visits without
    a session are one as well. `number`: its place among the groups of the day; `hour_key`: what its hours are of."""

    __slots__ = ("agent", "audience", "figures", "hour_key", "number", "pages", "source", "traffic_class", "values")

    def __init__(self, number: int, traffic_class: TrafficClass, keys: SessionKeys) -> None:
        self.number, self.traffic_class, self.audience = number, traffic_class, audience_of(traffic_class)
        self.source, self.values, self.agent = keys.source, keys.values, keys.agent
        self.hour_key: _HourKey = (self.audience, keys.source.channel, keys.source.campaign, keys.values[0])
        self.figures: list[Figures] = []
        # Place and which of it is the first in its session -> sessions, visits.
        self.pages: dict[tuple[Places, int], list[int]] = {}

    def add_page(self, place: Places, firsts: int, sessions: int, visits: int) -> None:
        if (counts := self.pages.get((place, firsts))) is None:
            self.pages[place, firsts] = [sessions, visits]
        else:
            counts[0] += sessions
            counts[1] += visits


# Audience, channel, campaign, coupon.
_HourKey = tuple[str, str, str, str]


class Tally:
    """Collects sessions and visits. Those with equal values are added up at the end, in one go: adding each to every
    dimension would take most of the time of a day."""

    def __init__(self) -> None:
        # The landing page is counted apart: with it nearly every session would be a group of its own.
        self._groups: dict[tuple[TrafficClass, VisitSource, tuple[str, ...], tuple[str, str]], SessionGroup] = {}
        self._landings: defaultdict[tuple[str, str], list[Figures]] = defaultdict(list)
        self._hours: defaultdict[tuple[int, _HourKey], list[Figures]] = defaultdict(list)
        # Traffic class and hour -> page -> sessions, visits.
        self._pages: defaultdict[tuple[TrafficClass, int], defaultdict[str, list[int]]] = defaultdict(_counts_by_page)
        self._areas: Counter[tuple[str, str]] = Counter()

    @property
    def groups(self) -> Iterable[SessionGroup]:
        """In the order of their numbers."""
        return self._groups.values()

    def add_session(self, row: SessionRow) -> int:
        """The number of its group."""
        keys, figures, hours = row.keys, row.figures, row.hours
        group = self._group(row.traffic_class, keys)
        group.figures.append(figures)
        self._landings[group.audience, keys.landing].append(figures)
        for place, firsts, visits in row.opened:
            group.add_page(place, firsts, 1, visits)
        if hours[0] == hours[-1]:
            self._hours[hours[0], group.hour_key].append(figures)
            counts_of = self._pages[row.traffic_class, hours[0]]
            for (page, *_), firsts, visits in row.opened:
                counts = counts_of[page]
                counts[0] += firsts & PAGE > 0
                counts[1] += visits
        else:
            self._add_hours(row, group)
        return group.number

    def _add_hours(self, row: SessionRow, group: SessionGroup) -> None:
        """Add a session over several hours to the figures of each."""
        figures, hours = row.figures, row.hours
        for hour, count in Counter(hours).items():
            # The session itself is in the hour of its first visit.
            of_hour = (count, *figures[1:]) if hour == hours[0] else only_visits(count)
            self._hours[hour, group.hour_key].append(of_hour)
        for (hour, page), visits in Counter(zip(hours, [place[0] for place in row.places], strict=True)).items():
            counts = self._pages[row.traffic_class, hour][page]
            counts[0] += 1
            counts[1] += visits

    def add_alone(self, traffic_class: TrafficClass, keys: SessionKeys, hour: int, place: Places) -> int:
        """A visit without a session; the number of its group."""
        group, figures = self._group(traffic_class, keys), only_visits(1)
        group.figures.append(figures)
        self._landings[group.audience, keys.landing].append(figures)
        self._hours[hour, group.hour_key].append(figures)
        group.add_page(place, 0, 0, 1)
        self._pages[traffic_class, hour][place[0]][1] += 1
        return group.number

    def _group(self, traffic_class: TrafficClass, keys: SessionKeys) -> SessionGroup:
        key = (traffic_class, keys.source, keys.values, keys.agent)
        if (found := self._groups.get(key)) is None:
            found = self._groups[key] = SessionGroup(len(self._groups), traffic_class, keys)
        return found

    def add_area(self, area: str, audience: str) -> None:
        self._areas[area, audience] += 1

    def sums(self) -> "Sums":
        sums = Sums()
        self._add_sessions(sums)
        for (hour, (audience, channel, campaign, coupon)), rows in self._hours.items():
            total = _total(rows)
            for dimension, key in (("all", ALL), ("channel", channel), ("campaign", campaign), ("coupon", coupon)):
                sums.add_hour(HourKey(dimension, hour, audience, key), total)
        self._add_pages(sums)
        for (area, audience), count in self._areas.items():
            sums.add(DayKey("area", audience, area), only_visits(count))
        return sums

    def _add_sessions(self, sums: "Sums") -> None:
        sources: defaultdict[tuple[str, VisitSource], list[Figures]] = defaultdict(list)
        values: defaultdict[tuple[str, tuple[str, ...]], list[Figures]] = defaultdict(list)
        agents: defaultdict[tuple[str, tuple[str, str]], list[Figures]] = defaultdict(list)
        for group in self.groups:
            total = _total(group.figures)
            sources[group.audience, group.source].append(total)
            values[group.audience, group.values].append(total)
            agents[group.audience, group.agent].append(total)
        for (audience, source), rows in sources.items():
            sums.add_all(VisitSource._fields, source, audience, _total(rows))
        for (audience, landing), rows in self._landings.items():
            sums.add(DayKey("landing", audience, landing), _total(rows))
        for (audience, keys), rows in values.items():
            sums.add_all(("coupon", "special", "student", "partner"), keys, audience, _total(rows))
        for (audience, agent), rows in agents.items():
            sums.add_all(("all", "device", "agent"), (ALL, *agent), audience, _total(rows))

    def _add_pages(self, sums: "Sums") -> None:
        """A session counts once for each page, path and product that it has a visit of."""
        by_class: defaultdict[TrafficClass, defaultdict[tuple[Places, int], list[int]]]
        by_class = defaultdict(_counts_by_page)
        for group in self.groups:
            of_class = by_class[group.traffic_class]
            for opened, (sessions, visits) in group.pages.items():
                counts = of_class[opened]
                counts[0] += sessions
                counts[1] += visits
        for traffic_class, of_class in by_class.items():
            audience = audience_of(traffic_class)
            for (place, firsts), (sessions, visits) in of_class.items():
                for dimension, key, bit in zip(BY_VISIT, place, (PAGE, PATH, PRODUCT), strict=True):
                    figures = _opened(traffic_class, sessions if firsts & bit else 0, visits)
                    sums.add_all((dimension,), (key,), audience, figures)
        for (traffic_class, hour), of_hour in self._pages.items():
            for page, (sessions, visits) in of_hour.items():
                key_of_hour = HourKey("page", hour, audience_of(traffic_class), page)
                sums.add_hour(key_of_hour, _opened(traffic_class, sessions, visits))


def _two_zeros() -> list[int]:
    return [0, 0]


def _counts_by_page() -> defaultdict[Any, list[int]]:
    return defaultdict(_two_zeros)


def _total(rows: Sequence[Figures]) -> Figures:
    return tuple(map(sum, zip(*rows, strict=True)))


def _opened(traffic_class: TrafficClass, sessions: int, visits: int) -> Figures:
    """The figures of a page: its visits, and the sessions that opened it."""
    counted = tuple(sessions * one for one in counted_as(traffic_class))
    return (visits, *counted, *(0 for _ in NAMES[1 + len(counted) :]))


class Sums:
    """Figures of each value of each dimension."""

    def __init__(self) -> None:
        self._days: defaultdict[DayKey, list[int]] = defaultdict(_zeros)
        self._hours: defaultdict[HourKey, list[int]] = defaultdict(_zeros)

    def add(self, key: DayKey, figures: Figures) -> None:
        _add_up(self._days[key], figures)

    def add_all(self, dimensions: Iterable[str], keys: Iterable[str], audience: str, figures: Figures) -> None:
        """A dimension of which the visit or session has no value, "", gets nothing."""
        for dimension, key in zip(dimensions, keys, strict=True):
            if key:
                self.add(DayKey(dimension, audience, key), figures)

    def add_hour(self, key: HourKey, figures: Figures) -> None:
        _add_up(self._hours[key], figures)

    def leading_keys(self, keys: int) -> dict[str, Set[str]]:
        """Dimension -> its most visited values; of those with equal visits the first in the alphabet."""
        visits: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        for (dimension, _, key), row in self._days.items():
            visits[dimension][key] += row[VISITS]
        return {dimension: most_visited(found, keys) for dimension, found in visits.items()}

    def day_rows(self, leading: Mapping[str, Set[str]]) -> list[tuple[DayKey, list[int]]]:
        """In the order of their keys; values that are not among `leading` are one row."""
        folded: defaultdict[DayKey, list[int]] = defaultdict(_zeros)
        for (dimension, audience, key), row in self._days.items():
            _add_up(folded[DayKey(dimension, audience, key if key in leading[dimension] else OTHER)], row)
        return sorted(folded.items())

    def hour_rows(self, leading: Mapping[str, Set[str]]) -> list[tuple[HourKey, list[int]]]:
        folded: defaultdict[HourKey, list[int]] = defaultdict(_zeros)
        for (dimension, hour, audience, key), row in self._hours.items():
            _add_up(folded[HourKey(dimension, hour, audience, key if key in leading[dimension] else OTHER)], row)
        return sorted(folded.items())


def _zeros() -> list[int]:
    return [0] * len(NAMES)


def _add_up(sums: list[int], row: Iterable[int]) -> None:
    for place, amount in enumerate(row):
        sums[place] += amount


def most_visited(visits: Mapping[str, int], keys: int) -> Set[str]:
    if len(visits) <= keys:
        return visits.keys()
    return frozenset(sorted(visits, key=lambda key: (-visits[key], key))[:keys])
