"""`python -m host staff` and `audit`: the first administrator, and a chain of events that can be checked."""

import pytest
from sqlalchemy import update

from config.settings import Settings
from domain.audit.recording import EVENTS
from host.cli.staff import audit, roles
from tests.host.cli.running import run
from tests.support import factories


@pytest.fixture
def settings(sqlite_database, tmp_path, monkeypatch) -> Settings:
    monkeypatch.setenv("COLUMNS", "200")
    with sqlite_database.write_session() as session:
        factories.learner(session, "Ada Lovelace", student_number="s-ada2-lq27")
    return Settings(var_dir=tmp_path)


def test_the_first_administrator_is_made_by_a_command_and_stays(settings, capsys):
    words = ("S-ADA2-LQ27", "administrator")
    assert run(roles, settings, "list") == 0
    assert "Nobody has a role yet" in capsys.readouterr().out
    answers = [run(roles, settings, action, *words) for action in ("add", "add", "remove")]
    shown = capsys.readouterr()
    assert (answers, shown.out.splitlines()) == (
        [0, 0, 1],
        [
            "S-ADA2-LQ27 has the role administrator now.",
            "S-ADA2-LQ27 has the role administrator already.",
        ],
    )
    assert shown.err == "This is the last administrator. Make somebody else an administrator first.\n"
    assert run(roles, settings, "list") == 0
    table = capsys.readouterr().out
    assert all(word in table for word in ("S-ADA2-LQ27", "Ada Lovelace", "administrator", "never"))


def test_a_role_is_taken_and_an_unknown_number_is_refused(settings, capsys):
    assert run(roles, settings, "add", "s-ada2-lq27", "editor", "--reason", "Joined") == 0
    assert [run(roles, settings, "remove", "S-ADA2-LQ27", "editor") for _ in range(2)] == [0, 0]
    assert capsys.readouterr().out.splitlines()[1:] == [
        "S-ADA2-LQ27 does not have the role editor any more.",
        "S-ADA2-LQ27 does not have the role editor.",
    ]
    assert run(roles, settings, "add", "S-0000-0000", "editor") == 1
    assert "Nobody has this student number" in capsys.readouterr().err


def test_events_are_checked_in_slices_and_a_changed_one_is_named(settings, sqlite_database, monkeypatch, capsys):
    monkeypatch.setattr(audit, "SLICE", 2)
    assert run(audit, settings, "verify") == 0
    for role in ("editor", "finance", "support"):
        run(roles, settings, "add", "S-ADA2-LQ27", role)
    capsys.readouterr()
    assert [run(audit, settings, "verify"), run(audit, settings, "verify", "--after", "3")] == [0, 0]
    assert capsys.readouterr().out == "All events up to number 3 are as they were recorded.\n" * 2
    with sqlite_database.write_session() as session:
        session.execute(update(EVENTS).where(EVENTS.c.number == 3).values(reason="x"))
    assert run(audit, settings, "verify") == 1
    assert capsys.readouterr().err == "Event 3 is not as it was recorded; 2 before it are.\n"
