"""The outline of a course as completion and progress count it."""

from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning.completion import DEFAULT_RULE, CompletionRule, OutlineLesson, Quizzes
from domain.tables import CompletionRuleRow, CourseSection, Lesson


def outline_of(session: Session, course_id: int) -> tuple[OutlineLesson, ...]:
    """The lessons that are not withdrawn, in their order."""
    query = (
        select(Lesson.id, Lesson.kind, Lesson.is_required, Lesson.added_at)
        .join(CourseSection, CourseSection.id == Lesson.section_id)
        .where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
        .order_by(CourseSection.position, Lesson.position)
    )
    return tuple(OutlineLesson(*row) for row in session.execute(query))


def rule_of(session: Session, course_id: int) -> CompletionRule:
    """The rule of the course, or the default."""
    row = session.get(CompletionRuleRow, course_id)
    if row is None:
        return DEFAULT_RULE
    return CompletionRule(
        version=row.version,
        required_percent=row.required_percent,
        quizzes=cast(Quizzes, row.quizzes),
        pass_mark=row.pass_mark,
        has_certificate=row.has_certificate,
        valid_months=row.valid_months,
        changed_at=row.changed_at,
    )
