"""A learner's own review of a course: one for each course, which can be edited and deleted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from domain.errors import NotFound, Refused
from domain.identity import learners
from domain.identity.learners import short_name
from domain.identity.roles import roles_of
from domain.learning.enrolments import locked_enrolment
from domain.learning.reviews.counting import count_reports, lock_course, note_change
from domain.learning.reviews.texts import ReviewDraft, checked, needs_a_look
from domain.permissions import may_enter
from domain.tables import Enrolment, Learner, Lesson, Product, Review

ReviewState = Literal["published", "pending", "hidden"]
# Share of the required lessons that a reviewer has done.
MIN_DONE_PERCENT = 20
# Different learners.
MAX_REPORTS = 3
ANONYMOUS = "A learner"


@dataclass(frozen=True)
class OwnReview:
    """`author`: how pages name its author. `hidden_reason`: in words, "" unless it is hidden."""

    id: int
    rating: int
    title: str
    text: str
    state: ReviewState
    author: str
    reviewed_at: datetime
    edited_at: datetime | None
    hidden_reason: str


@dataclass(frozen=True)
class ReviewOptions:
    """`refusal`: why the learner cannot write one now; None when they can. `own`: what they have written."""

    refusal: str | None
    own: OwnReview | None


def options(session: Session, learner_id: int, course_id: int, at: datetime) -> ReviewOptions | None:
    """None for a course that the learner never had."""
    query = select(Enrolment).where(Enrolment.learner_id == learner_id, Enrolment.product_id == course_id)
    enrolment = session.scalar(query)
    if enrolment is None:
        return None
    own = session.scalar(_of_learner(learner_id, course_id).where(Review.deleted_at.is_(None)))
    return ReviewOptions(_refusal(session, enrolment, at, is_new=own is None), None if own is None else _view(own))


def put(session: Session, learner_id: int, course_id: int, draft: ReviewDraft, at: datetime) -> OwnReview:
    """Write or change the learner's review; the same again changes nothing. Raises NotFound for a course that the
    learner never had, Refused and InvalidInput."""
    learners.lock_account(session, learner_id)
    enrolment = locked_enrolment(session, learner_id, course_id)
    if enrolment is None:
        raise NotFound("There is no such course.")
    lock_course(session, course_id)
    row = session.scalar(_of_learner(learner_id, course_id).with_for_update().execution_options(populate_existing=True))
    is_new = row is None or row.deleted_at is not None
    refusal = _refusal(session, enrolment, at, is_new=is_new)
    if refusal is not None:
        raise Refused(refusal)
    wanted = checked(draft)
    if row is None:
        row = _new_row(session, learner_id, course_id, at)
    elif row.deleted_at is not None:
        row.author, row.reviewed_at = _author(session, learner_id), at
        row.edited_at = row.deleted_at = None
    elif (row.rating, row.title, row.body) == (wanted.rating, wanted.title, wanted.text):
        return _view(row)
    else:
        row.edited_at = at
    was_shown = row.state == "published" and row.id is not None
    row.rating, row.title, row.body = wanted.rating, wanted.title, wanted.text
    row.state = _state_after(session, row, wanted)
    session.add(row)
    session.flush()
    if was_shown or row.state == "published":
        note_change(session, course_id, at)
    return _view(row)


def delete(session: Session, learner_id: int, course_id: int, at: datetime) -> None:
    """Delete the learner's review; without one nothing is changed. That it was hidden, or waited for a look, is
    remembered: the next one waits too. Raises NotFound for a course they never had."""
    if locked_enrolment(session, learner_id, course_id) is None:
        raise NotFound("There is no such course.")
    lock_course(session, course_id)
    row = session.scalar(_of_learner(learner_id, course_id).with_for_update())
    if row is None or row.deleted_at is not None:
        return
    if row.state != "published":
        row.state, row.deleted_at, row.title, row.body = "hidden", at, "", ""
        session.flush()
        return
    session.delete(row)
    session.flush()
    note_change(session, course_id, at)


def _refusal(session: Session, enrolment: Enrolment, at: datetime, *, is_new: bool) -> str | None:
    if may_enter("admin", roles_of(session, enrolment.learner_id)):
        return "Staff of the shop write no reviews."
    if not is_new:
        return None
    if session.scalar(select(Product.status).where(Product.id == enrolment.product_id)) == "retired":
        return "This course is no longer sold, so it gets no new reviews."
    return None if enrolment.completed_at is not None else _too_early(session, enrolment, at)


def _too_early(session: Session, enrolment: Enrolment, at: datetime) -> str | None:
    if enrolment.access_until is not None and enrolment.access_until <= at:
        return "You no longer have access to this course."
    needed = max(1, -(-_required_lessons(session, enrolment.product_id) * MIN_DONE_PERCENT // 100))
    if enrolment.done_lessons >= needed:
        return None
    lessons = "lesson" if needed == 1 else "lessons"
    return f"Finish {needed} required {lessons} first: you have finished {enrolment.done_lessons}."


def _required_lessons(session: Session, course_id: int) -> int:
    is_required = (Lesson.course_id == course_id, Lesson.is_required.is_(True), Lesson.withdrawn_at.is_(None))
    return session.scalars(select(func.count(Lesson.id)).where(*is_required)).one()


def _new_row(session: Session, learner_id: int, course_id: int, at: datetime) -> Review:
    return Review(
        course_id=course_id,
        learner_id=learner_id,
        author=_author(session, learner_id),
        is_verified=True,
        state="published",
        reviewed_at=at,
        hidden_reason="",
    )


def _author(session: Session, learner_id: int) -> str:
    """The learner's name now, which follows no later one."""
    name = session.scalars(select(Learner.name).where(Learner.id == learner_id)).one()
    return short_name(name) or ANONYMOUS


def _state_after(session: Session, row: Review, draft: ReviewDraft) -> ReviewState:
    """What was hidden or reported is looked at again, whatever it says now."""
    if row.state == "hidden" or needs_a_look(draft) or _is_reported(session, row):
        row.hidden_reason = ""
        return "pending"
    return "published"


def _is_reported(session: Session, row: Review) -> bool:
    return row.id is not None and count_reports(session, row.id, row.course_id) >= MAX_REPORTS


def _of_learner(learner_id: int, course_id: int) -> Select[Review]:
    return select(Review).where(Review.learner_id == learner_id, Review.course_id == course_id)


def _view(row: Review) -> OwnReview:
    return OwnReview(
        id=row.id,
        rating=row.rating,
        title=row.title,
        text=row.body,
        state=cast(ReviewState, row.state),
        author=row.author,
        reviewed_at=row.reviewed_at,
        edited_at=row.edited_at,
        hidden_reason=row.hidden_reason,
    )
