"""Rows of the outbox that nobody can handle, beside purchases and a thousand mails: all others are handled."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from sqlalchemy import select, update

from contracts.payloads import OrderItem
from contracts.tasks import OutboxKind
from domain.database.database import Database, database_url
from domain.outbox import queue as outbox_queue
from domain.payments import gateway_events
from domain.payments.gateway import Event, SessionRef
from domain.tables import Order, Outbox
from tests.support.faults import orders
from tests.support.faults.buyers import Standin
from tests.support.faults.orders import Shopping
from tests.support.site import Site, running
from tests.support.smtp import mail_sink
from tests.support.waiting import until

Outcome = tuple[bool, str]
POISON, ORDERS, MAILS = 100, 20, 1_000
AGREE_S = 60.0
SEND_WITHIN_S = 600.0
REFUSING = "nobody@example.test"


async def poison_events() -> Outcome:
    """Half of them name sessions that the gateway answers unreadably, the others are broken themselves."""
    with running(LIMITS="off") as site:
        fault = {"match": "GET /v1/checkout/sessions/cs_poison*", "do": "bad-json", "times": 10**6}
        Standin(site).call("/dev/faults", fault)
        await asyncio.to_thread(_add_poison, site)
        seen = await Shopping(site, ORDERS).run()
        took, wrong = await orders.agree_within(site, AGREE_S)
        query = "SELECT count(*), sum(attempts > 0 OR error IS NOT NULL) FROM outbox WHERE topic = 'payments'"
        [(rows, tried)] = site.query(f"{query} AND done_at IS NULL")
    # Broken rows die after five attempts, which no other order is to suffer from.
    wrong = [text for text in wrong if not text.startswith("dead rows")]
    text = f"{len(seen.codes)} orders beside {rows} poison rows, {tried} of them tried; agree after {took:.1f} s"
    return not (wrong or seen.others) and rows == tried == POISON, "; ".join([text, *wrong[:2]])


def _add_poison(site: Site) -> None:
    with _database(site) as db, db.write_session() as session:
        now = datetime.now(UTC)
        for number in range(POISON):
            event = Event(
                f"evt_poison_{number}", "checkout.session.completed", f"cs_poison_{number}", now, SessionRef()
            )
            assert gateway_events.store(session, "stripe", event, now)
        session.flush()
        ids = list(session.scalars(select(Outbox.id).where(Outbox.topic == "payments").order_by(Outbox.id.desc())))
        session.execute(update(Outbox).where(Outbox.id.in_(ids[: POISON // 2])).values(body=["broken"]))


async def refused_mail() -> Outcome:
    """The mails of 1,000 orders, to one of which the server says no."""
    async with mail_sink() as sink:
        sink.refusals[REFUSING] = "550 nobody here"
        with running(LIMITS="off", SMTP_URL=sink.url) as site:
            began = time.monotonic()
            await asyncio.to_thread(_add_mails, site)
            with contextlib.suppress(AssertionError):
                await until(lambda: len(sink.received) >= MAILS - 1, SEND_WITHIN_S, 0.5)
            took = time.monotonic() - began
            query = "SELECT count(done_at), count(dead_at) FROM outbox WHERE topic = 'mail'"
            await until(lambda: sum(site.query(query)[0]) >= MAILS, AGREE_S, 0.5)
            [(done, dead)] = site.query(query)
    ids = {mail.message_id for mail in sink.received}
    text = f"{len(sink.received)} mails in {took:.0f} s, {len(sink.received) - len(ids)} twice; {dead} dead row"
    return (done, dead, len(ids), len(sink.received)) == (MAILS - 1, 1, MAILS - 1, MAILS - 1), text


def _add_mails(site: Site) -> None:
    """For the paid orders of the demo shop, in turn; one of them has the address that is refused, once."""
    with _database(site) as db, db.write_session() as session:
        paid = list(session.scalars(select(Order).where(Order.state == "paid").order_by(Order.id)))
        paid[0].email = REFUSING
        others = [paid[1 + number % (len(paid) - 1)] for number in range(MAILS - 1)]
        for order in [*others[: MAILS // 2], paid[0], *others[MAILS // 2 :]]:
            outbox_queue.enqueue(session, OutboxKind.ORDER_PAID, OrderItem(order_id=order.id), datetime.now(UTC))


@contextlib.contextmanager
def _database(site: Site) -> Iterator[Database]:
    db = Database(database_url(None, site.var_dir), busy_ms=30_000)
    yield db
    db.engine.dispose()


EXPERIMENTS = {"sell-poison": poison_events, "sell-refused-mail": refused_mail}
