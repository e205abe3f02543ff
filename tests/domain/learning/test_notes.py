"""Notes in lessons: one text per learner and lesson, and no change lost to another tab."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from domain.errors import InvalidInput, NotFound
from domain.learning import grants, notes
from domain.learning.grants import GrantSource
from domain.learning.notes import NewNote, Note, NoteChanged
from domain.tables import LessonNote
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import World
from tests.support.factories import NOON

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def world(session) -> World:
    return quiz_world.fill(session)


def put(world: World, body: str, version: int = 0, at=NOON) -> Note:
    return notes.put(world.session, world.learner_id, world.lesson("One").id, NewNote(body, version), at)


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


@pytest.mark.each_database
def test_a_note_has_at_most_its_length(world):
    assert put(world, "ä" * notes.MAX_LENGTH).version == 1
    with pytest.raises(InvalidInput, match="20,000"):
        put(world, "ä" * (notes.MAX_LENGTH + 1), 1)
    assert len(read(world).body) == notes.MAX_LENGTH


def test_notes_stay_readable_for_thirty_days_after_the_access(world):
    put(world, "Text")
    grants.end(world.session, GrantSource("order", 1), NOON, "refund")
    assert read(world, NOON + timedelta(days=29)).body == "Text"
    assert notes.page(world.session, world.learner_id, 1, NOON + timedelta(days=29))[0] == 1
    for refused in (lambda: read(world, NOON + timedelta(days=30)), lambda: put(world, "New", 1, LATER)):
        with pytest.raises(NotFound):
            refused()
    assert notes.page(world.session, world.learner_id, 1, NOON + timedelta(days=30)) == (0, ())


def test_nobody_reads_or_writes_in_a_course_of_others(world):
    put(world, "Private")
    lesson = world.lesson("One").id
    for refused in (notes.read, lambda *args: notes.put(*args[:3], NewNote("Text", 1), NOON)):
        with pytest.raises(NotFound):
            refused(world.session, 999, lesson, NOON)
    assert [row.body for row in world.session.scalars(select(LessonNote))] == ["Private"]


def test_the_newest_notes_come_first_and_emptied_ones_not_at_all(world):
    titles = ("One", "Test", "Last")
    for minute, title in enumerate(titles):
        at = NOON + timedelta(minutes=minute)
        notes.put(world.session, world.learner_id, world.lesson(title).id, NewNote(title, 0), at)
    put(world, "", 1, LATER)
    count, shown = notes.page(world.session, world.learner_id, 1, LATER)
    assert (count, [entry.lesson_title for entry in shown]) == (2, ["Last", "Test"])
    assert (shown[0].course_slug, shown[0].course_name, shown[0].note.body) == ("vat-basics", "Vat Basics", "Last")
    assert notes.page(world.session, world.learner_id, 2, LATER) == (2, ())


TABS = 8


@pytest.fixture
def tabs(database):
    """A learner with a note of which every tab has the first version."""
    with database.write_session() as session:
        world = quiz_world.fill(session)
        put(world, "First")
        return database, world.learner_id, world.lesson("One").id


def at_once(work) -> set[str]:
    """What all tabs hear when each has read the note before one of them stores its own."""
    gate = Barrier(TABS, timeout=10)
    with ThreadPoolExecutor(TABS) as threads:
        return set(threads.map(lambda number: work(number, gate), range(TABS)))


def stored(database) -> tuple[str, int]:
    with database.read_session() as session:
        row = session.scalars(select(LessonNote)).one()
        return row.body, row.version


@pytest.mark.each_database
def test_of_tabs_that_save_at_once_one_wins_and_the_others_hear_of_it(tabs):
    database, learner_id, lesson_id = tabs

    def save(number: int, gate: Barrier) -> str:
        with database.read_session() as session:
            read_before = notes.note_of(session, learner_id, lesson_id)
        gate.wait()
        draft = NewNote(f"Text {number}", read_before.version)
        try:
            return database.write_sync(notes.put, learner_id, lesson_id, draft, NOON).body
        except NoteChanged as changed:
            return changed.stored.body

    heard = at_once(save)
    body, version = stored(database)
    assert (heard, version) == ({body}, 2)


@pytest.mark.each_database
def test_without_the_check_of_versions_tabs_overwrite_each_other_and_hear_nothing(tabs):
    """The negative control: each stores the version after the one that it has read."""
    database, learner_id, lesson_id = tabs

    def save_unguarded(number: int, gate: Barrier) -> str:
        with database.read_session() as session:
            read_before = notes.note_of(session, learner_id, lesson_id)
        gate.wait()
        with database.write_session() as session:
            row = session.scalars(select(LessonNote)).one()
            row.body, row.version = f"Text {number}", read_before.version + 1
            return row.body

    heard = at_once(save_unguarded)
    assert (len(heard), stored(database)[1]) == (TABS, 2)


def test_the_notes_of_a_course_are_read_until_their_last_day(world):
    put(world, "Mine")
    grants.end(world.session, GrantSource("order", 1), NOON, "refund")
    last = NOON + notes.READABLE_AFTER_ACCESS
    found = notes.of_course(world.session, world.learner_id, world.course_id, last - timedelta(seconds=1))
    assert [(entry.lesson_title, entry.note.body) for entry in found] == [("One", "Mine")]
    assert notes.of_course(world.session, world.learner_id, world.course_id, last) == ()
    assert notes.of_course(world.session, world.learner_id, world.course_id + 1, NOON) == ()
