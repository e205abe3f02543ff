"""Notes in lessons: one text per learner and lesson, and no change lost to another tab."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.errors import InvalidInput, NotFound
from domain.learning import grants, notes
from domain.learning.grants import Source
from domain.learning.notes import Draft, Note, NoteChanged
from domain.tables import LessonNote
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import World
from tests.support.factories import NOON

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def world(session) -> World:
    return quiz_world.fill(session)


def put(world: World, body: str, version: int = 0, at=NOON) -> Note:
    return notes.put(world.session, world.learner_id, world.lesson("One").id, Draft(body, version), at)


def read(world: World, at=NOON) -> Note:
    return notes.read(world.session, world.learner_id, world.lesson("One").id, at)


def test_a_note_is_stored_and_counted(world):
    lesson = world.lesson("One").id
    assert read(world) == Note(lesson, "", 0, None)
    assert put(world, "First\r\nline  ") == Note(lesson, "First\nline", 1, NOON)
    assert put(world, "Second 😀 音", 1, LATER) == Note(lesson, "Second 😀 音", 2, LATER) == read(world)


def test_the_stored_text_again_changes_nothing(world):
    first = put(world, "Text")
    assert put(world, "Text", 0, LATER) == first
    assert put(world, "", 1, LATER).version == 2
    assert put(world, "", 1, LATER).version == 2


def test_a_note_changed_elsewhere_is_kept_and_returned(world):
    put(world, "Mine")
    with pytest.raises(NoteChanged) as changed:
        put(world, "Theirs", 0, LATER)
    assert (changed.value.stored.body, changed.value.stored.version) == ("Mine", 1)
    assert read(world).body == "Mine"


def test_a_note_has_at_most_its_length(world):
    assert put(world, "ä" * notes.MAX_LENGTH).version == 1
    with pytest.raises(InvalidInput, match="20,000"):
        put(world, "ä" * (notes.MAX_LENGTH + 1), 1)
    assert len(read(world).body) == notes.MAX_LENGTH


def test_notes_stay_readable_for_thirty_days_after_the_access(world):
    put(world, "Text")
    grants.end(world.session, Source("order", 1), NOON, "refund")
    assert read(world, NOON + timedelta(days=29)).body == "Text"
    assert notes.page(world.session, world.learner_id, 1, NOON + timedelta(days=29))[0] == 1
    for refused in (lambda: read(world, NOON + timedelta(days=30)), lambda: put(world, "New", 1, LATER)):
        with pytest.raises(NotFound):
            refused()
    assert notes.page(world.session, world.learner_id, 1, NOON + timedelta(days=30)) == (0, ())


def test_nobody_reads_or_writes_in_a_course_of_others(world):
    put(world, "Private")
    lesson = world.lesson("One").id
    for refused in (notes.read, lambda *args: notes.put(*args[:3], Draft("Text", 1), NOON)):
        with pytest.raises(NotFound):
            refused(world.session, 999, lesson, NOON)
    assert [row.body for row in world.session.scalars(select(LessonNote))] == ["Private"]


def test_the_newest_notes_come_first_and_emptied_ones_not_at_all(world):
    titles = ("One", "Test", "Last")
    for minute, title in enumerate(titles):
        at = NOON + timedelta(minutes=minute)
        notes.put(world.session, world.learner_id, world.lesson(title).id, Draft(title, 0), at)
    put(world, "", 1, LATER)
    count, shown = notes.page(world.session, world.learner_id, 1, LATER)
    assert (count, [entry.lesson_title for entry in shown]) == (2, ["Last", "Test"])
    assert (shown[0].course_slug, shown[0].course_name, shown[0].note.body) == ("vat-basics", "Vat Basics", "Last")
    assert notes.page(world.session, world.learner_id, 2, LATER) == (2, ())


def test_of_tabs_that_save_at_once_one_wins_and_the_others_hear_of_it(database):
    with database.write_session() as session:
        world = quiz_world.fill(session)
        lesson_id = world.lesson("One").id

    def save(number: int) -> str:
        try:
            return database.write_sync(notes.put, world.learner_id, lesson_id, Draft(f"Text {number}", 0), NOON).body
        except NoteChanged as changed:
            return changed.stored.body

    with ThreadPoolExecutor(8) as threads:
        heard = set(threads.map(save, range(8)))
    with database.read_session() as session:
        row = session.scalars(select(LessonNote)).one()
        assert (heard, row.version) == ({row.body}, 1)


def test_without_versions_the_last_tab_overwrites_the_others(world):
    """The negative control: a change that does not say what it was made from."""
    put(world, "Mine")
    row = world.session.scalars(select(LessonNote)).one()
    put(world, "Theirs", row.version)
    assert read(world).body == "Theirs"
