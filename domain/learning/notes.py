"""Notes that learners write in lessons. Nobody else reads them; a change made from an older version is refused."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, row_type
from domain.display_text import count_text
from domain.errors import DomainError, InvalidInput, NotFound
from domain.identity import learners
from domain.learning import progress
from domain.learning.progress import NO_LESSON
from domain.tables import Enrolment, Lesson, LessonNote, LessonProgress, Product

_NoteRow = row_type(LessonNote)
_notes = LessonNote.__table__.c
_OF_LESSON = PreparedSelect(
    select(*_notes).where(_notes.learner_id == bindparam("learner"), _notes.lesson_id == bindparam("lesson")),
    _NoteRow._make,
)
MAX_LENGTH = 20_000
PAGE = 24
# The shop's policy: notes and results stay readable for so long after the access.
READABLE_AFTER_ACCESS = timedelta(days=30)


class Note(NamedTuple):
    """`version` 0 and `updated_at` None: not written yet. An emptied note keeps counting its versions."""

    lesson_id: int
    body: str
    version: int
    updated_at: datetime | None


@dataclass(frozen=True)
class NewNote:
    """A text made from `version` of the note."""

    body: str
    version: int


@dataclass(frozen=True)
class NoteInList:
    course_slug: str
    course_name: str
    lesson_title: str
    note: Note


class NoteChanged(DomainError):
    """The note was changed elsewhere: `stored` is the newer one."""

    def __init__(self, stored: Note):
        super().__init__("This note was changed elsewhere. Compare both texts and save the one you want to keep.")
        self.stored = stored


def note_of(session: Session, learner_id: int, lesson_id: int) -> Note:
    """For a learner whose access was checked."""
    rows = _OF_LESSON.all(session, learner=learner_id, lesson=lesson_id)
    return _note(rows[0]) if rows else Note(lesson_id, "", 0, None)


def read(session: Session, learner_id: int, lesson_id: int, now: datetime) -> Note:
    """Raises NotFound where the learner may not read the lesson, or not any more."""
    query = select(Lesson.id).join(Enrolment, Enrolment.product_id == Lesson.course_id)
    if session.scalar(query.where(Lesson.id == lesson_id, *_is_readable(learner_id, now))) is None:
        raise NotFound(NO_LESSON)
    note = note_of(session, learner_id, lesson_id)
    if not note.version:
        _require_lesson(session, learner_id, lesson_id)
    return note


def put(session: Session, learner_id: int, lesson_id: int, draft: NewNote, now: datetime) -> Note:
    """Replace the note; the stored text again changes nothing. Raises InvalidInput, NotFound without access, and
    NoteChanged."""
    text = draft.body.replace("\r\n", "\n").rstrip()
    if len(text) > MAX_LENGTH:
        raise InvalidInput({"body": f"A note has at most {count_text(MAX_LENGTH)} characters."})
    learners.lock_account(session, learner_id)
    # Locked in the order of attempts (domain/learning/quizzes/attempts.py).
    query = select(Lesson.course_id).where(Lesson.id == lesson_id).with_for_update(read=True)
    course_id = session.scalar(query)
    if course_id is None:
        raise NotFound(NO_LESSON)
    progress.open_enrolment(session, learner_id, course_id, now)
    row = session.get(LessonNote, (learner_id, lesson_id), populate_existing=True)
    if row is None:
        _require_lesson(session, learner_id, lesson_id)
        row = LessonNote(learner_id=learner_id, lesson_id=lesson_id, body="", version=0, updated_at=now)
    if text == row.body:
        return _note(row) if row.version else note_of(session, learner_id, lesson_id)
    if draft.version != row.version:
        raise NoteChanged(_note(row))
    row.body, row.version, row.updated_at = text, row.version + 1, now
    session.add(row)
    session.flush()
    return _note(row)


def page(session: Session, learner_id: int, number: int, now: datetime) -> tuple[int, tuple[NoteInList, ...]]:
    """How many notes there are, and those of a page (1, 2, …), the newest first. Emptied ones are left out."""
    query = _shown(learner_id, now)
    count = session.scalar(query.with_only_columns(func.count(), maintain_column_froms=True)) or 0
    newest = query.order_by(LessonNote.updated_at.desc(), LessonNote.lesson_id).limit(PAGE).offset(PAGE * (number - 1))
    return count, _listed(session, newest)


def of_course(session: Session, learner_id: int, course_id: int, now: datetime) -> tuple[NoteInList, ...]:
    """All notes of one course, in the order in which its lessons were made; none once they are not readable."""
    query = _shown(learner_id, now).where(Lesson.course_id == course_id)
    return _listed(session, query.order_by(LessonNote.lesson_id))


def _shown(learner_id: int, now: datetime) -> Select[*tuple[Any, ...]]:
    is_shown = (LessonNote.learner_id == learner_id, LessonNote.body != "", *_is_readable(learner_id, now))
    source = select(Product.slug, Product.name, Lesson.title, LessonNote).select_from(LessonNote)
    joined = source.join(Lesson, Lesson.id == LessonNote.lesson_id).join(Product, Product.id == Lesson.course_id)
    return joined.join(Enrolment, Enrolment.product_id == Lesson.course_id).where(*is_shown)


def _listed(session: Session, query: Select[*tuple[Any, ...]]) -> tuple[NoteInList, ...]:
    return tuple(NoteInList(slug, name, title, _note(row)) for slug, name, title, row in session.execute(query))


def _is_readable(learner_id: int, now: datetime) -> tuple[ColumnElement[bool], ...]:
    is_open = or_(Enrolment.access_until.is_(None), Enrolment.access_until > now - READABLE_AFTER_ACCESS)
    return (Enrolment.learner_id == learner_id, is_open)


def _require_lesson(session: Session, learner_id: int, lesson_id: int) -> None:
    """Raises NotFound for a lesson that was withdrawn before the learner began it."""
    has_begun = (LessonProgress.learner_id == learner_id, LessonProgress.lesson_id == lesson_id)
    is_begun = select(LessonProgress.lesson_id).where(*has_begun).exists()
    query = select(Lesson.id).where(Lesson.id == lesson_id, or_(Lesson.withdrawn_at.is_(None), is_begun))
    if session.scalar(query) is None:
        raise NotFound(NO_LESSON)


def _note(row: Any) -> Note:
    return Note(row.lesson_id, row.body, row.version, row.updated_at)
