"""What the page of a lesson shows, in five statements, four where the outline is cached."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.learning import notes
from domain.learning.notes import Note
from domain.learning.views.course import lesson_of
from domain.learning.views.courses import own_course_of_slug
from domain.learning.views.records import LessonContent


@dataclass(frozen=True)
class LessonPage:
    content: LessonContent
    note: Note


def lesson_page(session: Session, learner_id: int, slug: str, lesson_id: int, at: datetime) -> LessonPage | None:
    """None for every page that says more than the lesson: of another slug, a course without access or one that is
    retired, and a lesson that is not there."""
    own = own_course_of_slug(session, learner_id, slug, at)
    # MariaDB ignores trailing spaces in comparisons.
    if own is None or own.row.slug != slug or own.row.status == "retired":
        return None
    try:
        content = lesson_of(session, own, lesson_id)
    except NotFound:
        return None
    return LessonPage(content, notes.note_of(session, learner_id, lesson_id))
