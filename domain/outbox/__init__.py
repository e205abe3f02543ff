"""The outbox: work that follows a committed change. A row is written in the transaction of the change and handled
afterwards, at least once, by a worker that leases it (docs/decisions/0022)."""

from domain.outbox.errors import Later, ServiceDown, Undeliverable
from domain.outbox.leases import LEASE, MAX_ATTEMPTS, Lease, fail, finish, has_due, kill, lease_next, postpone
from domain.outbox.queue import delete_dead, delete_done, enqueue, enqueue_all
from domain.outbox.rows import NotReplayable, TopicState, erase_address, list_rows, replay, replay_all, topic_states

__all__ = [
    "LEASE",
    "MAX_ATTEMPTS",
    "Later",
    "Lease",
    "NotReplayable",
    "ServiceDown",
    "TopicState",
    "Undeliverable",
    "delete_dead",
    "delete_done",
    "enqueue",
    "enqueue_all",
    "erase_address",
    "fail",
    "finish",
    "has_due",
    "kill",
    "lease_next",
    "list_rows",
    "postpone",
    "replay",
    "replay_all",
    "topic_states",
]
