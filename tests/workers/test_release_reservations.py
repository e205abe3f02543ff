"""Expired reservations are released in short transactions, as many as are needed."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import func, insert, select

from adapters import periodic
from contracts.tasks import Task
from domain.database.database import Database
from domain.reservations import carts as reservation_carts
from domain.reservations.reservation_rows import RELEASE_BATCH
from domain.tables import Coupon, Reservation
from tests.support import factories
from tests.support.factories import NOON
from workers import periodic as tasks

EXPIRED = 2 * RELEASE_BATCH + 50


@pytest.fixture
def expired(sqlite_database, monkeypatch) -> Database:
    with sqlite_database.write_session() as session:
        learner, coupon = factories.learner(session), factories.coupon(session, uses=EXPIRED)
        use = {"kind": "coupon", "resource_id": coupon.id, "learner_id": learner.id, "state": "reserved"}
        use |= {"reserved_at": NOON - timedelta(hours=1), "expires_at": NOON}
        keys = [{"slot": slot, "owner_key": f"cart:{learner.id}:{slot}"} for slot in range(1, EXPIRED + 1)]
        session.execute(insert(Reservation), [{**use, **key} for key in keys])
    monkeypatch.setattr(tasks, "database", lambda: sqlite_database)
    return sqlite_database


def left(db: Database) -> tuple[int, int]:
    """The coupon's counter, and its uses."""
    with db.read_session() as session:
        return session.scalars(select(Coupon.uses)).one(), session.scalar(select(func.count(Reservation.id)))


def test_a_run_releases_every_expired_reservation_in_limited_transactions(expired, monkeypatch):
    released, release_expired = [], reservation_carts.release_expired

    def release(session, at) -> int:
        released.append(release_expired(session, at))
        return released[-1]

    monkeypatch.setattr(periodic, "reservation_carts", SimpleNamespace(release_expired=release))
    tasks.run(Task.RELEASE_RESERVATIONS)
    assert (released, left(expired)) == ([RELEASE_BATCH, RELEASE_BATCH, 50, 0], (0, 0))
