"""Figures of a day by dimension, audience and value, and of its hours."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, TypeVar

from domain.visits.days.channels import VisitSource
from domain.visits.days.session_rows import Figures, Places, SessionKeys, SessionRow
from domain.visits.days.traffic_class import CONFIRMED, POSSIBLE, TrafficClass, audience_of
from domain.visits.stored_days.keys import NAMES, DayKey, HourKey

VISITS = 0
OTHER = "(other)"
ALL = "(all)"
BY_VISIT = ("page", "path", "product")
Key = TypeVar("Key")
HOURLY = frozenset({"all", "channel", "campaign", "coupon", "page"})


def only_visits(count: int) -> Figures:
    return (count, *(0 for _ in NAMES[1:]))


def counted_as(traffic_class: TrafficClass) -> Figures:
    """A session: itself, and whether it is confirmed and possible."""
    return 1, int(traffic_class in CONFIRMED), int(traffic_class in POSSIBLE)


class Tally:
    """Collects sessions and visits. Those with equal values are added up at the end, in one go: adding each to every
    dimension would take most of the time of a day."""

    def __init__(self) -> None:
        self._sources: defaultdict[tuple[str, VisitSource], list[Figures]] = defaultdict(list)
        self._landings: defaultdict[tuple[str, str], list[Figures]] = defaultdict(list)
        self._values: defaultdict[tuple[str, tuple[str, ...]], list[Figures]] = defaultdict(list)
        self._agents: defaultdict[tuple[str, tuple[str, str]], list[Figures]] = defaultdict(list)
        self._hours: defaultdict[tuple[int, str, str, str, str], list[Figures]] = defaultdict(list)
        self._visits: defaultdict[str, defaultdict[tuple[int, Places], int]] = defaultdict(_counts)
        self._seen: defaultdict[tuple[str, TrafficClass], defaultdict[str, int]] = defaultdict(_counts)
        self._seen_in_hours: defaultdict[TrafficClass, defaultdict[tuple[int, str], int]] = defaultdict(_counts)
        self._areas: Counter[tuple[str, str]] = Counter()

    def add_session(self, row: SessionRow) -> None:
        traffic_class, keys, figures, hours = row.traffic_class, row.keys, row.figures, row.hours
        audience = audience_of(traffic_class)
        self.add(keys, audience, figures)
        if hours[0] == hours[-1]:
            self.add_hour(keys, audience, hours[0], figures)
        else:
            for hour, count in Counter(hours).items():
                # The session itself is in the hour of its first visit.
                of_hour = (count, *figures[1:]) if hour == hours[0] else only_visits(count)
                self.add_hour(keys, audience, hour, of_hour)
        self.add_visits(traffic_class, hours, row.places)
        self._add_seen(traffic_class, hours, row.places)

    def add(self, keys: SessionKeys, audience: str, figures: Figures) -> None:
        """A session, or a visit without one."""
        self._sources[audience, keys.source].append(figures)
        self._landings[audience, keys.landing].append(figures)
        self._values[audience, keys.values].append(figures)
        self._agents[audience, keys.agent].append(figures)

    def add_hour(self, keys: SessionKeys, audience: str, hour: int, figures: Figures) -> None:
        self._hours[hour, audience, keys.source.channel, keys.source.campaign, keys.values[0]].append(figures)

    def add_visits(self, traffic_class: TrafficClass, hours: Sequence[int], keys: Sequence[Places]) -> None:
        """The visits of one session; `hours`: when each was."""
        _count(self._visits[audience_of(traffic_class)], zip(hours, keys, strict=True))

    def _add_seen(self, traffic_class: TrafficClass, hours: Sequence[int], keys: Sequence[Places]) -> None:
        """The session once for each page, path and product that it has a visit of."""
        pages, paths, products = (set(found) for found in zip(*keys, strict=True))
        _count(self._seen["page", traffic_class], pages)
        _count(self._seen["path", traffic_class], paths)
        _count(self._seen["product", traffic_class], products)
        seen_in_hours = {(hour, key[0]) for hour, key in zip(hours, keys, strict=True)}
        _count(self._seen_in_hours[traffic_class], seen_in_hours)

    def add_area(self, area: str, audience: str) -> None:
        self._areas[area, audience] += 1

    def sums(self) -> "Sums":
        sums = Sums()
        self._add_sessions(sums)
        for (hour, audience, channel, campaign, coupon), rows in self._hours.items():
            total = _total(rows)
            for dimension, key in (("all", ALL), ("channel", channel), ("campaign", campaign), ("coupon", coupon)):
                sums.add_hour(HourKey(dimension, hour, audience, key), total)
        self._add_by_visit(sums)
        for (area, audience), count in self._areas.items():
            sums.add(DayKey("area", audience, area), only_visits(count))
        return sums

    def _add_sessions(self, sums: "Sums") -> None:
        for (audience, source), rows in self._sources.items():
            sums.add_all(VisitSource._fields, source, audience, _total(rows))
        for (audience, landing), rows in self._landings.items():
            sums.add(DayKey("landing", audience, landing), _total(rows))
        for (audience, values), rows in self._values.items():
            sums.add_all(("coupon", "special", "student", "partner"), values, audience, _total(rows))
        for (audience, agent), rows in self._agents.items():
            sums.add_all(("all", "device", "agent"), (ALL, *agent), audience, _total(rows))

    def _add_by_visit(self, sums: "Sums") -> None:
        for audience, visits in self._visits.items():
            for (hour, keys), count in visits.items():
                figures = only_visits(count)
                sums.add_all(BY_VISIT, keys, audience, figures)
                sums.add_hour(HourKey("page", hour, audience, keys[0]), figures)
        for (dimension, traffic_class), seen in self._seen.items():
            for key, count in seen.items():
                sums.add_all((dimension,), (key,), audience_of(traffic_class), _sessions(traffic_class, count))
        for traffic_class, seen_in_hours in self._seen_in_hours.items():
            for (hour, page), count in seen_in_hours.items():
                sums.add_hour(HourKey("page", hour, audience_of(traffic_class), page), _sessions(traffic_class, count))


def _counts() -> defaultdict[Any, int]:
    return defaultdict(int)


def _count(counts: dict[Key, int], keys: Iterable[Key]) -> None:
    """For a few keys at a time `Counter.update` takes three times as long."""
    for key in keys:
        counts[key] += 1


def _total(rows: Sequence[Figures]) -> Figures:
    return tuple(map(sum, zip(*rows, strict=True)))


def _sessions(traffic_class: TrafficClass, count: int) -> Figures:
    counted = tuple(count * one for one in counted_as(traffic_class))
    return (0, *counted, *(0 for _ in NAMES[1 + len(counted) :]))


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
