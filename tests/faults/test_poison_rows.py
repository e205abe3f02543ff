"""Rows that no worker can handle hold up no other: 100 broken events of the gateway, and an address that refuses its
mail. One batch for all rows, the negative control, ends at the first of them."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select, update

from adapters import mail
from adapters.mail import MailAccount
from adapters.outbox import handle_rows, has_due
from adapters.payments import outbox_handlers
from contracts.payloads import OrderItem
from contracts.tasks import OutboxKind, Topic
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.outbox import leases as outbox_leases
from domain.outbox import outbox_rows
from domain.outbox import queue as outbox_queue
from domain.outbox.leases import MAX_ATTEMPTS
from domain.payments import gateway_events
from domain.payments.gateway import Event, SessionRef, Snapshot
from domain.tables import Order, Outbox, Payment
from tests.adapters.payments.world import SHOP
from tests.domain.orders import selling
from tests.support import factories
from tests.support.factories import NOON
from tests.support.smtp import mail_sink

POISON, GOOD = 100, 8
MAILS = 40
REFUSING = "buyer-20@example.test"
Handle = Callable[[Database, Topic, Any, Any], object]


def handle_each(db: Database, topic: Topic, service: Any, handlers: Any) -> None:
    """As workers do, until nothing is due."""
    while has_due(db, topic, handlers):
        handle_rows(db, topic, service, handlers)


def handle_in_one_batch(db: Database, topic: Topic, service: Any, handlers: Any) -> None:
    """The negative control: all rows are leased, and done when the last one is."""
    now, leases = datetime.now(UTC), []
    while lease := db.write_sync(outbox_leases.lease_next, topic, handlers, now):
        leases.append(lease)
    service.ensure_ready()
    try:
        for lease in leases:
            handlers[lease.kind](lease, service)
    except Exception as error:
        for lease in leases:
            db.write_sync(outbox_leases.fail, lease, now, str(error))
    else:
        for lease in leases:
            db.write_sync(outbox_leases.finish, lease, now)


def orders(db: Database, number: int) -> list[int]:
    """Orders of a course by so many buyers."""
    with db.write_session() as session:
        course = selling.fill(session).course
        buyers = [factories.learner(session, f"buyer {one}").id for one in range(number)]
        return [selling.buy(session, buyer, RequestedItem(course)).id for buyer in buyers]


def retry_now(db: Database) -> None:
    with db.write_session() as session:
        session.execute(update(Outbox).where(Outbox.next_at.is_not(None)).values(next_at=NOON))


def states(db: Database, topic: Topic) -> tuple[int, int, int]:
    """Rows that are done, that wait and that are dead."""
    with db.read_session() as session:
        of_topic = session.scalar(select(func.count(Outbox.done_at)).where(Outbox.topic == str(topic))) or 0
        state = outbox_rows.topic_states(session)[topic]
    return of_topic, state.waiting, state.dead


class Gateway:
    """Has the paid sessions of orders; what it says of any other session is something that no build expects."""

    def __init__(self, sessions: dict[str, Snapshot]):
        self._sessions = sessions

    def ensure_ready(self) -> None:
        """It is always reached."""

    def run(self, work: Callable[["Gateway"], Any]) -> None:
        asyncio.run(work(self))

    async def get_session(self, ref: SessionRef) -> Snapshot:
        return self._sessions[str(ref.session_id)]


@pytest.fixture
def poisoned(database) -> tuple[Database, Gateway]:
    """Events of unreadable sessions, and after them those of paid orders."""
    ids = orders(database, GOOD)
    sessions = {}
    with database.write_session() as session:
        for order in session.scalars(select(Order).where(Order.id.in_(ids))):
            snapshot = selling.snapshot(order)
            selling.payment_of(session, order).session_id = snapshot.session_id
            sessions[str(snapshot.session_id)] = snapshot
        for number, session_id in enumerate([*(f"cs_poison_{one}" for one in range(POISON)), *sessions]):
            event = Event(f"evt_{number}", "checkout.session.completed", session_id, NOON, SessionRef(session_id))
            assert gateway_events.store(session, "stripe", event, NOON)
    return database, Gateway(sessions)


def paid(db: Database) -> int:
    with db.read_session() as session:
        return session.scalar(select(func.count()).where(Payment.state == "paid")) or 0


def handle_events(poisoned: tuple[Database, Gateway], handle: Handle) -> None:
    db, service = poisoned
    handle(db, Topic.PAYMENTS, service, outbox_handlers.handlers(db, SHOP))


def test_a_hundred_poison_events_hold_up_no_other_and_are_dead_after_five_attempts(poisoned):
    db, _ = poisoned
    handle_events(poisoned, handle_each)
    assert (paid(db), states(db, Topic.PAYMENTS)) == (GOOD, (GOOD, POISON, 0))
    with db.write_session() as session:
        session.execute(update(Outbox).where(Outbox.done_at.is_(None)).values(attempts=MAX_ATTEMPTS - 1))
    retry_now(db)
    handle_events(poisoned, handle_each)
    assert (paid(db), states(db, Topic.PAYMENTS)) == (GOOD, (GOOD, 0, POISON))


def test_in_one_batch_the_first_poison_event_stops_all(poisoned):
    db, _ = poisoned
    for _ in range(2):
        handle_events(poisoned, handle_in_one_batch)
        retry_now(db)
    assert (paid(db), states(db, Topic.PAYMENTS)) == (0, (0, POISON + GOOD, 0))


@pytest.fixture
def mails(database) -> Database:
    """Mails to the buyers of orders."""
    ids = orders(database, MAILS)
    with database.write_session() as session:
        for number, order_id in enumerate(ids):
            session.get_one(Order, order_id).email = f"buyer-{number}@example.test"
            outbox_queue.enqueue(session, OutboxKind.ORDER_RECEIVED, OrderItem(order_id=order_id), NOON)
    return database


async def sent(db: Database, handle: Handle) -> list[str]:
    """Who gets a mail in two runs, while one address is refused."""
    async with mail_sink() as sink:
        sink.refusals[REFUSING] = "550 nobody here"
        account = MailAccount(sink.url, "", "Meridian Learning", "hello@shop.example", "https://shop.example")
        handlers = mail.handlers(db, account)
        for _ in range(2):
            with account.open_server() as server:
                await asyncio.to_thread(partial(handle, db, Topic.MAIL, server, handlers))
            retry_now(db)
        return sink.recipients


ALL = [f"buyer-{number}@example.test" for number in range(MAILS)]


async def test_a_refused_address_holds_up_no_other_mail_and_nobody_gets_two(mails):
    others = [address for address in ALL if address != REFUSING]
    assert await sent(mails, handle_each) == others
    assert states(mails, Topic.MAIL) == (MAILS - 1, 0, 1)


async def test_in_one_batch_those_before_a_refused_address_get_two_mails_and_those_after_it_none(mails):
    before = ALL[: ALL.index(REFUSING)]
    assert await sent(mails, handle_in_one_batch) == before * 2
    assert states(mails, Topic.MAIL) == (0, MAILS, 0)
