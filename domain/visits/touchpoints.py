"""Touchpoints of learners, also those from before they signed in, as their days have counted them."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import LearnerDay, SessionLearner, Touchpoint
from domain.visits.raw.local_days import time_of
from domain.visits.stored_days import visitor_rows
from domain.visits.stored_days.keys import SessionLearnerRow, TouchpointRow

_CHUNK = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class LearnerTouchpoint(NamedTuple):
    learner_id: int
    day: date
    row: TouchpointRow

    @property
    def at(self) -> datetime:
        return time_of(self.row.visited_at)


def learner_days(learner_id: int) -> Select[*tuple[Any, ...]]:
    columns = (LearnerDay.day, LearnerDay.is_first.label("isFirst"))
    return select(*columns).where(LearnerDay.learner_id == learner_id).order_by(LearnerDay.day)


# For the export of an account.
EXPORTED: Mapping[str, Callable[[int], Select[*tuple[Any, ...]]]] = {"visitDays": learner_days}


def of_learners(
    session: Session, learner_ids: Collection[int], since: datetime = _EPOCH, *, for_update: bool = False
) -> list[LearnerTouchpoint]:
    """Oldest first. A touchpoint is of whoever is proved by the next visit of its SessionID that any day has in
    `session_learners`, so days may be computed in any order, and none of them depends on another."""
    names = _names_of(session, learner_ids, for_update)
    proofs: defaultdict[str, list[SessionLearnerRow]] = defaultdict(list)
    for _, row in _of_sessions(session, SessionLearner, names, _EPOCH, for_update):
        proofs[row.session_id].append(row)
    places = {name: [(row.visited_at, row.event_id) for row in rows] for name, rows in proofs.items()}
    found = []
    for day, row in _of_sessions(session, Touchpoint, names, since, for_update):
        after = bisect_left(places[row.session_id], (row.visited_at, row.event_id))
        owner = next((proof.learner_id for proof in proofs[row.session_id][after : after + 1]), None)
        if owner is not None and owner in learner_ids:
            found.append(LearnerTouchpoint(owner, day, row))
    return sorted(found, key=lambda touchpoint: visitor_rows.in_order(touchpoint.row))


def _names_of(session: Session, learner_ids: Collection[int], for_update: bool) -> set[str]:
    names: set[str] = set()
    for part in parts_of(sorted(learner_ids), _CHUNK):
        query = select(SessionLearner.session_id).where(SessionLearner.learner_id.in_(part))
        names |= set(session.scalars(query.with_for_update() if for_update else query))
    return names


def _of_sessions(
    session: Session,
    table: type[SessionLearner | Touchpoint],
    names: Collection[str],
    since: datetime,
    for_update: bool,
) -> Iterable[tuple[date, Any]]:
    """Days and rows, in the order of time."""
    columns = (table.__table__.c.day, *visitor_rows.columns_of(table))
    found: list[tuple[date, Any]] = []
    for part in parts_of(sorted(names), _CHUNK):
        query = select(*columns).where(table.session_id.in_(part), table.visited_at >= since)
        rows = session.execute(query.with_for_update() if for_update else query)
        found += [(row[0], visitor_rows.row_of(table, row[1:])) for row in rows]
    # MariaDB takes a name for another that has a space more.
    known = ((day, row) for day, row in found if row.session_id in names)
    return sorted(known, key=lambda item: visitor_rows.in_order(item[1]))
