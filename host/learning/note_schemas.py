"""JSON forms of the notes that learners write in lessons."""

from datetime import datetime

from pydantic import BaseModel
from typing_extensions import TypedDict

from domain.learning import notes
from domain.learning.addresses import course_href, lesson_href
from domain.learning.notes import Note
from host.learning.course_schemas import LearningLink


class LessonNote(TypedDict):
    """Plain text. `version` 0: not written yet. A change names the version that it was made from."""

    lesson: int
    body: str
    version: int
    updatedAt: datetime | None


class NoteInList(LessonNote):
    course: LearningLink
    link: LearningLink


class LessonNotes(BaseModel):
    """The newest first, 24 a page; `total`: of all pages."""

    notes: list[NoteInList]
    total: int


def listed_note(entry: notes.NoteInList) -> NoteInList:
    return {
        **note_view(entry.note),
        "course": {"name": entry.course_name, "href": course_href(entry.course_slug)},
        "link": {"name": entry.lesson_title, "href": lesson_href(entry.course_slug, entry.note.lesson_id)},
    }


def note_view(note: Note) -> LessonNote:
    return {"lesson": note.lesson_id, "body": note.body, "version": note.version, "updatedAt": note.updated_at}
