"""A lesson that is begun while its course is imported without it: what its learner did stays.

SQLite has one writer at a time: there nothing is begun meanwhile.
"""

from contextlib import nullcontext

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from domain.learning import grants, notes, progress
from domain.learning.grants import GrantSource
from domain.learning.notes import NewNote
from domain.learning.progress_merge import ProgressChange
from domain.publishing import lessons
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Lesson, LessonNote, LessonProgress, QuizAttempt
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.mariadb

COLUMNS = (LessonProgress.lesson_id, QuizAttempt.lesson_id, LessonNote.lesson_id)


def studied_in_snapshot(session, ids: list[int]) -> set[int]:
    """The negative control: what the transaction's snapshot knows."""
    return {key for column in COLUMNS for key in session.scalars(select(column).where(column.in_(ids)))}


def put(session, course_id: int, *titles: str) -> None:
    records = tuple(LessonRecord(title, 5) for title in titles)
    publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", records),), NOON)


@pytest.mark.parametrize(
    ("studied_ids", "outcome", "withdrawn"),
    [
        (lessons._studied_ids, nullcontext(), ["One", "Two"]),
        # The import fails: the foreign keys are the second guard.
        (studied_in_snapshot, pytest.raises(IntegrityError), []),
    ],
)
def test_progress_and_notes_that_are_stored_during_an_import_stay(
    mariadb_database, monkeypatch, studied_ids, outcome, withdrawn
):
    database = mariadb_database
    monkeypatch.setattr(lessons, "_studied_ids", studied_ids)
    with database.write_session() as session:
        course = factories.course(session, factories.category(session).id).id
        put(session, course, "One", "Two", "Three")
        learner = factories.learner(session).id
        grants.grant(session, learner, [course], GrantSource("order", 1), NOON)
        ids = dict(session.execute(select(Lesson.title, Lesson.id)).all())
    # On MariaDB it may write, and keeps the state of its first read, as at the level that the server has by default.
    with outcome, database.read_session() as slow:
        slow.scalars(select(Lesson.id)).all()
        database.write_sync(progress.record, learner, [ProgressChange(ids["One"], NOON, True)], NOON)
        database.write_sync(notes.put, learner, ids["Two"], NewNote("Mine", 0), NOON)
        put(slow, course, "Three")
    with database.read_session() as session:
        done = session.scalars(select(LessonProgress.lesson_id)).all()
        written = session.scalars(select(LessonNote.lesson_id)).all()
        kept = session.scalars(select(Lesson.title).where(Lesson.withdrawn_at.is_not(None)).order_by(Lesson.id)).all()
    assert (done, written, kept) == ([ids["One"]], [ids["Two"]], withdrawn)
