"""Visits and dead letters that were committed just after their learner was erased: who stored them had looked before
whether that was so, and the erasure could not see them."""

from datetime import datetime, timedelta

from sqlalchemy import select, union
from sqlalchemy.orm import Session

from domain.tables import Learner, Visit
from domain.visits import dead_letters, erased, erasure, visitor_erasure

# A transaction that changes more would make others wait.
BATCH = 1000
# A letter and an erasure that do not see each other are committed within seconds. More letters would be a long read
# every minute.
LETTERS_SINCE = timedelta(minutes=15)


def anonymise(session: Session, at: datetime) -> int:
    """Remove what identifies erased learners from at most BATCH visits, however old, and from the latest letters.
    Returns their number; 0 when none is left."""
    columns = [getattr(Visit, name) for name in erased.LEARNER_FIELDS]
    are_erased = (Learner.issuer == "", Visit.visited_at <= Learner.visits_erased_at)
    chosen = (
        select(Visit.id).join(Learner, Learner.id == column).where(is_erased)
        for column in columns
        for is_erased in are_erased
    )
    # Days are locked before their visits.
    counted = visitor_erasure.erase_late(session, at)
    visits = list(session.scalars(union(*chosen).limit(BATCH)))
    erasure.anonymise_rows(session, visits, at)
    return counted + len(visits) + dead_letters.anonymise_late(session, at - LETTERS_SINCE)
