"""Mails of the outbox are sent again once, whoever presses, and each press that sends is recorded."""

import pytest
from sqlalchemy import select

from contracts.payloads import OutboxItem
from contracts.tasks import OutboxKind, Topic
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.outbox import leases as outbox_leases
from domain.outbox import queue as outbox_queue
from domain.staff.recorded_events import subject_entries
from domain.support import mails
from domain.tables import Outbox
from tests.support import factories
from tests.support.factories import NOON

KIND = OutboxKind.CONTACT_CONFIRMATION


@pytest.fixture
def world(database):
    with database.write_session() as session:
        return database, factories.learner(session).id


def add(database, end=None) -> int:
    with database.write_session() as session:
        outbox_queue.enqueue(session, KIND, OutboxItem(message_id=1), NOON)
        session.flush()
        if end is not None:
            lease = outbox_leases.lease_next(session, Topic.MAIL, (KIND,), NOON)
            assert end(session, lease, NOON, *([] if end is outbox_leases.finish else ["refused"]))
        return session.scalars(select(Outbox.id).order_by(Outbox.id.desc())).first()


def press(database, actor: int, number: int) -> int:
    return database.write_as_sync(factories.actor(actor), mails.send_again, number, NOON)


def states(database) -> list[tuple[int, str]]:
    with database.read_session() as session:
        ids = session.scalars(select(Outbox.id).order_by(Outbox.id)).all()
        return [(number, mails.mail(session, number).state) for number in ids]


def events(database, number: int) -> int:
    with database.read_session() as session:
        return len(subject_entries(session, Subject("mail", number)))


def test_a_failed_mail_begins_anew_and_a_second_press_changes_nothing(world):
    database, actor = world
    number = add(database, outbox_leases.kill)
    assert [press(database, actor, number) for _ in range(2)] == [number, number]
    assert (states(database), events(database, number)) == ([(number, "waiting")], 1)


@pytest.mark.each_database
def test_a_sent_mail_is_copied_once_while_the_copy_waits(world):
    database, actor = world
    number = add(database, outbox_leases.finish)
    copies = [press(database, actor, number) for _ in range(2)]
    assert copies[0] == copies[1] != number
    assert states(database) == [(number, "sent"), (copies[0], "waiting")]
    with database.read_session() as session:
        assert mails.mail(session, number).body == mails.mail(session, copies[0]).body
    assert events(database, number) == 1


@pytest.mark.each_database
def test_without_looking_for_a_copy_a_second_press_would_send_twice(world, monkeypatch):
    database, actor = world
    number = add(database, outbox_leases.finish)
    monkeypatch.setattr(mails, "_waiting_copy", lambda _session, _found: None)
    assert len({press(database, actor, number) for _ in range(2)}) == 2


def test_a_row_of_another_topic_is_no_mail(world):
    database, actor = world
    with database.write_session() as session:
        row = Outbox(topic="payments", kind="payments.refund", body={}, created_at=NOON, attempts=0, dead_at=NOON)
        session.add(row)
        session.flush()
        number = row.id
    with pytest.raises(NotFound):
        press(database, actor, number)


@pytest.mark.parametrize("state", mails.STATES)
def test_the_list_is_filtered_by_state(world, state):
    database, _ = world
    numbers = {
        "sent": add(database, outbox_leases.finish),
        "failed": add(database, outbox_leases.kill),
        "waiting": add(database),
    }
    with database.read_session() as session:
        found = session.scalars(select(Outbox.id).where(mails.STATES[state])).all()
    assert found == [numbers[state]]
