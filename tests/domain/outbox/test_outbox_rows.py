"""Counts by topic, replay of dead rows, and how long rows are kept."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from contracts.payloads import OutboxItem
from contracts.tasks import OutboxKind, Topic
from domain.outbox import leases as outbox_leases
from domain.outbox import outbox_rows
from domain.outbox import queue as outbox_queue
from domain.outbox.outbox_rows import NotReplayable, TopicState
from domain.tables import Outbox
from tests.support.factories import NOON

MAIL = OutboxKind.CONTACT_CONFIRMATION
DAY = timedelta(days=1)


def enqueue(session, at=NOON) -> None:
    outbox_queue.enqueue(session, MAIL, OutboxItem(message_id=1), at)
    session.flush()


def enqueue_and_end(session, end, at=NOON) -> None:
    enqueue(session, at)
    lease = outbox_leases.lease_next(session, Topic.MAIL, (MAIL,), at)
    assert end(session, lease, at, *([] if end is outbox_leases.finish else ["refused"]))


def count(session) -> int:
    return session.scalar(select(func.count()).select_from(Outbox))


def test_an_empty_outbox_has_a_state_for_every_topic(session):
    assert outbox_rows.topic_states(session) == {topic: TopicState() for topic in Topic}


@pytest.mark.each_database
def test_waiting_and_dead_rows_are_counted_by_topic(session):
    enqueue_and_end(session, outbox_leases.finish, NOON - 2 * DAY)
    enqueue_and_end(session, outbox_leases.kill, NOON - DAY)
    enqueue(session)
    enqueue(session, NOON + DAY)
    assert outbox_rows.topic_states(session) == {
        **dict.fromkeys(Topic, TopicState()),
        Topic.MAIL: TopicState(waiting=2, oldest_at=NOON, dead=1),
    }


def test_a_replayed_row_begins_anew(session):
    enqueue_and_end(session, outbox_leases.kill)
    dead = outbox_rows.list_rows(session, is_dead=True, topic="mail", limit=5)
    assert outbox_rows.replay(session, [dead[0].id], NOON + DAY) == 1
    session.expire_all()
    assert outbox_rows.list_rows(session, is_dead=True, topic=None, limit=5) == []
    row = outbox_rows.list_rows(session, is_dead=False, topic="mail", limit=5)[0]
    assert (row.id, row.attempts, row.created_at, row.next_at) == (dead[0].id, 0, NOON + DAY, NOON + DAY)
    assert outbox_leases.lease_next(session, Topic.MAIL, (MAIL,), NOON + DAY) is not None


def test_all_dead_rows_of_a_topic_are_replayed(session):
    enqueue_and_end(session, outbox_leases.kill)
    enqueue_and_end(session, outbox_leases.kill)
    enqueue_and_end(session, outbox_leases.finish)
    assert (outbox_rows.replay_all(session, "payments", NOON), outbox_rows.replay_all(session, None, NOON)) == (0, 2)


def test_only_dead_rows_can_be_replayed_and_else_nothing_changes(session):
    enqueue_and_end(session, outbox_leases.kill)
    dead = outbox_rows.list_rows(session, is_dead=True, topic=None, limit=5)[0].id
    with pytest.raises(NotReplayable, match=f"Not a dead row of the outbox: {dead + 1}"):
        outbox_rows.replay(session, [dead, dead + 1], NOON)
    assert [row.id for row in outbox_rows.list_rows(session, is_dead=True, topic=None, limit=5)] == [dead]


@pytest.mark.each_database
def test_done_rows_are_deleted_after_their_time_and_no_others(session):
    enqueue_and_end(session, outbox_leases.finish, NOON - 2 * DAY)
    enqueue_and_end(session, outbox_leases.kill, NOON - 2 * DAY)
    enqueue_and_end(session, outbox_leases.finish)
    enqueue(session, NOON - 2 * DAY)
    assert (outbox_queue.delete_done(session, NOON - DAY), count(session)) == (1, 3)
    assert (outbox_queue.delete_dead(session, NOON - DAY), count(session)) == (1, 2)
    assert (outbox_queue.delete_done(session, NOON - DAY), outbox_queue.delete_dead(session, NOON - DAY)) == (0, 0)
