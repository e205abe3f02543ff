"""A row of the outbox is leased by one worker at a time; how a lease ends decides what becomes of the row."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from contracts.payloads import OutboxItem
from contracts.tasks import OutboxKind, Topic
from domain.outbox import leases as outbox_leases
from domain.outbox import queue as outbox_queue
from domain.outbox.leases import LEASE
from domain.tables import Outbox
from tests.support.factories import NOON

MAIL = OutboxKind.CONTACT_CONFIRMATION
SECOND = timedelta(seconds=1)


def enqueue(session, count: int = 1) -> None:
    for number in range(1, count + 1):
        outbox_queue.enqueue(session, MAIL, OutboxItem(message_id=number), NOON)
    session.flush()


def lease(session, at=NOON, kinds=(MAIL,)) -> Any:
    return outbox_leases.lease_next(session, Topic.MAIL, kinds, at)


def row(session) -> Outbox:
    return session.scalars(select(Outbox).execution_options(populate_existing=True)).one()


@pytest.mark.each_database
def test_rows_are_leased_in_the_order_of_their_time(session):
    enqueue(session, 3)
    assert [lease(session).body["message_id"] for _ in range(3)] == [1, 2, 3]
    assert lease(session) is None


def test_a_lease_counts_the_attempt_and_lasts_a_minute(session):
    enqueue(session)
    leased = lease(session)
    stored = row(session)
    assert (leased.attempts, stored.attempts, stored.lease_token) == (1, 1, leased.token)
    assert stored.leased_until == stored.next_at == NOON + timedelta(seconds=60)
    assert lease(session, NOON + 59 * SECOND) is None
    assert lease(session, NOON + 60 * SECOND).attempts == 2


def test_a_row_of_an_unknown_kind_is_not_touched(session):
    enqueue(session, 2)
    session.execute(update(Outbox).where(Outbox.body["message_id"].as_integer() == 1).values(kind="mail.order"))
    assert lease(session).body["message_id"] == 2
    unknown = session.scalars(select(Outbox).where(Outbox.kind == "mail.order")).one()
    assert (unknown.attempts, unknown.next_at, unknown.done_at, unknown.dead_at) == (0, NOON, None, None)
    assert not outbox_leases.has_due(session, Topic.MAIL, (MAIL,), NOON)


def test_a_finished_row_is_done(session):
    enqueue(session)
    assert outbox_leases.finish(session, lease(session), NOON)
    stored = row(session)
    assert (stored.done_at, stored.dead_at, stored.lease_token, stored.next_at) == (NOON, None, None, None)
    assert lease(session, NOON + timedelta(days=1)) is None


def test_a_postponed_row_is_due_later_and_its_attempt_does_not_count(session):
    enqueue(session)
    assert outbox_leases.postpone(session, lease(session), NOON + timedelta(hours=1), "busy")
    assert (row(session).attempts, row(session).error) == (0, "busy")
    assert lease(session, NOON + timedelta(minutes=59)) is None
    assert lease(session, NOON + timedelta(hours=1)).attempts == 1


def test_a_row_is_dead_after_its_fifth_failure(session):
    enqueue(session)
    at, waits = NOON, []
    for _ in range(5):
        assert outbox_leases.fail(session, lease(session, at), at, "ValueError: no")
        waits.append(row(session).next_at and (row(session).next_at - at).total_seconds())
        at = row(session).next_at or at
    assert waits == [5, 20, 80, 320, None]
    assert (row(session).dead_at, row(session).error, row(session).attempts) == (at, "ValueError: no", 5)
    assert lease(session, NOON + timedelta(days=9)) is None


def test_a_dead_row_is_never_leased_whatever_its_time(session):
    enqueue(session)
    outbox_leases.kill(session, lease(session), NOON, "refused")
    session.execute(update(Outbox).values(next_at=NOON))
    assert (lease(session), outbox_leases.has_due(session, Topic.MAIL, (MAIL,), NOON)) == (None, False)


def test_a_row_that_ends_five_workers_is_dead_and_the_next_row_is_leased(session):
    enqueue(session)
    at = NOON
    for _ in range(5):
        assert lease(session, at)
        at += LEASE
    outbox_queue.enqueue(session, MAIL, OutboxItem(message_id=2), at)
    session.flush()
    assert lease(session, at).body["message_id"] == 2
    dead = session.scalars(select(Outbox).where(Outbox.dead_at.is_not(None))).one()
    assert (dead.attempts, dead.error) == (5, "the worker ended while it handled this row")


@pytest.mark.each_database
@pytest.mark.parametrize("end", [outbox_leases.finish, outbox_leases.fail, outbox_leases.kill, outbox_leases.postpone])
def test_a_worker_whose_lease_ran_out_changes_nothing(session, end):
    enqueue(session)
    late = lease(session)
    current = lease(session, NOON + LEASE)
    assert not end(session, late, NOON, *([] if end is outbox_leases.finish else ["late"]))
    stored = row(session)
    assert (stored.lease_token, stored.attempts, stored.error) == (current.token, 2, None)


@pytest.mark.each_database
def test_a_long_error_is_cut(session):
    enqueue(session)
    outbox_leases.kill(session, lease(session), NOON, "x" * 2000)
    assert row(session).error == "x" * 500
