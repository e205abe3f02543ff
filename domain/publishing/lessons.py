"""Writes the outline of a course: the only writer of sections, lessons and their bodies.

A lesson keeps its id whatever happens to its title or place, because the progress of learners belongs to the id.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.learning import lesson_bodies, recount
from domain.publishing import study_sheets
from domain.publishing.records import Json, SectionRecord
from domain.search import index as search_index
from domain.tables import (
    Course,
    CourseSection,
    Lesson,
    LessonBody,
    LessonNote,
    LessonProgress,
    Product,
    QuizAttempt,
)

# The column has room for the number of an equal title.
_KEY_LENGTH = 180
# The course page shows this much of the preview lesson.
_PREVIEW_LENGTH = 1500
# The beginning of Markdown that is no paragraph.
_BLOCK = re.compile(r"#|\||```|[-*>] |\d+\. ")


@dataclass
class _Outline:
    """The stored rows of a course while they are changed."""

    course: Course
    sections: list[CourseSection]
    lessons: list[Lesson]
    bodies: dict[int, LessonBody]
    unmatched: dict[str, Lesson] = field(default_factory=dict)


def put_lessons(session: Session, course_id: int, sections: Sequence[SectionRecord], at: datetime) -> bool:
    """Make this the outline of the course; returns whether anything changed. An equal outline changes no row.

    A lesson of the record is the stored one with its key, else the one with its title, else a new one. One that the
    record lacks is deleted, or withdrawn where somebody has progress or a note in it.
    """
    if not write_outline(session, course_id, sections, at):
        return False
    product = session.get_one(Product, course_id)
    outline = session.get_one(Course, course_id).sections
    product.lesson_count = sum(len(section["lessons"]) for section in outline) or None
    product.updated_at = at
    session.flush()
    search_index.index_products(session, [course_id])
    page_changes.note_content(session, [course_id], at)
    bump_version(session)
    return True


def write_outline(session: Session, course_id: int, sections: Sequence[SectionRecord], at: datetime) -> bool:
    """The rows and the derived `courses.sections`, without the search index and the catalogue's version."""
    outline = _stored(session, course_id)
    before = outline.course.sections
    has_lessons = any(section.lessons for section in sections)
    if not has_lessons:
        _leave_out_guide(outline)
    rows = _put_sections(session, outline, sections)
    changed = _put_rows(session, outline, rows, sections, at)
    changed |= _drop_missing(session, outline, at)
    for surplus in outline.sections[len(sections) :]:
        session.delete(surplus)
    session.flush()
    study_sheets.fill_missing(session, course_id)
    if not has_lessons:
        changed |= study_sheets.put_guides(session, [course_id], at) > 0
    outline.course.sections = derived_outline(session, course_id)
    session.flush()
    if not changed and outline.course.sections == before:
        return False
    if outline.lessons:
        # Lessons that left may complete people.
        recount.enqueue(session, course_id, at)
    return True


def derived_outline(session: Session, course_id: int) -> list[Json]:
    """What `courses.sections` holds: titles, minutes and ids, the kind of what is no text, which lessons are study
    sheets that the shop made, and the text of the first preview lesson. The guide of a course without lessons is not
    part of it."""
    titles = select(CourseSection.id, CourseSection.title).where(CourseSection.course_id == course_id)
    sections: dict[int, Json] = {
        key: {"title": title, "lessons": []} for key, title in session.execute(titles.order_by(CourseSection.position))
    }
    of_lesson = (Lesson.id, Lesson.section_id, Lesson.title, Lesson.kind, Lesson.minutes, Lesson.is_preview)
    query = (
        select(*of_lesson, LessonBody.body, LessonBody.is_generated)
        .outerjoin(LessonBody, LessonBody.lesson_id == Lesson.id)
        .where(Lesson.course_id == course_id, Lesson.withdrawn_at.is_(None))
        .where(Lesson.source_key != study_sheets.GUIDE_KEY)
        .order_by(Lesson.position, Lesson.id)
    )
    for row in session.execute(query):
        lesson: Json = {"id": row.id, "title": row.title, "minutes": row.minutes}
        if row.kind != "text":
            lesson["kind"] = row.kind
        if row.is_generated:
            lesson["sheet"] = True
        if row.is_preview and row.body and row.body.get("text"):
            lesson["preview"] = _excerpt(row.body["text"])
        sections[row.section_id]["lessons"].append(lesson)
    return [section for section in sections.values() if section["title"] or section["lessons"]]


def folded_key(title: str, taken: Iterable[str] = ()) -> str:
    """The key of a lesson whose source gives it none: its title, in one case; an equal second one ends with -2."""
    folded = " ".join(unicodedata.normalize("NFKC", title).casefold().split())[:_KEY_LENGTH]
    present, number, key = set(taken), 1, folded
    while key in present:
        number += 1
        key = f"{folded}-{number}"
    return key


def _stored(session: Session, course_id: int) -> _Outline:
    course = session.get_one(Course, course_id, with_for_update=True, populate_existing=True)
    sections = select(CourseSection).where(CourseSection.course_id == course_id).order_by(CourseSection.position)
    lessons = list(session.scalars(select(Lesson).where(Lesson.course_id == course_id)))
    bodies = select(LessonBody).where(LessonBody.lesson_id.in_([lesson.id for lesson in lessons]))
    outline = _Outline(
        course, list(session.scalars(sections)), lessons, {row.lesson_id: row for row in session.scalars(bodies)}
    )
    outline.unmatched = {lesson.source_key: lesson for lesson in lessons}
    return outline


def _leave_out_guide(outline: _Outline) -> None:
    """It stays while the course has no lessons (domain/publishing/study_sheets.py)."""
    guide = outline.unmatched.pop(study_sheets.GUIDE_KEY, None)
    if guide is not None:
        outline.sections = [section for section in outline.sections if section.id != guide.section_id]


def _put_sections(session: Session, outline: _Outline, records: Sequence[SectionRecord]) -> list[CourseSection]:
    """Sections have no identity of their own: the n-th stays the n-th."""
    for position, record in enumerate(records):
        if position == len(outline.sections):
            outline.sections.append(CourseSection(course_id=outline.course.id, position=position, title=record.title))
            session.add(outline.sections[-1])
        outline.sections[position].title = record.title
    session.flush()
    return outline.sections[: len(records)]


def _put_rows(
    session: Session,
    outline: _Outline,
    sections: Sequence[CourseSection],
    records: Sequence[SectionRecord],
    at: datetime,
) -> bool:
    keys = _keys(records)
    matched = _match(outline, records, keys)
    changed = False
    for section, record in zip(sections, records, strict=True):
        for position, lesson in enumerate(record.lessons):
            row = matched.get(id(lesson)) or Lesson(course_id=outline.course.id, revision=0, withdrawn_at=None)
            is_new = row.id is None
            values: Json = {"section_id": section.id, "position": position, "source_key": keys[id(lesson)]}
            values |= {"title": lesson.title, "kind": lesson.kind, "minutes": lesson.minutes, "withdrawn_at": None}
            values |= {"is_required": lesson.is_required, "is_preview": lesson.is_preview}
            differs = is_new or any(getattr(row, name) != value for name, value in values.items())
            has_new_content = is_new or (row.title, row.kind) != (lesson.title, lesson.kind)
            for name, value in values.items():
                setattr(row, name, value)
            if is_new:
                row.updated_at = row.added_at = at
                session.add(row)
                session.flush()
            has_new_content |= _put_body(session, outline, row, lesson.body, is_generated=lesson.is_generated)
            if has_new_content:
                row.revision += 1
                row.updated_at = at
            changed |= differs or has_new_content
    session.flush()
    return changed


def _keys(records: Sequence[SectionRecord]) -> dict[int, str]:
    """The key of each lesson of the records, by the identity of its object."""
    keys: dict[int, str] = {}
    taken: set[str] = set()
    for section in records:
        for lesson in section.lessons:
            keys[id(lesson)] = folded_key(lesson.source_key or lesson.title, taken)
            taken.add(keys[id(lesson)])
    return keys


def _match(outline: _Outline, records: Sequence[SectionRecord], keys: dict[int, str]) -> dict[int, Lesson]:
    """The stored lesson of each lesson of the records: all by their keys first, then what is left by its title."""
    lessons = [lesson for section in records for lesson in section.lessons]
    matched: dict[int, Lesson] = {}
    for lesson in lessons:
        if row := outline.unmatched.pop(keys[id(lesson)], None):
            matched[id(lesson)] = row
    for lesson in lessons:
        if id(lesson) in matched:
            continue
        same = next((row for row in outline.unmatched.values() if row.title == lesson.title), None)
        if same is not None:
            matched[id(lesson)] = outline.unmatched.pop(same.source_key)
    return matched


def _put_body(
    session: Session, outline: _Outline, row: Lesson, body: dict[str, Any] | None, *, is_generated: bool
) -> bool:
    """Whether the body changed. None leaves the stored one; a generated one never replaces what a person wrote."""
    stored = outline.bodies.get(row.id)
    if body is not None:
        lesson_bodies.check(row.kind, body)
    if body is None or (stored is not None and is_generated and not stored.is_generated):
        return False
    if stored is None:
        stored = outline.bodies[row.id] = LessonBody(lesson_id=row.id)
        session.add(stored)
    elif stored.body == body:
        return False
    stored.body, stored.is_generated = body, is_generated
    stored.search_text = lesson_bodies.search_text(body)
    return True


def _drop_missing(session: Session, outline: _Outline, at: datetime) -> bool:
    missing = [row for row in outline.unmatched.values() if row.withdrawn_at is None or row.section_id is not None]
    if not missing:
        return False
    ids = [row.id for row in missing]
    # Learners lock a lesson for sharing before they write in it: from here on nobody begins one of these.
    session.execute(select(Lesson.id).where(Lesson.id.in_(ids)).order_by(Lesson.id).with_for_update())
    studied = _studied_ids(session, ids)
    for row in missing:
        if row.id in studied:
            row.withdrawn_at, row.section_id = at, None
    unstudied = [key for key in ids if key not in studied]
    session.execute(delete(LessonBody).where(LessonBody.lesson_id.in_(unstudied)))
    session.execute(delete(Lesson).where(Lesson.id.in_(unstudied)))
    return True


def _studied_ids(session: Session, ids: list[int]) -> set[int]:
    """The ids of locked lessons that somebody has progress, attempts or a note in. Locking reads the newest rows, which
    MariaDB's snapshot may lack: with the lesson they would be deleted."""
    columns = (LessonProgress.lesson_id, QuizAttempt.lesson_id, LessonNote.lesson_id)

    def is_studied(lesson_id: int) -> bool:
        first = (select(column).where(column == lesson_id).limit(1).with_for_update(read=True) for column in columns)
        return any(session.scalar(query) is not None for query in first)

    return {lesson_id for lesson_id in ids if is_studied(lesson_id)}


def _excerpt(text: str) -> str:
    """The text, or its first paragraphs where it is long or goes on with a heading, a list, a table or a query: the
    course page shows paragraphs alone."""
    kept: list[str] = []
    length = 0
    for paragraph in text.strip().split("\n\n"):
        length += len(paragraph)
        if kept and (length > _PREVIEW_LENGTH or _BLOCK.match(paragraph)):
            break
        kept.append(paragraph)
    return "\n\n".join(kept)
