"""Why a learner has no access any more, and until when they can read what they wrote."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import closures
from domain.learning.grants import last_end
from domain.learning.views.records import OwnCourse
from domain.tables import Enrolment, EnrolmentGrant

# The refund and grievance policy promises it.
READABLE = timedelta(days=30)
_TIME_OVER = "The time for which you had the course is over."
_REASONS = {
    ("order", "refund"): "The order was refunded.",
    ("gift", "refund"): "The gift was returned.",
    ("order", "staff"): "The staff of the shop ended it.",
    ("gift", "staff"): "The staff of the shop ended it.",
    ("seat", ""): "The seat of your organisation ended.",
}


@dataclass(frozen=True)
class AccessEnd:
    """`reason`: a sentence for the learner. `is_closed`: the course ended for everybody."""

    at: datetime
    reason: str
    is_closed: bool = False

    @property
    def readable_until(self) -> datetime:
        return self.at + READABLE


def access_end(session: Session, learner_id: int, course: OwnCourse) -> AccessEnd | None:
    """None while the learner has access. The grant that ended last counts."""
    ended_at = course.enrolment.access_until
    if course.has_access or ended_at is None:
        return None
    closure = closures.closure_of(session, course.facts.id)
    if closure is not None and closure.ends_at == ended_at:
        return AccessEnd(ended_at, f"We had to end this course for legal reasons: {closure.reason}", is_closed=True)
    query = (
        select(EnrolmentGrant)
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .where(Enrolment.learner_id == learner_id, Enrolment.product_id == course.facts.id)
    )
    grants = [row for row in session.scalars(query) if last_end(row) is not None]
    last = max(grants, key=lambda row: last_end(row) or ended_at, default=None)
    return AccessEnd(ended_at, _TIME_OVER if last is None else _reason(last))


def _reason(grant: EnrolmentGrant) -> str:
    if grant.ended_at is None:
        return _TIME_OVER if grant.source != "seat" else _REASONS["seat", ""]
    return _REASONS.get((grant.source, grant.reason)) or _REASONS.get((grant.source, ""), _TIME_OVER)
