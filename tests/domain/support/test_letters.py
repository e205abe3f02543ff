"""Dead letters are replayed once and dropped with a reason, each recorded."""

import pytest
from sqlalchemy import func, select

from domain.audit.recording import Subject
from domain.database.list_page import ListQuery, read_list_page
from domain.errors import InvalidInput
from domain.staff.recorded_events import subject_entries
from domain.support import letters
from domain.tables import DeadLetter, Visit
from domain.visits import dead_letters
from tests.domain.visits.test_dead_letters import add, row
from tests.support import factories
from tests.support.factories import NOON


@pytest.fixture
def world(database):
    with database.write_session() as session:
        return database, factories.actor(factories.learner(session).id)


def put(database, number: int, error: str = "TypeError: no", **about) -> int:
    with database.write_session() as session:
        letter_id = add(session, row(number, **about))
        session.get_one(DeadLetter, letter_id).error = error
        return letter_id


def visits(database) -> int:
    with database.read_session() as session:
        return session.scalar(select(func.count()).select_from(Visit))


def actions(database, letter_id: int) -> list[str]:
    with database.read_session() as session:
        return [entry.action for entry in subject_entries(session, Subject("dead_letter", letter_id))]


@pytest.mark.each_database
def test_a_letter_is_stored_once_however_often_it_is_replayed(world):
    database, actor = world
    letter_id = put(database, 1)
    results = [database.write_as_sync(actor, letters.replay, letter_id, NOON) for _ in range(2)]
    assert [result.stored for result in results] == [1, 0]
    assert (visits(database), actions(database, letter_id)) == (1, ["dead_letter.replay"])


def test_letters_that_failed_alike_are_replayed_together_and_others_wait(world):
    database, actor = world
    first, second = put(database, 1, "TypeError: a"), put(database, 2, "TypeError")
    other = put(database, 3, "TypeErrorOfOthers: a")
    with database.read_session() as session:
        assert letters.count_alike(session, letters.letter(session, first)) == 2
    assert database.write_as_sync(actor, letters.replay_alike, first, NOON).stored == 2
    with database.read_session() as session:
        replayed = {letter_id: letters.letter(session, letter_id).replayed_at for letter_id in (first, second, other)}
    assert replayed == {first: NOON, second: NOON, other: None}


def test_one_that_fails_again_goes_on_waiting_with_its_new_error(world):
    database, actor = world
    letter_id = put(database, 1, at="yesterday")
    assert database.write_as_sync(actor, letters.replay, letter_id, NOON).failed == 1
    with database.read_session() as session:
        assert letters.letter(session, letter_id).error == "ValueError: Invalid isoformat string: 'yesterday'"
        assert [letter.id for letter in dead_letters.newest(session, 5)] == [letter_id]


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_dropping_needs_a_reason(world, reason):
    database, actor = world
    letter_id = put(database, 1)
    with pytest.raises(InvalidInput):
        database.write_as_sync(actor, letters.drop, letter_id, reason)
    assert actions(database, letter_id) == []


def test_a_dropped_letter_is_gone_and_its_event_says_why_without_its_message(world):
    database, actor = world
    letter_id = put(database, 1)
    database.write_as_sync(actor, letters.drop, letter_id, "A test of ours")
    with database.read_session() as session:
        assert session.get(DeadLetter, letter_id) is None
        event = subject_entries(session, Subject("dead_letter", letter_id))[0]
    assert (event.reason, event.before) == (
        "A test of ours",
        {"task": "visits.store", "cause": "TypeError", "failed_at": "2026-03-01T12:00:00Z"},
    )


@pytest.mark.each_database
def test_the_list_reads_neither_bodies_nor_whole_errors_as_the_event_loop_reads_it(world):
    database, _ = world
    letter_id = put(database, 1, f"TypeError: {'a' * 500}", url="/shop?a-long-body")
    with database.read_session() as session:
        [listed] = read_list_page(session, letters.LETTERS, ListQuery(10)).rows
        found = letters.letter(session, letter_id)
        body = letters.body_of(session, letter_id)
    assert (listed.cause, len(listed.error), len(found.error)) == ("TypeError", letters.CAUSE_LENGTH, 511)
    assert body["url"] == "/shop?a-long-body"
    assert "body" not in letters.LETTERS.rows.selected_columns
