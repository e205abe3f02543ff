"""Workers that lease rows at the same time: every row goes to one of them, thanks to the guard of the UPDATE."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import bindparam, select, update

from contracts.payloads import OutboxItem
from contracts.tasks import OutboxKind, Topic
from domain.database.database import Database
from domain.database.prepared_change import PreparedChange
from domain.outbox import leases
from domain.outbox import leases as outbox_leases
from domain.outbox import queue as outbox_queue
from domain.tables import Outbox
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

WORKERS, ROWS = 4, 40
MAIL = OutboxKind.CONTACT_CONFIRMATION
COLUMNS = (Outbox.id, Outbox.kind, Outbox.body, Outbox.created_at, Outbox.attempts)


@pytest.fixture
def filled(database: Database) -> Database:
    with database.write_session() as session:
        for number in range(ROWS):
            outbox_queue.enqueue(session, MAIL, OutboxItem(message_id=number), NOON)
    return database


def test_every_row_is_leased_once(filled):
    gate = Barrier(WORKERS)

    def work(_number: int) -> list[int]:
        gate.wait()
        ids = []
        while lease := filled.write_sync(outbox_leases.lease_next, Topic.MAIL, (MAIL,), NOON):
            ids.append(lease.id)
            assert filled.write_sync(outbox_leases.finish, lease, NOON)
        return ids

    with ThreadPoolExecutor(WORKERS) as threads:
        leased = [number for ids in threads.map(work, range(WORKERS)) for number in ids]
    assert (len(leased), len(set(leased))) == (ROWS, ROWS)


def lease_what_all_have_read(db: Database) -> int:
    """How many of the workers get the row that all of them read before one of them writes."""
    gate = Barrier(WORKERS)

    def work(_number: int) -> bool:
        with db.read_session() as session:
            row = session.execute(select(*COLUMNS).order_by(Outbox.id).limit(1)).one()
        gate.wait()
        with db.write_session() as session:
            return leases._lease(session, row, NOON) is not None

    with ThreadPoolExecutor(WORKERS) as threads:
        return sum(threads.map(work, range(WORKERS)))


def test_of_workers_that_read_the_same_row_one_gets_it(filled):
    assert lease_what_all_have_read(filled) == 1


def test_without_the_guard_all_of_them_get_it(filled, monkeypatch):
    """The negative control."""

    values = {Outbox.__table__.c.lease_token: bindparam("token")}
    lease = PreparedChange(update(Outbox.__table__).where(Outbox.__table__.c.id == bindparam("row")).values(values))
    monkeypatch.setattr(leases, "_LEASE", lease)
    assert lease_what_all_have_read(filled) == WORKERS
