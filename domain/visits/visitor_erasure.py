"""Takes a learner out of the rows that days have of their visitors. Their digests follow, so days stay proved."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select, union, update
from sqlalchemy.orm import Session

from domain.tables import Learner, LearnerDay, SessionLearner, Touchpoint, VisitRollup
from domain.visits import touchpoints
from domain.visits.erased import ERASED, EVER
from domain.visits.stored_days import visitor_rows
from domain.visits.stored_days.day_rows import change_digest, erased_at, is_day, lock_rollups, locked_rollup
from domain.visits.stored_days.digests import VisitorRow, without_figures
from domain.visits.stored_days.visitor_rows import VisitorTable

_UNSYNCHRONISED = {"synchronize_session": False}
# Learners in one transaction, of those whose visits were stored late.
LATE_LEARNERS = 10


def erase(session: Session, learner_id: int, at: datetime, until: datetime = EVER) -> None:
    """Touchpoints until then stay, of nobody's session; who was there is deleted. All days are locked before, and are
    read as they are now."""
    own = touchpoints.of_learners(session, {learner_id}, for_update=True)
    rows = [(touchpoint.day, touchpoint.row) for touchpoint in own if touchpoint.at <= until]
    _replace(session, Touchpoint, rows, lambda row: row._replace(session_id=""), at)
    theirs = SessionLearner.learner_id == learner_id
    proofs = _locked_rows(session, SessionLearner, theirs, SessionLearner.visited_at <= until)
    _replace(session, SessionLearner, proofs, None, at)
    left = set(session.scalars(select(SessionLearner.day).where(theirs)))
    days = _locked_rows(session, LearnerDay, LearnerDay.learner_id == learner_id, LearnerDay.day.not_in(left))
    _replace(session, LearnerDay, days, None, at)


def erase_number(session: Session, student_number: str, at: datetime) -> None:
    """The student number of a learner, in touchpoints of whoever followed the links."""
    rows = _locked_rows(session, Touchpoint, Touchpoint.student == student_number)
    _replace(session, Touchpoint, rows, lambda row: row._replace(student=ERASED), at)


def erase_late(session: Session, at: datetime) -> int:
    """At most LATE_LEARNERS who were erased, and whom a day has counted since, from visits that were stored in that
    moment; their number."""
    is_late = (Learner.issuer == "", SessionLearner.visited_at <= Learner.visits_erased_at)
    columns = (Learner.id, Learner.issuer, Learner.visits_erased_at)
    of_session = select(*columns).join(SessionLearner, SessionLearner.learner_id == Learner.id)
    by_session = (of_session.where(when) for when in is_late)
    by_day = select(*columns).join(LearnerDay, LearnerDay.learner_id == Learner.id).where(Learner.issuer == "")
    found = session.execute(union(*by_session, by_day).limit(LATE_LEARNERS)).all()
    if found:
        lock_rollups(session)
    for learner_id, issuer, until in found:
        erase(session, learner_id, at, EVER if issuer == "" or until is None else until)
    return len(found)


def _locked_rows(session: Session, table: VisitorTable, *conditions: Any) -> list[tuple[date, Any]]:
    query = select(table.__table__.c.day, *visitor_rows.columns_of(table)).where(*conditions).with_for_update()
    return [(row[0], visitor_rows.row_of(table, row[1:])) for row in session.execute(query)]


def _replace(
    session: Session,
    table: VisitorTable,
    rows: Iterable[tuple[date, Any]],
    changed: Callable[[Any], Any] | None,
    at: datetime,
) -> None:
    """Write what rows become, nothing without `changed`, with the digests of their days."""
    by_day: defaultdict[date, list[Any]] = defaultdict(list)
    for day, row in rows:
        by_day[day].append(row)
    for day, removed in sorted(by_day.items()):
        added: Sequence[VisitorRow] = [changed(row) for row in removed] if changed else []
        visitor_rows.remove(session, table, day, removed)
        visitor_rows.insert(session, table, day, added)
        change_digest(session, locked_rollup(session, day), [*without_figures(removed)], without_figures(added))
        marked = update(VisitRollup).where(*is_day(day)).values(erased_at=erased_at(at))
        session.execute(marked, execution_options=_UNSYNCHRONISED)
