"""Dead letters are replayed once the cause is removed, and deleted after a time."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from contracts.payloads import VisitBatch, encode
from domain.tables import DeadLetter, Visit
from domain.visits import dead_letters, visits
from tests.support.factories import NOON

DAY = timedelta(days=1)
TASK = "visits.store"


def row(number: int, **about) -> dict:
    event = f"00000000-0000-4000-8000-{number:012}"
    return visits.NewVisit(event, NOON.isoformat(), url=f"/shop?n={number}").as_dict() | about


def add(session, body, failed_at=NOON, task=TASK) -> int:
    letter = DeadLetter(failed_at=failed_at, task=task, body=body, error="TypeError: no")
    session.add(letter)
    session.flush()
    return letter.id


def letters(session) -> dict[int, str]:
    session.expire_all()
    return {
        letter.id: letter.error
        for letter in session.scalars(select(DeadLetter).where(dead_letters.IS_WAITING).order_by(DeadLetter.id))
    }


def urls(session) -> list[str]:
    return list(session.scalars(select(Visit.url).order_by(Visit.event_id)))


def test_a_visit_with_a_field_of_a_newer_build_is_stored_by_replay(session):
    add(session, row(1, depth=3))
    assert dead_letters.replay(session, None, NOON).stored == 1
    assert (urls(session), letters(session)) == (["/shop?n=1"], {})


@pytest.mark.each_database
def test_a_visit_that_was_stored_meanwhile_counts_once(session):
    visits.store_visits(session, [row(1)], NOON)
    add(session, row(1, url="/forged"))
    assert dead_letters.replay(session, None, NOON).stored == 1
    assert (urls(session), letters(session)) == (["/shop?n=1"], {})


@pytest.mark.each_database
def test_a_whole_batch_is_replayed(session):
    add(session, encode(VisitBatch(rows=[row(1), row(2)])))
    assert dead_letters.replay(session, None, NOON).stored == 1
    assert urls(session) == ["/shop?n=1", "/shop?n=2"]


def test_a_letter_that_fails_again_stays_with_its_new_error(session):
    bad, good = add(session, row(1, at="yesterday")), add(session, row(2))
    replayed = dead_letters.replay(session, None, NOON)
    assert (replayed.stored, replayed.failed, replayed.last_id) == (1, 1, good)
    assert letters(session) == {bad: "ValueError: Invalid isoformat string: 'yesterday'"}
    assert dead_letters.replay(session, None, NOON, after_id=bad).last_id == 0


def test_only_the_chosen_letters_are_replayed(session):
    first, second = add(session, row(1)), add(session, row(2))
    assert dead_letters.replay(session, [second], NOON).stored == 1
    assert (list(letters(session)), urls(session)) == ([first], ["/shop?n=2"])


def test_a_letter_of_another_task_is_left(session):
    letter = add(session, row(1), task="orders.place")
    assert dead_letters.replay(session, None, NOON).failed == 1
    assert (list(letters(session)), urls(session)) == ([letter], [])


def test_an_unknown_letter_is_named(session):
    letter = add(session, row(1))
    with pytest.raises(dead_letters.NoSuchLetter, match=f"There is no dead letter {letter + 7}"):
        dead_letters.require_existing(session, [letter, letter + 7])


@pytest.mark.each_database
def test_old_letters_are_deleted_and_those_beyond_the_maximum(session, monkeypatch):
    add(session, row(1), NOON - 2 * DAY)
    kept = [add(session, row(number), NOON) for number in (2, 3, 4)]
    assert dead_letters.delete_old(session, NOON - DAY) == 1
    assert list(letters(session)) == kept
    monkeypatch.setattr(dead_letters, "MAX_LETTERS", 2)
    assert dead_letters.delete_old(session, NOON - DAY) == 1
    assert (list(letters(session)), dead_letters.delete_old(session, NOON - DAY)) == (kept[1:], 0)
