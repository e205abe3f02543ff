"""Takes what identifies a learner from visits: at the end of the account, or by the command `visits erase`."""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import select, union, update
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.parts import parts_of
from domain.errors import NotFound
from domain.tables import Learner, Visit, VisitRollup
from domain.visits import dead_letters, link_counts, link_numbers, visitor_erasure
from domain.visits.erased import ANONYMOUS, LEARNER_FIELDS
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.stored_days.day_rows import erased_at, lock_rollups

# Ids or days in one statement.
_CHUNK = 1000
_UNSYNCHRONISED = {"synchronize_session": False}


def erase_learner(session: Session, learner_id: int, at: datetime) -> None:
    """For `Database.write_as`: the account stays, and visits that are still on their way are stored without it. Raises
    NotFound."""
    learner = session.get(Learner, learner_id, with_for_update=True, populate_existing=True)
    if learner is None:
        raise NotFound(f"There is no learner {learner_id}: `visits` shows the number in its column Learner.")
    learner.visits_erased_at = at
    erase_traces(session, learner, at)
    recording.record(session, "learner.erase_visits", Subject("learner", learner_id))


def erase_traces(session: Session, learner: Learner, at: datetime) -> None:
    """Visits and dead letters of the learner, and the student number in those that its links brought: of the many
    visits among these `link_numbers.erase_some` is left to be called. Days count what they counted."""
    # Visits and rows of days are locked after them, as by whoever deletes visits or stores a day.
    lock_rollups(session)
    anonymise_visits(session, learner.id, at)
    dead_letters.make_anonymous(session, learner.id)
    dead_letters.erase_number(session, learner.student_number)
    visitor_erasure.erase(session, learner.id, at)
    visitor_erasure.erase_number(session, learner.student_number, at)
    link_counts.erase(session, learner.student_number, at)
    link_numbers.note(session, learner.student_number, at)


def anonymise_visits(session: Session, learner_id: int, at: datetime) -> None:
    """Make the stored visits of a learner anonymous."""
    columns = (getattr(Visit, name) for name in LEARNER_FIELDS)
    chosen = union(*(select(Visit.id).where(column == learner_id) for column in columns))
    anonymise_rows(session, list(session.scalars(chosen)), at)


def anonymise_rows(session: Session, ids: Sequence[int], at: datetime) -> None:
    """By their ids, because by an index of learners MariaDB would lock the places of their neighbours' new visits.
    Their days keep the figures that count the learner (domain/visits/days/due.py)."""
    for days in parts_of(sorted(_days_of(session, ids)), _CHUNK):
        is_day = (VisitRollup.site == SHOP, VisitRollup.day.in_(days))
        marked = update(VisitRollup).where(*is_day).values(erased_at=erased_at(at))
        session.execute(marked, execution_options=_UNSYNCHRONISED)
    for part in parts_of(ids, _CHUNK):
        changed = update(Visit).where(Visit.id.in_(part)).values(ANONYMOUS)
        session.execute(changed, execution_options=_UNSYNCHRONISED)


def _days_of(session: Session, ids: Sequence[int]) -> set[date]:
    """In each of the zones by which days were computed."""
    zones = session.scalars(select(VisitRollup.zone).where(VisitRollup.site == SHOP, VisitRollup.zone != "").distinct())
    rules, days = [DayRules(zone) for zone in zones], set()
    for part in parts_of(ids, _CHUNK):
        times = session.scalars(select(Visit.visited_at).where(Visit.id.in_(part))).all()
        days |= {by_zone.day_of(time) for by_zone in rules for time in times}
    return days
