"""A package taken over into the outline of a course, through the save of the outline's editor: what it would bring, and
what the saved outline takes of it.

A lesson is known again by what our own file says of it, else by the key that it got when the package, or an earlier
export of the same course, was taken over. It then keeps its id, and with it the progress of learners, also when it was
withdrawn meanwhile.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.course_packages.archive import Archive
from domain.course_packages.own_outline import check_of
from domain.course_packages.package import CoursePackage, PackageFile, PackageLesson
from domain.errors import InvalidInput
from domain.learning import files, lesson_bodies
from domain.learning.files import FileFacts
from domain.permissions import Actor
from domain.publishing.editing import course_outline, lesson_content
from domain.publishing.editing.course_outline import EditedLesson, EditedOutline
from domain.publishing.editing.lesson_content import LessonDraft
from domain.publishing.editing.stored_course import Edit, locked_course, stored_course
from domain.publishing.lessons import folded_key
from domain.publishing.records import Json
from domain.tables import Lesson, LessonBody
from domain.text_direction import isolated


@dataclass(frozen=True)
class ComingLesson:
    """`id`: of the lesson in the outline whose contents it would replace; None: it is a new one, or `returns`, with
    its id and what learners did in it, after it was withdrawn."""

    lesson: PackageLesson
    id: int | None
    returns: bool


@dataclass(frozen=True)
class ComingSection:
    title: str
    lessons: tuple[ComingLesson, ...]


def coming_sections(session: Session, course_id: int, package: CoursePackage) -> tuple[ComingSection, ...]:
    """What the package would bring into this course. Raises NotFound."""
    stored_course(session, course_id)
    rows = _matches(session, course_id, package)

    def coming(lesson: PackageLesson) -> ComingLesson:
        row = rows.get(lesson.ref)
        is_there = row is not None and row.withdrawn_at is None
        return ComingLesson(lesson, row.id if row is not None and is_there else None, row is not None and not is_there)

    return tuple(ComingSection(section.title, tuple(map(coming, section.lessons))) for section in package.sections)


def place_files(archive: Archive, package: CoursePackage, refs: Collection[str], folder: Path) -> list[PackageFile]:
    """Put the contents of these lessons' files in their place, where they change nothing until their rows come; those
    that are there already are not written again. Raises PackageRefused, OSError."""
    bodies = [lesson.body for lesson in package.lessons if lesson.ref in refs]
    digests = dict.fromkeys(digest for body in bodies for digest in lesson_bodies.file_digests(body))
    used = [package.files[digest] for digest in digests if digest in package.files]
    for file in used:
        files.place_content(folder, file.sha256, archive.chunks(file.path))
    return used


@dataclass(frozen=True)
class PackageSource:
    """A package whose lessons an outline takes. `files`: those that are in their place; `folder`: where."""

    package: CoursePackage
    files: list[PackageFile]
    folder: Path


def change_outline(session: Session, edit: Edit, edited: EditedOutline, source: PackageSource) -> int:
    """Store an outline with lessons of a package, and return the new version. Raises as
    `course_outline.change_outline`, and InvalidInput for a lesson that the package lacks."""
    # First of all: lessons are locked before files.
    locked_course(session, edit.product_id, edit.version)
    _add_rows(session, source.files, edit.actor)
    rows = _matches(session, edit.product_id, source.package)
    lessons = {lesson.ref: lesson for lesson in source.package.lessons}

    def filled(lesson: EditedLesson) -> EditedLesson:
        if not lesson.ref:
            return lesson
        if (coming := lessons.get(lesson.ref)) is None:
            raise InvalidInput({"form": f"“{isolated(lesson.title)}” is not in the package that was sent last."})
        row = rows.get(coming.ref)
        key = coming.source_key if row is None else row.source_key
        body = _body(session, lesson, coming, source.folder, edit.actor)
        is_same = row is not None and (row.id, row.kind) == (lesson.id, coming.kind)
        if row is not None and is_same and _says_the_same(session.get(LessonBody, row.id), body):
            # Forms of one body differ by what is empty in it, which must not look like a change to learners.
            body = None
        return replace(lesson, kind=coming.kind, body=body, source_key=key)

    sections = tuple(
        replace(section, lessons=tuple(filled(lesson) for lesson in section.lessons)) for section in edited.sections
    )
    return course_outline.change_outline(session, edit, replace(edited, sections=sections))


def record_export(session: Session, course_id: int) -> None:
    """The lessons of the course were saved as a file. For `Database.write_as`."""
    recording.record(session, "course.export", Subject("course", course_id))


def _body(session: Session, lesson: EditedLesson, coming: PackageLesson, folder: Path, actor: Actor) -> Json | None:
    """None for a study sheet of the shop: it stays, or is written anew of this course's texts."""
    if coming.own is not None and coming.own.is_generated:
        return None
    draft = LessonDraft(lesson.title, coming.kind, lesson.minutes, coming.body, coming.tracks)
    if not lesson.title.strip():
        # The outline says so itself.
        draft = replace(draft, title=coming.title)
    try:
        return lesson_content.body_to_store(session, draft, folder, actor)
    except InvalidInput as error:
        reasons = " ".join(dict.fromkeys(error.errors.values()))
        raise InvalidInput({"form": f"“{isolated(draft.title)}” cannot be taken over: {reasons}"}) from error


def _says_the_same(stored: LessonBody | None, body: Json | None) -> bool:
    return stored is not None and _filled(stored.body) == _filled(body)


def _filled(value: Any) -> Any:
    """Without what is empty, at every level."""
    if isinstance(value, Mapping):
        return {name: _filled(inner) for name, inner in value.items() if inner}
    return [_filled(inner) for inner in value] if isinstance(value, list | tuple) else value


def _add_rows(session: Session, used: list[PackageFile], actor: Actor) -> None:
    for file in used:
        facts = FileFacts(file.name, file.media_type, "lesson", created_by=actor.learner_id)
        files.add_row(session, file.sha256, file.bytes, facts, actor.at)


def _matches(session: Session, course_id: int, package: CoursePackage) -> Mapping[str, Lesson]:
    """The stored lessons of this course, also withdrawn ones, by the `ref` of the package's; each once."""
    stored = session.scalars(select(Lesson).where(Lesson.course_id == course_id)).all()
    by_id = {row.id: row for row in stored}
    by_key = {row.source_key: row for row in stored}
    found: dict[str, Lesson] = {}
    used: set[int] = set()
    for lesson in package.lessons:
        own = None if lesson.own is None else by_id.get(lesson.own.id)
        if own is not None and lesson.own is not None and check_of(own.id, own.added_at) != lesson.own.check:
            own = None
        row = own or by_key.get(folded_key(lesson.source_key))
        if row is not None and row.id not in used:
            found[lesson.ref] = row
            used.add(row.id)
    return found
