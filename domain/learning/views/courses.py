"""The courses of a learner with outline, rule, status and progress, however many from three statements."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

from sqlalchemy import BindParameter, ColumnElement, Integer, Select, bindparam, func, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.learning.completion import (
    DEFAULT_RULE,
    CompletionRule,
    CompletionStatus,
    Quizzes,
    completion_status,
    rule_change,
)
from domain.learning.views.outlines import CourseOutline, outlines_of
from domain.learning.views.records import CourseRow, CourseSummary, LessonProgressRow, OwnCourse
from domain.tables import (
    CatalogueVersion,
    CompletionRuleRow,
    Enrolment,
    EnrolmentGrant,
    LessonProgress,
    Product,
)

_products, _enrolments, _progress = Product.__table__.c, Enrolment.__table__.c, LessonProgress.__table__.c
_grants, _version = EnrolmentGrant.__table__.c, CatalogueVersion.__table__.c
_RULE = CompletionRuleRow.__table__.c
_RULE_NAMES = tuple(_RULE.keys())
_COURSE_CELLS = len(CourseRow._fields)
# Live grants first, then the one that ended last.
_SOURCE = (
    select(_grants.source)
    .where(_grants.enrolment_id == _enrolments.id)
    .order_by(_grants.ended_at.is_not(None), _grants.ended_at.desc(), _grants.id)
    .limit(1)
    .scalar_subquery()
)
_COURSES = (
    select(
        *(_products[name] for name in CourseRow._fields[:11]),
        *(_enrolments[name] for name in CourseRow._fields[11:18]),
        _SOURCE.label("source"),
        select(_version.number).where(_version.id == 1).scalar_subquery().label("catalogue_version"),
        *_RULE,
    )
    .select_from(Enrolment.__table__)
    .join(Product.__table__, _products.id == _enrolments.product_id)
    .outerjoin(CompletionRuleRow.__table__, _RULE.course_id == _enrolments.product_id)
    .where(_enrolments.learner_id == bindparam("learner"))
)


class _EnrolmentRow(NamedTuple):
    """`version`: the catalogue's."""

    course: CourseRow
    version: int
    rule: CompletionRule


def _enrolment_row(cells: Iterable[Any]) -> _EnrolmentRow:
    row = tuple(cells)
    version = row[_COURSE_CELLS] or 0
    return _EnrolmentRow(CourseRow._make(row[:_COURSE_CELLS]), version, _rule(row[_COURSE_CELLS + 1 :]))


def _rule(cells: Sequence[Any]) -> CompletionRule:
    """The rule of the course, or the default."""
    values = dict(zip(_RULE_NAMES, cells, strict=True))
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


_NEWEST = PreparedSelect(
    _COURSES.order_by(func.coalesce(_enrolments.last_active_at, _enrolments.enrolled_at).desc(), _enrolments.id.desc())
    .limit(bindparam("most", type_=Integer))
    .offset(bindparam("first", type_=Integer)),
    _enrolment_row,
)
_BY_SLUG = PreparedSelect(
    _COURSES.where(_products.kind == "course", _products.slug == bindparam("slug")), _enrolment_row
)
_BY_ID = PreparedSelect(_COURSES.where(_products.id == bindparam("course")), _enrolment_row)
_NUMBER = PreparedSelect(
    select(func.count(_enrolments.id)).where(_enrolments.learner_id == bindparam("learner")), first_number
)


def _done_in(ids: list[BindParameter[int]]) -> Select[Any]:
    return select(_progress.course_id, _progress.lesson_id).where(*_is_of(ids), _progress.is_done.is_(True))


def _progress_in(ids: list[BindParameter[int]]) -> Select[Any]:
    columns = (_progress[name] for name in LessonProgressRow._fields)
    return select(_progress.lesson_id, *columns).where(*_is_of(ids))


def _is_of(ids: list[BindParameter[int]]) -> tuple[ColumnElement[bool], ...]:
    return (_progress.learner_id == bindparam("learner"), _progress.course_id.in_(ids))


_DONE: SelectByIds[Sequence[int]] = SelectByIds(_done_in, tuple)
_PROGRESS: SelectByIds[Sequence[Any]] = SelectByIds(_progress_in, tuple)


def own_courses(
    session: Session, learner_id: int, at: datetime, *, limit: int, offset: int = 0
) -> tuple[CourseSummary, ...]:
    """The courses that were studied last, then the newest. Three statements, two where the outlines are cached."""
    rows = _NEWEST.all(session, learner=learner_id, most=limit, first=offset)
    if not rows:
        return ()
    ids = [row.course.id for row in rows]
    done: dict[int, set[int]] = defaultdict(set)
    for course_id, lesson_id in _DONE.all(session, ids, learner=learner_id):
        done[course_id].add(lesson_id)
    outlines = outlines_of(session, ids, rows[0].version)
    return tuple(_summary(row, outlines[row.course.id], done[row.course.id], at) for row in rows)


def number_of_courses(session: Session, learner_id: int) -> int:
    [number] = _NUMBER.all(session, learner=learner_id)
    return number


def own_course_of_slug(session: Session, learner_id: int, slug: str, at: datetime) -> OwnCourse | None:
    """One course; None where the learner never had it. Three statements, two where the outline is cached."""
    return _own_course(session, learner_id, _BY_SLUG.all(session, learner=learner_id, slug=slug), at)


def own_course_of_id(session: Session, learner_id: int, course_id: int, at: datetime) -> OwnCourse | None:
    """The same by its id."""
    return _own_course(session, learner_id, _BY_ID.all(session, learner=learner_id, course=course_id), at)


def _own_course(session: Session, learner_id: int, rows: Sequence[_EnrolmentRow], at: datetime) -> OwnCourse | None:
    if not rows:
        return None
    [row] = rows
    course_id = row.course.id
    read = _PROGRESS.all(session, [course_id], learner=learner_id)
    progress = {lesson_id: LessonProgressRow._make(cells) for lesson_id, *cells in read}
    outline = outlines_of(session, [course_id], row.version)[course_id]
    done = {lesson_id for lesson_id, lesson in progress.items() if lesson.is_done}
    return OwnCourse(**vars(_summary(row, outline, done, at)), progress=progress)


def _summary(row: _EnrolmentRow, outline: CourseOutline, done: set[int], at: datetime) -> CourseSummary:
    course, rule = row.course, row.rule
    finished = frozenset(done & outline.by_id.keys())
    return CourseSummary(
        row=course,
        rule=rule,
        rule_text=outline.rule_text(rule),
        rule_changed_at=rule_change(rule, course.started_at, course.completed_at),
        status=_status(rule, outline, finished),
        outline=outline,
        done=finished,
        at=at,
    )


def _status(rule: CompletionRule, outline: CourseOutline, done: frozenset[int]) -> CompletionStatus:
    """A quiz is done when it was passed, or attempted where the rule asks for no more."""
    return completion_status(rule, outline.counted, done, done)
