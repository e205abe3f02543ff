"""Reviews as personal data: the export of an account, and what stays when it is deleted."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from domain.learning.reviews.counting import lock_course, note_change
from domain.tables import Product, Review, ReviewReport

ExportedTable = Select[*tuple[Any, ...]]


def reviews(learner_id: int) -> ExportedTable:
    columns = (
        Product.id.label("courseId"),
        Product.name.label("courseName"),
        Review.author,
        Review.rating,
        Review.title,
        Review.body.label("text"),
        Review.state,
        Review.hidden_reason.label("hiddenReason"),
        Review.reviewed_at.label("reviewedAt"),
        Review.edited_at.label("editedAt"),
    )
    query = select(*columns).join(Product, Product.id == Review.course_id)
    return query.where(Review.learner_id == learner_id, Review.deleted_at.is_(None)).order_by(Review.id)


def reports(learner_id: int) -> ExportedTable:
    columns = (ReviewReport.review_id.label("reviewId"), ReviewReport.reason, ReviewReport.reported_at.label("at"))
    return select(*columns).where(ReviewReport.learner_id == learner_id).order_by(ReviewReport.review_id)


# Name in the exported file -> its rows for a learner.
EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {"reviews": reviews, "reviewReports": reports}


def erase(session: Session, learner_id: int, at: datetime) -> None:
    """Stars and text stay, without a name."""
    session.execute(delete(ReviewReport).where(ReviewReport.learner_id == learner_id))
    written = select(Review.course_id).where(Review.learner_id == learner_id).order_by(Review.course_id)
    for course_id in session.scalars(written).all():
        lock_course(session, course_id)
        note_change(session, course_id, at)
    own = Review.learner_id == learner_id
    session.execute(delete(Review).where(own, Review.deleted_at.is_not(None)))
    session.execute(update(Review).where(own).values(learner_id=None, author=""))
