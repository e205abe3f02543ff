"""`python -m host outbox` and `dead-letters`: what waits, what failed, and replaying it."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from config.settings import Settings
from contracts.payloads import OutboxItem
from contracts.tasks import OutboxKind, Topic
from domain.outbox import leases as outbox_leases
from domain.outbox import queue as outbox_queue
from domain.tables import DeadLetter, Outbox, Visit
from domain.visits.visits import NewVisit
from host.cli.care import dead_letters, outbox
from tests.host.cli.running import cells, run

MAIL = OutboxKind.CONTACT_CONFIRMATION
EVENT = "00000000-0000-4000-8000-000000000001"


@pytest.fixture
def settings(sqlite_database, tmp_path, monkeypatch) -> Settings:
    """Row 1 of the outbox is dead, row 2 waits; dead letter 1 can be stored, 2 cannot."""
    monkeypatch.setenv("COLUMNS", "200")
    now = datetime.now(UTC)
    good = NewVisit(EVENT, now.isoformat(), url="/shop").as_dict() | {"depth": 3}
    with sqlite_database.write_session() as session:
        for number in (1, 2):
            outbox_queue.enqueue(session, MAIL, OutboxItem(message_id=number), now)
        session.flush()
        outbox_leases.kill(
            session, outbox_leases.lease_next(session, Topic.MAIL, (MAIL,), now), now, "answered 550 [red]nobody"
        )
        for body in (good, good | {"at": "yesterday"}):
            session.add(DeadLetter(failed_at=now, task="visits.store", body=body, error="TypeError: depth"))
    return Settings(var_dir=tmp_path)


def test_waiting_and_dead_rows_are_listed_apart(settings, capsys):
    assert run(outbox, settings, "list", "--topic", "mail") == 0
    waiting = capsys.readouterr().out
    assert run(outbox, settings, "dead") == 0
    dead = capsys.readouterr().out
    assert [(row[0], row[1], row[3]) for row in cells(waiting)] == [("2", MAIL, "0")]
    assert [(row[0], row[3], row[5]) for row in cells(dead)] == [("1", "1", "answered 550 [red]nobody")]
    assert "mail: 1 waiting, 1 dead" in waiting.splitlines()


@pytest.mark.parametrize("words", [("1",), ("--all",), ("--all", "--topic", "mail")])
def test_dead_rows_are_queued_again(settings, sqlite_database, capsys, words):
    assert run(outbox, settings, "replay", *words) == 0
    assert capsys.readouterr().out == "1 row queued again.\n"
    with sqlite_database.read_session() as session:
        assert [row.dead_at for row in session.scalars(select(Outbox))] == [None, None]


def test_a_row_that_is_not_dead_is_refused(settings, capsys):
    assert run(outbox, settings, "replay", "1", "2", "9") == 1
    told = "Not a dead row of the outbox: 2, 9. `outbox dead` lists them. Nothing was replayed.\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize("command", [outbox, dead_letters])
@pytest.mark.parametrize("words", [(), ("1", "--all")])
def test_a_replay_needs_either_ids_or_all(settings, capsys, command, words):
    assert run(command, settings, "replay", *words) == 2
    assert capsys.readouterr().err.startswith("Name the ids of dead ")


def test_dead_letters_are_listed_with_error_and_body(settings, capsys):
    assert run(dead_letters, settings, "list") == 0
    shown = cells(capsys.readouterr().out)
    assert [(row[0], row[2], row[3]) for row in shown if row[0]] == [
        ("2", "visits.store", "TypeError: depth"),
        ("1", "visits.store", "TypeError: depth"),
    ]


def test_dead_letters_are_stored_again_and_the_rest_stays(settings, sqlite_database, capsys):
    assert run(dead_letters, settings, "replay", "--all") == 1
    assert capsys.readouterr().out == "1 replayed, 1 failed again; `dead-letters list` shows why.\n"
    with sqlite_database.read_session() as session:
        assert list(session.scalars(select(Visit.url))) == ["/shop"]
        assert [
            letter.error for letter in session.scalars(select(DeadLetter).where(DeadLetter.replayed_at.is_(None)))
        ] == ["ValueError: Invalid isoformat string: 'yesterday'"]


def test_one_dead_letter_is_stored_again(settings, capsys):
    assert run(dead_letters, settings, "replay", "1") == 0
    assert capsys.readouterr().out == "1 replayed, 0 failed again.\n"
    assert run(dead_letters, settings, "replay", "1") == 1
    assert (
        capsys.readouterr().err == "There is no dead letter 1; `dead-letters list` shows them. Nothing was replayed.\n"
    )


def test_without_dead_letters_it_says_so(sqlite_database, tmp_path, capsys):
    assert run(dead_letters, Settings(var_dir=tmp_path), "list") == 0
    assert capsys.readouterr().out == "There are no dead letters.\n"
