"""The courses of a learner with outline, rule, status and progress, however many from few statements."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Integer, Select, bindparam, func, select
from sqlalchemy.orm import Session

from domain.catalogue.listing import VERSION
from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.learning.views.records import CourseSummary, LessonProgressRow, OwnCourse, OwnEnrolment
from domain.learning.views.shared_courses import (
    RULED_COLUMNS,
    SharedCourse,
    shared_course,
    shared_courses,
)
from domain.tables import (
    CompletionRuleRow,
    Enrolment,
    LessonProgress,
    Product,
)

_products, _enrolments, _progress = Product.__table__.c, Enrolment.__table__.c, LessonProgress.__table__.c
_NAMES = OwnEnrolment._fields
_CELLS = len(_NAMES)
_VERSION = VERSION.scalar_subquery().label("catalogue_version")


class EnrolmentRow(NamedTuple):
    """`version`: the catalogue's. `course`: cells of RULED_COLUMNS, if they were read."""

    enrolment: OwnEnrolment
    version: int
    course: Sequence[Any]


_COURSE_ROWS = (
    select(*(_enrolments[name] for name in _NAMES), _enrolments.done_lesson_ids, _VERSION)
    .where(_enrolments.learner_id == bindparam("learner"))
    .order_by(func.coalesce(_enrolments.last_active_at, _enrolments.enrolled_at).desc(), _enrolments.id.desc())
    .limit(bindparam("most", type_=Integer))
    .offset(bindparam("first", type_=Integer))
)
# For `enrolment_row`.
ENROLMENT_COLUMNS = (*(_enrolments[name] for name in _NAMES), _VERSION)
_COURSE = (
    select(*ENROLMENT_COLUMNS, *RULED_COLUMNS)
    .select_from(Enrolment.__table__)
    .join(Product.__table__, _products.id == _enrolments.product_id)
    .outerjoin(CompletionRuleRow.__table__, CompletionRuleRow.__table__.c.course_id == _enrolments.product_id)
    .where(_enrolments.learner_id == bindparam("learner"))
)


def enrolment_row(cells: Iterable[Any]) -> EnrolmentRow:
    """An enrolment from a row that has ENROLMENT_COLUMNS, then those of RULED_COLUMNS or nothing."""
    row = tuple(cells)
    return EnrolmentRow(OwnEnrolment._make(row[:_CELLS]), row[_CELLS] or 0, row[_CELLS + 1 :])


_NEWEST: PreparedSelect[Sequence[Any]] = PreparedSelect(_COURSE_ROWS, tuple)
_BY_SLUG = PreparedSelect(_COURSE.where(_products.kind == "course", _products.slug == bindparam("slug")), enrolment_row)
_BY_ID = PreparedSelect(_COURSE.where(_products.id == bindparam("course")), enrolment_row)
_NUMBER = PreparedSelect(
    select(func.count(_enrolments.id)).where(_enrolments.learner_id == bindparam("learner")), first_number
)


def _progress_in(ids: list[BindParameter[int]]) -> Select[Any]:
    columns = (_progress[name] for name in LessonProgressRow._fields)
    is_own = (_progress.learner_id == bindparam("learner"), _progress.course_id.in_(ids))
    return select(_progress.lesson_id, *columns).where(*is_own)


_PROGRESS: SelectByIds[Sequence[Any]] = SelectByIds(_progress_in, tuple)


def own_courses(
    session: Session, learner_id: int, at: datetime, *, limit: int, offset: int = 0
) -> tuple[CourseSummary, ...]:
    """The courses that were studied last, then the newest. Three statements, one where the courses are cached."""
    rows = _NEWEST.all(session, learner=learner_id, most=limit, first=offset)
    if not rows:
        return ()
    shared = shared_courses(session, [row[0] for row in rows], rows[0][-1] or 0)
    return tuple(_summary(shared[row[0]], row, at) for row in rows)


def _summary(course: SharedCourse, row: Sequence[Any], at: datetime) -> CourseSummary:
    return CourseSummary(course, OwnEnrolment._make(row[:_CELLS]), course.done_lessons(row[_CELLS] or ""), at)


def number_of_courses(session: Session, learner_id: int) -> int:
    [number] = _NUMBER.all(session, learner=learner_id)
    return number


def own_course_of_slug(session: Session, learner_id: int, slug: str, at: datetime) -> OwnCourse | None:
    """A learner's course by its slug; None where the learner never had it. Three statements, two where it is cached."""
    return _own_course(session, learner_id, _BY_SLUG.all(session, learner=learner_id, slug=slug), at)


def own_course_of_id(session: Session, learner_id: int, course_id: int, at: datetime) -> OwnCourse | None:
    """A learner's course by its id; None where the learner never had it. As many statements as by the slug."""
    return _own_course(session, learner_id, _BY_ID.all(session, learner=learner_id, course=course_id), at)


def _own_course(session: Session, learner_id: int, rows: Sequence[EnrolmentRow], at: datetime) -> OwnCourse | None:
    if not rows:
        return None
    [(enrolment, version, course)] = rows
    read = _PROGRESS.all(session, [enrolment.product_id], learner=learner_id)
    progress = {lesson_id: LessonProgressRow._make(cells) for lesson_id, *cells in read}
    shared = shared_course(session, course, version)
    done = ",".join(str(lesson_id) for lesson_id, lesson in progress.items() if lesson.is_done)
    withdrawn = tuple(lesson for lesson in shared.outline.withdrawn if lesson.id in progress)
    changed = _changed(shared, progress)
    return OwnCourse(shared, enrolment, shared.done_lessons(done), at, withdrawn, changed, progress)


def _changed(course: SharedCourse, progress: Mapping[int, LessonProgressRow]) -> list[int]:
    facts = course.outline.with_withdrawn
    return [
        lesson_id
        for lesson_id, row in progress.items()
        if row.is_done and row.done_at is not None and (lesson := facts.get(lesson_id)) is not None
        if lesson.updated_at > row.done_at
    ]
