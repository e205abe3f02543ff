"""What the page of a lesson shows, from one statement where course and text are cached (shared_courses.py).

On SQLite a statement costs several times what a column does: the page's own rows come together, and of the progress in
other lessons only what the database finds to matter.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, func, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, first_number
from domain.errors import NotFound
from domain.learning.notes import Note
from domain.learning.views.course import lesson_content
from domain.learning.views.courses import ENROLMENT_COLUMNS, EnrolmentRow, enrolment_row
from domain.learning.views.records import LessonContent, LessonProgressRow, StudiedCourse
from domain.learning.views.shared_courses import shared_courses
from domain.tables import Enrolment, Lesson, LessonNote, LessonProgress, Product


class LessonPage(NamedTuple):
    content: LessonContent
    note: Note


class _PageRow(NamedTuple):
    """`done` and `changed`: ids of lessons, separated by commas. `note`: body, version and time; None where none was
    written."""

    enrolment: EnrolmentRow
    done: str | None
    changed: str | None
    progress: LessonProgressRow | None
    note: Sequence[Any] | None


_enrolments, _products = Enrolment.__table__.c, Product.__table__.c
_progress, _lessons, _notes = LessonProgress.__table__.c, Lesson.__table__.c, LessonNote.__table__.c
_done = LessonProgress.__table__.alias("done_progress")
# Lessons of the whole course that were finished, and have changed since.
_CHANGED = (
    select(func.group_concat(_done.c.lesson_id))
    .join(Lesson.__table__, _lessons.id == _done.c.lesson_id)
    .where(_done.c.learner_id == _enrolments.learner_id, _done.c.course_id == _enrolments.product_id)
    .where(_done.c.is_done, _lessons.updated_at > _done.c.done_at)
    .correlate(Enrolment.__table__)
    .scalar_subquery()
)
_PROGRESS, _NOTE = LessonProgressRow._fields, ("body", "version", "updated_at")
_HAS_PROGRESS = and_(
    _progress.learner_id == _enrolments.learner_id,
    _progress.course_id == _enrolments.product_id,
    _progress.lesson_id == bindparam("lesson"),
)
_HAS_NOTE = and_(_notes.learner_id == _enrolments.learner_id, _notes.lesson_id == bindparam("lesson"))


def _page_row(cells: Iterable[Any]) -> _PageRow:
    row = tuple(cells)
    done, changed, progress, note, enrolment = row[0], row[1], row[2:_NOTE_AT], row[_NOTE_AT:_REST_AT], row[_REST_AT:]
    # The first column of both is never null in its table.
    own_progress = None if progress[0] is None else LessonProgressRow._make(progress)
    return _PageRow(enrolment_row(enrolment), done, changed, own_progress, None if note[0] is None else note)


_NOTE_AT = 2 + len(_PROGRESS)
_REST_AT = _NOTE_AT + len(_NOTE)
_PAGE = PreparedSelect(
    select(
        *(_enrolments.done_lesson_ids, _CHANGED),
        *(_progress[name] for name in _PROGRESS),
        *(_notes[name] for name in _NOTE),
        *ENROLMENT_COLUMNS,
    )
    .select_from(Enrolment.__table__)
    .join(Product.__table__, _products.id == _enrolments.product_id)
    .outerjoin(LessonProgress.__table__, _HAS_PROGRESS)
    .outerjoin(LessonNote.__table__, _HAS_NOTE)
    .where(_enrolments.learner_id == bindparam("learner"))
    .where(_products.kind == "course", _products.slug == bindparam("slug")),
    _page_row,
)
_WITHDRAWN = PreparedSelect(
    select(_progress.lesson_id)
    .join(Lesson.__table__, _lessons.id == _progress.lesson_id)
    .where(_progress.learner_id == bindparam("learner"), _progress.course_id == bindparam("course"))
    .where(_lessons.withdrawn_at.is_not(None)),
    first_number,
)


def lesson_page(session: Session, learner_id: int, slug: str, lesson_id: int, at: datetime) -> LessonPage | None:
    """None for every page that says more than the lesson: of another slug, a course without access or one that is
    retired, and a lesson that is not there."""
    rows = _PAGE.all(session, learner=learner_id, slug=slug, lesson=lesson_id)
    if not rows:
        return None
    [row] = rows
    own = _course(session, learner_id, row, at)
    # MariaDB ignores trailing spaces in comparisons.
    if own.facts.slug != slug or own.facts.status == "retired":
        return None
    try:
        content = lesson_content(session, own, lesson_id, row.progress)
    except NotFound:
        return None
    return LessonPage(content, Note(lesson_id, *(row.note or ("", 0, None))))


def _course(session: Session, learner_id: int, row: _PageRow, at: datetime) -> StudiedCourse:
    enrolment, version, _ = row.enrolment
    shared = shared_courses(session, [enrolment.product_id], version)[enrolment.product_id]
    begun: Sequence[int] = ()
    if shared.outline.withdrawn:
        begun = _WITHDRAWN.all(session, learner=learner_id, course=enrolment.product_id)
    withdrawn = tuple(lesson for lesson in shared.outline.withdrawn if lesson.id in begun)
    changed = [int(lesson_id) for lesson_id in (row.changed or "").split(",") if lesson_id]
    return StudiedCourse(shared, enrolment, shared.done_lessons(row.done or ""), at, withdrawn, changed)
