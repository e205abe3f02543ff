"""Reviews as moderators see them, and their decisions."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.learning.reviews import moderation
from domain.tables import Product, Review, ReviewReport

_reviews = Review.__table__.c


class ReportedReview(NamedTuple):
    """`author`: how pages name them. `reports`: of learners, since a moderator has last published it."""

    id: int
    course: str
    author: str
    rating: int
    title: str
    text: str
    state: str
    is_verified: bool
    reviewed_at: datetime
    edited_at: datetime | None
    hidden_reason: str
    reports: int


@dataclass(frozen=True)
class ReportOfReview:
    reported_at: datetime
    reason: str


_COLUMNS = select(
    _reviews.id,
    select(Product.name).where(Product.id == _reviews.course_id).scalar_subquery(),
    *(_reviews.author, _reviews.rating, _reviews.title, _reviews.body, _reviews.state, _reviews.is_verified),
    *(_reviews.reviewed_at, _reviews.edited_at, _reviews.hidden_reason),
    select(func.count()).where(ReviewReport.review_id == _reviews.id).scalar_subquery(),
).where(_reviews.deleted_at.is_(None))
# A state of the list alone: shown, and reported by somebody.
REPORTED = "reported"


def _in_state(state: str) -> ColumnElement[bool]:
    if state != REPORTED:
        return _reviews.state == state
    is_reported = select(ReviewReport.review_id).where(ReviewReport.review_id == _reviews.id).exists()
    return (_reviews.state == "published") & is_reported


REVIEWS = ListSource(
    rows=_COLUMNS,
    make=ReportedReview._make,
    key=_reviews.id,
    filters={"state": _in_state},
    only_grows=True,
)


def review(session: Session, review_id: int) -> tuple[ReportedReview, list[ReportOfReview]]:
    """With its reports, the oldest first. Raises NotFound."""
    row = session.execute(_COLUMNS.where(_reviews.id == review_id)).one_or_none()
    if row is None:
        raise NotFound("There is no such review.")
    columns = select(ReviewReport.reported_at, ReviewReport.reason).where(ReviewReport.review_id == review_id)
    reports = session.execute(columns.order_by(ReviewReport.reported_at, ReviewReport.learner_id))
    return ReportedReview._make(row), [ReportOfReview(*report) for report in reports]


def publish(session: Session, review_id: int, at: datetime) -> None:
    """Show a review and settle its reports. For `Database.write_as`. Raises NotFound."""
    before, reports = review(session, review_id)
    moderation.publish(session, review_id, at)
    if before.state == "published" and not reports:
        recording.no_change(session)
        return
    old, new = {"state": before.state, "reports": len(reports)}, {"state": "published", "reports": 0}
    recording.record(session, "review.publish", Subject("review", review_id), before=old, after=new)


def hide(session: Session, review_id: int, reason: str, at: datetime) -> None:
    """Show a review no more; its author gets the reason by mail. For `Database.write_as`. Raises NotFound and
    InvalidInput."""
    before, _ = review(session, review_id)
    moderation.hide(session, review_id, reason, at)
    old, new = {"state": before.state}, {"state": "hidden"}
    recording.record(session, "review.hide", Subject("review", review_id), before=old, after=new, reason=reason)
