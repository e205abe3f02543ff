"""Files of deleted pictures: a task deletes them, but none that something else has."""

from pathlib import Path

import pytest
from sqlalchemy import delete, select

from contracts.tasks import Task
from domain.images import image_rows, unused_files
from domain.images.image_rows import NewImage, Rendition
from domain.learning import files
from domain.learning.files import FileFacts
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import File, Image, ItemFile, Lesson, LessonBody
from tests.support import factories
from tests.support.factories import NOON
from workers import periodic

pytestmark = pytest.mark.each_database


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    return tmp_path / "files"


@pytest.fixture
def records(database, monkeypatch):
    monkeypatch.setattr(periodic, "database", lambda: database)
    monkeypatch.setattr(unused_files, "BATCH", 2)
    return database


def store(session, folder: Path, *contents: str) -> str:
    """A picture with a rendition for each of the contents; the digest of the last one's file."""
    renditions = []
    for place, content in enumerate(contents):
        path = folder.parent / f"{content}.webp"
        path.write_text(content)
        renditions.append(Rendition(path, 800 - place, 600))
    image = image_rows.store(session, folder, renditions, NewImage("a.png", "A", None), NOON)
    return list(session.get_one(Image, image.id).sizes.values())[-1]


def left(records, folder: Path) -> list[str]:
    """What is in the files that have a row. Others have no contents either."""
    with records.read_session() as session:
        paths = [files.path_of(folder, digest) for digest in session.scalars(select(File.sha256))]
    assert set(paths) == {path for path in folder.rglob("*") if path.is_file()}
    return sorted(path.read_text() for path in paths)


def put_lesson(session, course_id: int, body: dict[str, str]) -> None:
    publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", (LessonRecord("One", 5),)),), NOON)
    lesson_id = session.scalars(select(Lesson.id)).one()
    session.execute(delete(LessonBody))
    session.add(LessonBody(lesson_id=lesson_id, body=body))


def test_the_files_of_deleted_pictures_are_deleted_those_of_others_stay(records, folder):
    with records.write_session() as session:
        store(session, folder, "one", "two", "three")
        session.execute(delete(Image))
        store(session, folder, "four", "three")
    periodic.run(Task.DELETE_UNUSED_FILES)
    assert left(records, folder) == ["four", "three"]


def test_a_file_stays_that_a_lesson_shows_or_a_download_gives(records, folder):
    with records.write_session() as session:
        text, poster, download = (store(session, folder, name) for name in ("text", "poster", "download"))
        store(session, folder, "unused")
        session.execute(delete(Image))
        category = factories.category(session).id
        course, item = factories.course(session, category), factories.item(session, category)
        put_lesson(session, course.id, {"text": f"![A](/files/{text})", "poster": poster})
        file_id = session.scalars(select(File.id).where(File.sha256 == download)).one()
        session.add(ItemFile(item_id=item.id, file_id=file_id, position=0))
    periodic.run(Task.DELETE_UNUSED_FILES)
    assert left(records, folder) == ["download", "poster", "text"]


def test_a_file_stays_that_somebody_sends_for_lessons_too(records, folder):
    with records.write_session() as session:
        store(session, folder, "both")
        session.execute(delete(Image))
        files.store(session, folder, b"both", FileFacts("a.webp", "image/webp", "lesson"), NOON)
    periodic.run(Task.DELETE_UNUSED_FILES)
    assert left(records, folder) == ["both"]
