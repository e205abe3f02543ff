"""The last 30 minutes, from raw visits: who is on the site now."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from domain.visits.days import sessions
from domain.visits.days.paths import place_of
from domain.visits.days.served_tally import served_of
from domain.visits.days.traffic_class import audience_of, class_of
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.local_days import MICROSECONDS, SHOP, DayWindow, microseconds
from domain.visits.raw.log_rows import raw_visits
from domain.visits.served_documents import BROWSER, COUNTS

MINUTES = 30
MAX_PATHS = 10
# Hosts send the counts of a minute within this time of its end.
_ON_THEIR_WAY = timedelta(seconds=10)


@dataclass(frozen=True)
class LiveVisits:
    """Visits of people, as far as these minutes show who is one. `minutes`: visits of each, the oldest first; `paths`:
    the most opened with their visits; `without_session`: visits that are in none of the `sessions`. `served`: documents
    for browsers in the minutes whose counts have come, `seen`: how many of them our script has reported."""

    since: datetime
    visits: int
    sessions: int
    without_session: int
    minutes: list[int]
    paths: list[tuple[str, int]]
    served: int = 0
    seen: int = 0


def live_visits(session: Session, at: datetime) -> LiveVisits:
    """Pages of staff and organisations are left out. Orders are not looked at: nothing here is about money."""
    since = at.replace(second=0, microsecond=0) - timedelta(minutes=MINUTES - 1)
    read = list(raw_visits(SHOP).rows_of(session, DayWindow(since, at + timedelta(microseconds=1))))
    shown = (row for row in read if row.context.visitor_class != COUNTS and not place_of(row.url).area)
    grouped, alone = sessions.by_session(shown)
    groups = [visits for visits in grouped.values() if _are_people(visits)]
    single = [visit for visit in alone if _are_people([visit])]
    found = [*(visit for visits in groups for visit in visits), *single]
    of_visits = (len(found), len(groups), len(single), _minutes(found, since), _paths(found))
    return LiveVisits(since, *of_visits, *_served(read, at))


def _served(rows: Iterable[DayRow], at: datetime) -> tuple[int, int]:
    """Documents for browsers, and how many of them were seen, in the minutes that are over."""
    until = microseconds((at - _ON_THEIR_WAY).replace(second=0, microsecond=0))
    found = served_of(row for row in rows if row.at < until)
    return next(((row.documents, row.seen) for row in found if row.agent_class == BROWSER), (0, 0))


def _are_people(visits: list[DayRow]) -> bool:
    return audience_of(class_of(visits, len(visits), has_order=False)) == "people"


def _minutes(visits: Iterable[DayRow], since: datetime) -> list[int]:
    first = microseconds(since)
    counts = Counter((visit.at - first) // (60 * MICROSECONDS) for visit in visits)
    return [counts[minute] for minute in range(MINUTES)]


def _paths(visits: Iterable[DayRow]) -> list[tuple[str, int]]:
    counts = Counter(place_of(visit.url).path for visit in visits)
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:MAX_PATHS]
