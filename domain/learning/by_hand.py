"""Completing a course for a learner by hand, for a reason that they can read."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound
from domain.identity.learners import normalised_student_number
from domain.learning import outline, recount
from domain.learning.enrolments import locked_enrolment
from domain.tables import Learner, Product

MAX_REASON_LENGTH = 500


def complete(  # noqa: PLR0913 who, for whom, what and why
    session: Session, learner_id: int, course_id: int, *, staff_id: int | None, reason: str, at: datetime
) -> datetime:
    """Complete the course and record it in the audit (`Database.write_as`); when it is completed. A completed one stays
    as it is. `staff_id` None: by a command. Raises InvalidInput without a reason, and NotFound where the learner never
    had the course."""
    text = " ".join(reason.split())
    if not 0 < len(text) <= MAX_REASON_LENGTH:
        raise InvalidInput({"reason": f"Give a reason in at most {MAX_REASON_LENGTH} characters."})
    enrolment = locked_enrolment(session, learner_id, course_id)
    if enrolment is None:
        raise NotFound("This learner does not have this course.")
    if enrolment.completed_at is not None:
        recording.no_change(session)
        return enrolment.completed_at
    enrolment.completed_by, enrolment.completion_reason = staff_id, text
    recount.complete(session, [enrolment], outline.rule_of(session, course_id), at)
    completed_at = enrolment.completed_at or at
    after = {"learner_id": learner_id, "course_id": course_id, "completed_at": completed_at}
    recording.record(session, "enrolment.complete", Subject("enrolment", enrolment.id), after=after, reason=text)
    return completed_at


def complete_for_student(session: Session, student_number: str, slug: str, reason: str, at: datetime) -> datetime:
    """Complete a course, given by its slug, for the learner with this student number, by a command (`complete`). Raises
    NotFound for an unknown number and an unknown slug too."""
    number = normalised_student_number(student_number)
    learner_id = session.scalar(select(Learner.id).where(Learner.student_number == number))
    if learner_id is None:
        raise NotFound(f"There is no learner {student_number}.")
    course_id = session.scalar(select(Product.id).where(Product.slug == slug, Product.kind == "course"))
    if course_id is None:
        raise NotFound(f"There is no course {slug}.")
    return complete(session, learner_id, course_id, staff_id=None, reason=reason, at=at)
