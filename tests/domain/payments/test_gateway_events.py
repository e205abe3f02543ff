"""An event of the gateway is stored once, with one row of the outbox."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.payments import gateway_events
from domain.payments.gateway import Event, SessionRef
from domain.payments.gateway_events import Listed
from domain.tables import GatewayEvent, Outbox
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

AT = NOON + timedelta(seconds=3)
THREADS = 4
THREADS_THAT_CROSS = 2


def event(number: int = 1, kind: str = "checkout.session.completed", session: bool = True) -> Event:
    ref = SessionRef(session_id="cs_1") if session else None
    return Event(f"evt_{number}", kind, "cs_1", NOON + timedelta(seconds=number), ref)


def stored(session: Session) -> list[tuple[str, str, str]]:
    """Events with their rows of the outbox."""
    query = select(GatewayEvent).order_by(GatewayEvent.id)
    rows = {row.body["event_id"]: row.kind for row in session.scalars(select(Outbox))}
    return [(row.event_id, row.object_id, rows.pop(row.id)) for row in session.scalars(query)] + list(rows.items())


def test_a_new_event_is_stored_with_a_row_of_the_outbox(session):
    assert gateway_events.store(session, "stripe", event(), AT)
    assert stored(session) == [("evt_1", "cs_1", "payments.event")]
    row = session.scalars(select(GatewayEvent)).one()
    assert (row.gateway, row.type, row.created_at, row.received_at) == (
        "stripe",
        "checkout.session.completed",
        NOON + timedelta(seconds=1),
        AT,
    )


def test_a_repeated_event_changes_nothing(session):
    gateway_events.store(session, "stripe", event(), AT)
    assert not gateway_events.store(session, "stripe", event(), AT + timedelta(days=7))
    assert stored(session) == [("evt_1", "cs_1", "payments.event")]


def test_missing_events_are_added_in_their_order(session):
    gateway_events.store(session, "stripe", event(2), AT)
    listed = [event(4), event(3), event(2), event(1, session=False)]
    assert gateway_events.store_missing(session, "stripe", listed, AT) == 2
    assert [row[0] for row in stored(session)] == ["evt_2", "evt_3", "evt_4"]
    assert gateway_events.store_missing(session, "stripe", listed, AT) == 0
    assert gateway_events.store_missing(session, "stripe", [], AT) == 0


def store_at_once(db: Database) -> list[bool]:
    gate = Barrier(THREADS)

    def work(_number: int) -> bool:
        gate.wait()
        return db.write_sync(gateway_events.store, "stripe", event(), AT)

    with ThreadPoolExecutor(THREADS) as threads:
        return sorted(threads.map(work, range(THREADS)))


def test_of_simultaneous_deliveries_one_is_stored(database):
    assert store_at_once(database) == [False, False, False, True]
    with database.read_session() as session:
        assert stored(session) == [("evt_1", "cs_1", "payments.event")]


def test_of_events_that_come_together_each_is_stored_once_and_known_ones_are_left_out(database):
    database.write_sync(gateway_events.store, "stripe", event(2), AT)
    together = [event(1), event(2), event(3), event(1)]
    assert database.write_sync(gateway_events.store_all, "stripe", together, AT) == 2
    assert database.write_sync(gateway_events.store_all, "stripe", [event(4), event(5), event(4)], AT) == 2
    with database.read_session() as session:
        assert sorted(row[0] for row in stored(session)) == ["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"]


class Crossing:
    """Two groups of the same new events in opposite orders: neither goes on before each has stored one, which is the
    other's next. Each event has a statement of its own, as when one of a group is known."""

    def __init__(self, monkeypatch):
        self._gate, self._insert, self._stored = Barrier(THREADS_THAT_CROSS), gateway_events._insert, count()
        monkeypatch.setattr(gateway_events, "_insert_new", self.insert_each)

    def insert_each(self, session: Session, rows: list[dict]) -> list[int]:
        # Longer than a busy machine may let one of the two wait for its processor.
        session.execute(text("SET innodb_lock_wait_timeout = 50"))
        return [id_ for row in rows if (id_ := self.insert(session, row)) is not None]

    def insert(self, session: Session, row: dict) -> int | None:
        id_ = self._insert(session, row)
        if id_ is not None and next(self._stored) < THREADS_THAT_CROSS:
            self._gate.wait(60)
        return id_

    def store(self, db: Database, first: int, second: int) -> list[int]:
        """`first`, `second`: numbers that no other test stores. Rows that were deleted stay in the unique index for a
        while, and a new one that equals them locks its neighbours too."""
        groups = ([event(first), event(second)], [event(second), event(first)])
        with ThreadPoolExecutor(THREADS_THAT_CROSS) as threads:
            return list(threads.map(lambda group: db.write_sync(gateway_events.store_all, "stripe", group, AT), groups))


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_groups_that_lock_each_others_events_are_both_stored(database, monkeypatch):
    assert sorted(Crossing(monkeypatch).store(database, 101, 102)) == [0, 2]
    with database.read_session() as session:
        assert sorted(row[0] for row in stored(session)) == ["evt_101", "evt_102"]


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_without_a_repeat_one_of_the_groups_would_be_refused(database, monkeypatch):
    """The negative control."""
    monkeypatch.setattr("domain.database.database.is_to_repeat", lambda _error: False)
    with pytest.raises(OperationalError, match="Deadlock"):
        Crossing(monkeypatch).store(database, 103, 104)


def test_without_the_unique_key_as_a_guard_a_repeated_event_would_fail(database, monkeypatch):
    """The negative control: who does not expect that another has stored the event."""
    database.write_sync(gateway_events.store, "stripe", event(), AT)
    monkeypatch.setattr(gateway_events, "IntegrityError", ZeroDivisionError)
    with pytest.raises(IntegrityError):
        database.write_sync(gateway_events.store, "stripe", event(), AT)


def test_how_far_events_were_listed_is_stored_for_each_gateway(session):
    assert gateway_events.listed(session, "stripe") == Listed()
    for listed in (Listed(NOON, "evt_9", AT), Listed(AT)):
        gateway_events.store_listed(session, "stripe", listed)
        session.expire_all()
        assert gateway_events.listed(session, "stripe") == listed
    assert gateway_events.listed(session, "other") == Listed()


def test_events_are_kept_for_longer_than_the_gateway_lists_them(session):
    at = NOON + gateway_events.KEEP
    for number, received in enumerate((NOON - timedelta(seconds=1), NOON)):
        about = {"gateway": "stripe", "type": "refund.created", "object_id": "pi_1", "created_at": received}
        session.add(GatewayEvent(event_id=f"evt_old_{number}", received_at=received, **about))
    session.flush()
    before = at - gateway_events.KEEP
    assert [gateway_events.delete_old(session, before) for _ in range(2)] == [1, 0]
    assert session.scalars(select(GatewayEvent.event_id)).all() == ["evt_old_1"]
    assert timedelta(days=30) < gateway_events.KEEP
