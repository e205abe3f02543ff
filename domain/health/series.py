"""What the samples of a day come to: by the half hour, over all processes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.health.samples import EVERY_S
from domain.tables import HealthSample

BUCKET = timedelta(minutes=30)
BUCKETS = 48
# Two samples may be late or lost before a process counts as gone.
FRESH = timedelta(seconds=3 * EVERY_S)
# Counted since a process began: what was added in a half hour counts. The others are as they are, and their highest
# value of a half hour counts, of disk_free the lowest.
COUNTERS = ("render_failures", "cache_hits", "cache_misses", "lessons_unshown")
LOWEST = ("disk_free",)
Values = Mapping[str, Any]


@dataclass
class SampleInterval:
    """`values`: name -> number; a name without one was in no sample."""

    since: datetime
    values: dict[str, float] = field(default_factory=dict)


def newest(session: Session, at: datetime) -> dict[str, tuple[datetime, Values]]:
    """The newest sample of each process that still takes some, with its time."""
    query = select(HealthSample).where(HealthSample.sampled_at > at - FRESH).order_by(HealthSample.sampled_at)
    return {row.process: (row.sampled_at, row.values) for row in session.scalars(query)}


def end_of(at: datetime) -> datetime:
    """The end of the half hour of a time, by the clock."""
    begun = at.astimezone(UTC).replace(minute=at.minute // 30 * 30, second=0, microsecond=0)
    return begun + BUCKET


def series(session: Session, at: datetime) -> list[SampleInterval]:
    """The half hours of the last day, the oldest first; the last one is not over."""
    first = end_of(at) - BUCKETS * BUCKET
    query = select(HealthSample.process, HealthSample.sampled_at, HealthSample.values)
    query = query.where(HealthSample.sampled_at >= first).order_by(HealthSample.sampled_at)
    rows = [(row.process, row.sampled_at, row.values) for row in session.execute(query)]
    buckets = [SampleInterval(first + number * BUCKET) for number in range(BUCKETS)]
    _put_levels(buckets, first, rows)
    _put_counters(buckets, first, rows)
    return buckets


def _put_levels(buckets: list[SampleInterval], first: datetime, rows: Iterable[tuple[str, datetime, Values]]) -> None:
    for _, at, values in rows:
        found = buckets[_place(at, first)].values
        for name, value in values.items():
            if name in COUNTERS or isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            choose = min if name in LOWEST else max
            found[name] = choose(found[name], value) if name in found else value


def _put_counters(buckets: list[SampleInterval], first: datetime, rows: Iterable[tuple[str, datetime, Values]]) -> None:
    """A counter that is lower than before belongs to a process that began anew with the same name."""
    before: dict[tuple[str, str], float] = {}
    sums: dict[int, dict[str, float]] = defaultdict(lambda: dict.fromkeys(COUNTERS, 0.0))
    for process, at, values in rows:
        added = sums[_place(at, first)]
        for name in COUNTERS:
            value = values.get(name)
            if value is None:
                continue
            known = before.get((process, name))
            added[name] += 0 if known is None else value - known if value >= known else value
            before[process, name] = value
    for place, added in sums.items():
        buckets[place].values |= added


def _place(at: datetime, first: datetime) -> int:
    return min(BUCKETS - 1, max(0, int((at - first) / BUCKET)))
