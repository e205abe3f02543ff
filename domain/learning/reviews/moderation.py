"""Reports of reviews by learners, and the decisions of moderators, who tell the author why."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from contracts.payloads import ReviewItem
from contracts.tasks import OutboxKind
from domain.database.database import insert_ignoring
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity import learners
from domain.learning.reviews import ratings
from domain.learning.reviews.counting import count_reports, lock_course, note_change
from domain.learning.reviews.writing import MAX_REPORTS
from domain.outbox import queue as outbox_queue
from domain.tables import Review, ReviewReport

MAX_REASON = 500
# Moderators read them in pages.
LIST_LIMIT = 100


def report(session: Session, review_id: int, learner_id: int, reason: str, at: datetime) -> None:
    """A learner finds that the review should not be shown; again it changes nothing. After MAX_REPORTS of different
    learners of the course it is not shown until a moderator has looked at it. Raises NotFound for a review that is not
    shown, Refused for the learner's own, and InvalidInput."""
    learners.lock_account(session, learner_id)
    row = _locked(session, review_id)
    if row is None or row.state != "published":
        raise NotFound("There is no such review.")
    if row.learner_id == learner_id:
        raise Refused("This is your own review: you can edit or delete it in your course.")
    about = {"reason": _reason(reason, is_required=False), "reported_at": at}
    insert_ignoring(session, ReviewReport, [{"review_id": review_id, "learner_id": learner_id, **about}])
    if count_reports(session, review_id, row.course_id) >= MAX_REPORTS:
        _put_state(session, row, "pending", at)


def list_pending(session: Session, after_id: int = 0) -> Sequence[Review]:
    """The reviews that a moderator has to look at, in the order of their ids."""
    pending = select(Review).where(Review.state == "pending", Review.id > after_id)
    return session.scalars(pending.order_by(Review.id).limit(LIST_LIMIT)).all()


def publish(session: Session, review_id: int, at: datetime) -> None:
    """Show a review. Its reports are settled by that: only new ones count. The author is told. Raises NotFound."""
    row = _existing(session, review_id)
    session.execute(delete(ReviewReport).where(ReviewReport.review_id == review_id))
    if row.state != "published":
        row.hidden_reason = ""
        _put_state(session, row, "published", at)
        _tell_author(session, row, OutboxKind.REVIEW_PUBLISHED, at)


def hide(session: Session, review_id: int, reason: str, at: datetime) -> None:
    """Show a review no more. `reason`: a sentence that its author reads. Raises NotFound and InvalidInput."""
    row, text = _existing(session, review_id), _reason(reason, is_required=True)
    if row.state != "hidden" or row.hidden_reason != text:
        row.hidden_reason = text
        _put_state(session, row, "hidden", at)
        _tell_author(session, row, OutboxKind.REVIEW_HIDDEN, at)


def _existing(session: Session, review_id: int) -> Review:
    row = _locked(session, review_id)
    if row is None or row.deleted_at is not None:
        raise NotFound("There is no such review.")
    return row


def _locked(session: Session, review_id: int) -> Review | None:
    course_id = session.scalar(select(Review.course_id).where(Review.id == review_id))
    if course_id is None:
        return None
    lock_course(session, course_id)
    newest = select(Review).where(Review.id == review_id).with_for_update()
    return session.scalar(newest.execution_options(populate_existing=True))


def _put_state(session: Session, row: Review, state: str, at: datetime) -> None:
    was_shown, row.state = row.state == "published", state
    session.flush()
    if was_shown != (state == "published"):
        if not row.is_verified:
            # For the same reason.
            ratings.put_base(session, [row.course_id], is_locking=True)
        note_change(session, row.course_id, at)


def _tell_author(session: Session, row: Review, kind: OutboxKind, at: datetime) -> None:
    if row.learner_id is not None:
        outbox_queue.enqueue(session, kind, ReviewItem(review_id=row.id), at)


def _reason(reason: str, *, is_required: bool) -> str:
    text = " ".join(reason.split())
    if len(text) > MAX_REASON:
        raise InvalidInput({"reason": f"Shorten this to {MAX_REASON} characters."})
    if is_required and not text:
        raise InvalidInput({"reason": "Say why: the author reads it."})
    return text
