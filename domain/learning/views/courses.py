"""The courses of a learner with outline, rule, status and progress, however many from two statements."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session

from domain.learning.completion import (
    DEFAULT_RULE,
    CompletionRule,
    OutlineLesson,
    Quizzes,
    completion_status,
    describe_rule,
    new_since,
    rule_change,
)
from domain.learning.views.records import CourseRow, LessonRow, OwnCourse
from domain.tables import (
    CompletionRuleRow,
    CourseSection,
    Enrolment,
    EnrolmentGrant,
    Lesson,
    LessonProgress,
    Product,
)

_RULE = CompletionRuleRow.__table__.c
# Live grants first, then the one that ended last.
_SOURCE = (
    select(EnrolmentGrant.source)
    .where(EnrolmentGrant.enrolment_id == Enrolment.id)
    .order_by(EnrolmentGrant.ended_at.is_not(None), EnrolmentGrant.ended_at.desc(), EnrolmentGrant.id)
    .limit(1)
    .scalar_subquery()
)
_COURSES = (
    select(
        *(Product.__table__.c[name] for name in CourseRow._fields[:11]),
        *(Enrolment.__table__.c[name] for name in CourseRow._fields[11:17]),
        _SOURCE.label("source"),
        *_RULE,
    )
    .select_from(Enrolment)
    .join(Product, Product.id == Enrolment.product_id)
    .outerjoin(CompletionRuleRow, CompletionRuleRow.course_id == Enrolment.product_id)
)
_COURSE_CELLS = len(CourseRow._fields)


def own_courses(
    session: Session, learner_id: int, at: datetime, *, limit: int, offset: int = 0
) -> tuple[OwnCourse, ...]:
    """The courses that were studied last, then the newest. Two statements."""
    query = (
        _COURSES.where(Enrolment.learner_id == learner_id)
        .order_by(func.coalesce(Enrolment.last_active_at, Enrolment.enrolled_at).desc(), Enrolment.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return _with_lessons(session, learner_id, session.execute(query).all(), at)


def number_of_courses(session: Session, learner_id: int) -> int:
    return session.scalar(select(func.count(Enrolment.id)).where(Enrolment.learner_id == learner_id)) or 0


def own_course(session: Session, learner_id: int, is_course: ColumnElement[bool], at: datetime) -> OwnCourse | None:
    """One course; None where the learner never had it. `is_course`: a condition on its product. Two statements."""
    query = _COURSES.where(Enrolment.learner_id == learner_id, is_course)
    return next(iter(_with_lessons(session, learner_id, session.execute(query).all(), at)), None)


def _with_lessons(session: Session, learner_id: int, rows: Sequence[Any], at: datetime) -> tuple[OwnCourse, ...]:
    courses = [(CourseRow._make(row[:_COURSE_CELLS]), row[_COURSE_CELLS:]) for row in rows]
    lessons: dict[int, list[LessonRow]] = defaultdict(list)
    for lesson in session.execute(_lessons(learner_id, [course.id for course, _ in courses])) if courses else ():
        lessons[lesson.course_id].append(LessonRow._make(lesson))
    return tuple(_own_course(course, rule, lessons[course.id], at) for course, rule in courses)


def _lessons(learner_id: int, course_ids: Sequence[int]) -> Select[*tuple[Any, ...]]:
    """All lessons with the learner's progress: those that are withdrawn come last in their course."""
    is_own = and_(
        LessonProgress.learner_id == learner_id,
        LessonProgress.course_id == Lesson.course_id,
        LessonProgress.lesson_id == Lesson.id,
    )
    return (
        select(
            Lesson.id,
            Lesson.course_id,
            CourseSection.position,
            CourseSection.title,
            Lesson.title,
            Lesson.kind,
            Lesson.minutes,
            Lesson.is_required,
            Lesson.revision,
            Lesson.updated_at,
            Lesson.added_at,
            Lesson.withdrawn_at,
            func.coalesce(LessonProgress.is_done, False),
            LessonProgress.done_at,
            func.coalesce(LessonProgress.position, 0),
            LessonProgress.position_at,
            func.coalesce(LessonProgress.furthest, 0),
            LessonProgress.opened_at,
        )
        .outerjoin(CourseSection, CourseSection.id == Lesson.section_id)
        .outerjoin(LessonProgress, is_own)
        .where(Lesson.course_id.in_(course_ids))
        .order_by(Lesson.course_id, CourseSection.position, Lesson.position, Lesson.id)
    )


def _own_course(row: CourseRow, rule_cells: Sequence[Any], lessons: Iterable[LessonRow], at: datetime) -> OwnCourse:
    rule = _rule(rule_cells)
    outline, withdrawn = [], []
    for lesson in lessons:
        if lesson.withdrawn_at is None:
            outline.append(lesson)
        elif lesson.opened_at is not None:
            withdrawn.append(lesson)
    counted = [OutlineLesson(lesson.id, lesson.kind, lesson.is_required, lesson.added_at) for lesson in outline]
    done = {lesson.id for lesson in outline if lesson.is_done}
    return OwnCourse(
        row=row,
        rule=rule,
        rule_text=describe_rule(rule, counted),
        rule_changed_at=rule_change(rule, row.started_at, row.completed_at),
        # A quiz is done when it was passed, or attempted where the rule asks for no more.
        status=completion_status(rule, counted, done, done),
        lessons=tuple(outline),
        new_lessons=frozenset(new_since(counted, done, row.completed_at)),
        at=at,
        withdrawn=tuple(withdrawn),
    )


def _rule(cells: Sequence[Any]) -> CompletionRule:
    """The rule of the course, or the default."""
    values = dict(zip(_RULE.keys(), cells, strict=True))
    if values["course_id"] is None:
        return DEFAULT_RULE
    return CompletionRule(
        version=values["version"],
        required_percent=values["required_percent"],
        quizzes=cast(Quizzes, values["quizzes"]),
        pass_mark=values["pass_mark"],
        has_certificate=values["has_certificate"],
        valid_months=values["valid_months"],
        changed_at=values["changed_at"],
    )
