"""When copies, restores and secrets were last renewed, and what is late."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.audit import recording
from domain.health import upkeep
from domain.health.upkeep import BACKUP, RESTORE, UpkeepState
from domain.tables import AuditEvent, Upkeep
from tests.support import factories
from tests.support.factories import NOON

SECRET = "a-secret-of-the-shop-that-nobody-sees"


def note(session, at, **values):
    names = upkeep.new_keys(session, values)
    upkeep.note_keys(session, values, names, at)
    session.flush()
    return names


def test_without_any_row_a_copy_and_a_restore_are_late(session):
    assert upkeep.read(session, NOON) == [
        UpkeepState(BACKUP, None, is_late=True),
        UpkeepState(RESTORE, None, is_late=True),
    ]


@pytest.mark.parametrize(
    ("name", "age", "is_late"),
    [
        (BACKUP, timedelta(hours=2), False),
        (BACKUP, timedelta(hours=2, seconds=1), True),
        (RESTORE, timedelta(days=90), False),
        (RESTORE, timedelta(days=90, seconds=1), True),
        ("key.SECRET_KEY", timedelta(days=365), False),
        ("key.SECRET_KEY", timedelta(days=365, seconds=1), True),
    ],
)
def test_what_is_older_than_its_time_is_late(session, name, age, is_late):
    session.add(Upkeep(name=name, at=NOON - age, facts={"bytes": 1_000}))
    session.flush()
    [found] = [done for done in upkeep.read(session, NOON) if done.name == name]
    assert found == UpkeepState(name, NOON - age, is_late, 1_000)


@pytest.mark.each_database
def test_a_secret_keeps_its_time_until_it_changes_and_is_stored_nowhere(session):
    later = NOON + timedelta(days=1)
    assert note(session, NOON, SECRET_KEY=SECRET, PAYMENTS_KEY="sk_1", CERTIFICATE_KEY="") == [
        "PAYMENTS_KEY",
        "SECRET_KEY",
    ]
    assert note(session, later, SECRET_KEY=SECRET, PAYMENTS_KEY="sk_1") == []
    assert note(session, later, SECRET_KEY=SECRET, PAYMENTS_KEY="sk_2") == ["PAYMENTS_KEY"]
    done = {one.name: one.at for one in upkeep.read(session, later)}
    assert (done["key.SECRET_KEY"], done["key.PAYMENTS_KEY"]) == (NOON, later)
    rows = session.scalars(select(Upkeep)).all()
    assert not [row for row in rows if SECRET in str(row.facts) or "sk_" in str(row.facts)]
    assert len({row.facts["salt"] for row in rows}) == 2
    assert note(session, later, SECRET_KEY=SECRET) == ["PAYMENTS_KEY"]
    assert [one.name for one in upkeep.read(session, later)] == [BACKUP, RESTORE, "key.SECRET_KEY"]


@pytest.mark.each_database
def test_a_tested_restore_is_recorded_with_what_was_looked_at(session):
    actor = factories.actor(factories.learner(session).id, "administrator", at=NOON)
    for _ in range(2):
        recording.run(session, actor, upkeep.record_restore, actor, "The copy of Monday, orders counted.")
    assert upkeep.read(session, NOON)[1] == UpkeepState(RESTORE, NOON, is_late=False)
    events = session.scalars(select(AuditEvent)).all()
    assert [(event.action, event.reason) for event in events] == [
        ("restore.test", "The copy of Monday, orders counted.")
    ] * 2
