"""The disk is full while an order is placed or paid: there is the whole order or none, no number of an invoice is lost,
and the next try succeeds as soon as there is space. On SQLite, where a limit of its pages stands for the disk."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from domain.checkout import placement
from domain.checkout.placement import OrderRequest
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.documents import numbers, store
from domain.orders.settings import Context
from domain.payments import settlement
from domain.tables import Document, DocumentCounter, Order, OrderEvent, OrderLine, Outbox, Payment, Reservation
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS, SHOP, Pricing
from tests.support.factories import NOON
from tests.support.full_disk import Disk

TABLES = (Order, OrderLine, OrderEvent, Payment, Reservation, Document, Outbox)
# So many bytes need a page of their own: each of the rows may be the one for which there is no space.
LONG = "A" * 9_000


@pytest.fixture
def disk(sqlite_database) -> Disk:
    return Disk(sqlite_database)


@pytest.fixture
def order_request(sqlite_database) -> OrderRequest:
    """An order of a book and of a course for somebody else."""
    with sqlite_database.write_session() as session:
        world = selling.fill(session)
        gift = {"recipient_email": "bob@example.test", "message": 3 * LONG}
        lines = (RequestedItem(world.book), RequestedItem(world.course, gift=gift))
        return replace(selling.order_request(session, world.learner, *lines), billing={"name": LONG, "country": "US"})


def rows(db: Database) -> dict[str, int]:
    with db.read_session() as session:
        return {table.__tablename__: session.scalar(select(func.count()).select_from(table)) or 0 for table in TABLES}


def on_full_disks(db: Database, disk: Disk, step: Callable[[], object]) -> list[dict[str, int]]:
    """Tries a step on a disk with 0, 1, 2 … free pages, until it succeeds. The rows after each time it did not."""
    left = []
    for pages in range(100):
        disk.leave(pages)
        try:
            step()
        except OperationalError:
            disk.free()
            left.append(rows(db))
        else:
            break
    disk.free()
    return left


def place(db: Database, wanted: OrderRequest) -> None:
    db.write_sync(placement.place, wanted, Pricing(), Context(NOON, SETTINGS))


NOTHING = {table.__tablename__: 0 for table in TABLES}
PLACED = {**NOTHING, "orders": 1, "order_lines": 2, "order_events": 1, "payments": 1, "reservations": 1}
# In the outbox: the mail to the buyer, and the mail to whom the course is given.
PAID = {**PLACED, "order_events": 2, "documents": 1, "outbox": 2}


def test_wherever_the_disk_is_full_no_part_of_an_order_is_placed(sqlite_database, disk, order_request):
    left = on_full_disks(sqlite_database, disk, partial(place, sqlite_database, order_request))
    assert left == [NOTHING] * max(len(left), 3)
    assert rows(sqlite_database) == PLACED


def place_in_two(db: Database, wanted: OrderRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: the order is committed before its lines."""
    add_lines = placement._add_lines

    def commit_first(session: Session, *about: Any) -> Any:
        session.commit()
        return add_lines(session, *about)

    with Session(db.engine, expire_on_commit=False) as session, monkeypatch.context() as patch:
        patch.setattr(session, "begin_nested", nullcontext)
        patch.setattr(placement, "_add_lines", commit_first)
        placement.place(session, wanted, Pricing(), Context(NOON, SETTINGS))
        session.commit()


def test_an_order_that_is_committed_before_its_lines_stays_without_them(
    sqlite_database, disk, order_request, monkeypatch
):
    on_full_disks(sqlite_database, disk, partial(place_in_two, sqlite_database, order_request, monkeypatch))
    # The next press has the order of the first one.
    assert rows(sqlite_database) == {**NOTHING, "orders": 1, "order_events": 1}


def pay(db: Database) -> None:
    with db.read_session() as session:
        order = session.scalars(select(Order)).one()
        ref, found = selling.ref_of(session, order), selling.snapshot(order)
    db.write_sync(settlement.apply, ref, found, SHOP, LATER)


def last_number(db: Database) -> int:
    with db.read_session() as session:
        return session.scalar(select(func.max(DocumentCounter.last))) or 0


def test_wherever_the_disk_is_full_an_order_is_not_paid_and_its_number_is_not_used(
    sqlite_database, disk, order_request
):
    place(sqlite_database, order_request)
    left = on_full_disks(sqlite_database, disk, partial(pay, sqlite_database))
    assert left == [PLACED] * max(len(left), 2)
    assert (rows(sqlite_database), last_number(sqlite_database)) == (PAID, 1)


def test_a_number_that_is_taken_in_a_transaction_of_its_own_is_lost(sqlite_database, disk, order_request, monkeypatch):
    """The negative control."""
    place(sqlite_database, order_request)

    def take_apart(session: Session, *about: Any) -> Any:
        number = numbers.next_number(session, *about)
        session.commit()
        return number

    def pay_in_two() -> None:
        with Session(sqlite_database.engine, expire_on_commit=False) as session, monkeypatch.context() as patch:
            patch.setattr(session, "begin_nested", nullcontext)
            order = session.scalars(select(Order)).one()
            settlement.apply(session, selling.ref_of(session, order), selling.snapshot(order), SHOP, LATER)
            session.commit()

    monkeypatch.setattr(store, "next_number", take_apart)
    on_full_disks(sqlite_database, disk, pay_in_two)
    assert (rows(sqlite_database)["documents"], last_number(sqlite_database)) == (0, 1)
