"""Sessions: the visits of one SessionID on one local day, cut where the next one comes too late."""

from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter

from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.visit_context import CRAWLER

Session = list[DayRow]


def by_session(rows: Iterable[DayRow]) -> tuple[dict[str, Session], list[DayRow]]:
    """The visits of each SessionID in the order of time, and those without a session: crawlers, and people who send a
    privacy signal."""
    grouped: defaultdict[str, Session] = defaultdict(list)
    alone = []
    for row in rows:
        if row.session_id and row.context.visitor_class != CRAWLER:
            grouped[row.session_id].append(row)
        else:
            alone.append(row)
    for visits in grouped.values():
        visits.sort(key=_time)
    return grouped, alone


_time = attrgetter("at", "event_id")


def cut(visits: Session, idle: int) -> list[Session]:
    """`idle` in microseconds: a visit that comes exactly so long after the one before still belongs to its session."""
    if visits[-1].at - visits[0].at <= idle:
        return [visits]
    found, start = [], 0
    for place in range(1, len(visits)):
        if visits[place].at - visits[place - 1].at > idle:
            found.append(visits[start:place])
            start = place
    return [*found, visits[start:]]
