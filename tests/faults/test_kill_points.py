"""kill -9 at each fault point of a purchase, in the host and in a worker: what was begun is there wholly or not at all,
and the next run ends with one order, one charge, one refund, whatever was said twice."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update

from adapters.payments.stripe_gateway import StripeGateway
from domain import fault_points
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.money import currency
from domain.orders import expiry
from domain.orders.expiry import DueOrder
from domain.orders.refunds import requests
from domain.orders.refunds.refund_rows import Part, RefundTerms
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.tables import (
    Document,
    GatewayEvent,
    Order,
    OrderEvent,
    OrderLine,
    Outbox,
    Payment,
    Product,
    Refund,
    StoredShop,
)
from tests.adapters.payments.conftest import gateway, shop
from tests.adapters.payments.world import SHOP
from tests.adapters.payments.world import World as Flow
from tests.domain.orders import selling
from tests.faults.conftest import StepProcess
from tests.standins.payments.shop import Shop
from tests.support.smtp import MailSink, mail_sink

__all__ = ["gateway", "shop"]
pytestmark = pytest.mark.faults
LONG_AGO = timedelta(minutes=2)


class Purchase(Flow):
    """An order of a course and a book, and the steps that lead to its end."""

    def __init__(self, database: Database, standin: Shop, adapter: StripeGateway, process: StepProcess, sink: MailSink):
        with database.write_session() as session:
            session.add(StoredShop(id=1, uid=SHOP.uid, currency="USD"))
        super().__init__(database, standin, adapter)
        self._process, self.sink = process, sink

    async def run(self, form: str, step: str, point: str = "") -> int:
        """The exit code of the step's process, or the signal that ended it."""
        job = {
            "form": form,
            "step": step,
            "point": point,
            "url": self.database.url.render_as_string(hide_password=False),
            "origin": self.standin.origin,
            "smtp": self.sink.url,
            "about": self.about(),
        }
        return await self._process.run(job)

    def about(self) -> dict[str, Any]:
        events = [(body.decode(), header) for body, header in self.standin.webhook.received]
        ref = self.ref()
        names = {"learner": self.learner, "order": self.order_id, "events": events}
        return {**names, "ref": [ref.id, ref.order_id, ref.learner_id]}

    def pass_time(self) -> None:
        """Leases end, and what is postponed is due."""
        with self.database.write_session() as session:
            ago = datetime.now(UTC) - LONG_AGO
            session.execute(update(Payment).where(Payment.leased_until.is_not(None)).values(leased_until=ago))
            session.execute(update(Payment).where(Payment.poll_at.is_not(None)).values(poll_at=ago))
            session.execute(update(Outbox).where(Outbox.next_at.is_not(None)).values(next_at=ago))

    def count(self, table: Any, *conditions: Any) -> int:
        with self.database.read_session() as session:
            return session.scalar(select(func.count()).select_from(table).where(*conditions)) or 0

    async def facts(self) -> dict[str, Any]:
        """What a purchase must not have twice or half."""
        sessions = (await self.standin.api.checkout.sessions.list_async({})).data
        with self.database.read_session() as session:
            refunds = list(session.scalars(select(Refund.state)))
        return {
            "order": self.order().state,
            "payment": self.payments()[0].state,
            "pages": len(sessions),
            "charged": self.charges(),
            "events": (self.count(GatewayEvent), self.count(Outbox, Outbox.kind == "payments.event")),
            "documents": self.count(Document),
            "paid mails": self.count(Outbox, Outbox.kind == "mail.order_paid"),
            "refunds": refunds,
            "mails": len({mail.message_id for mail in self.sink.received}),
            "noted mails": self.count(OrderEvent, OrderEvent.kind == "mail_sent"),
        }


PLACED = {
    **{"order": "placed", "payment": "new", "pages": 0, "charged": 0, "events": (0, 0), "documents": 0},
    **{"paid mails": 0, "refunds": [], "mails": 0, "noted mails": 0},
}
OPENING = {**PLACED, "pages": 1}
OPEN = {**OPENING, "payment": "open"}
CHARGED = {**OPEN, "charged": 5_500}
TOLD = {**CHARGED, "events": (1, 1)}
PAID = {**CHARGED, "order": "paid", "payment": "paid", "documents": 1, "paid mails": 1}
LATE = {**CHARGED, "order": "cancelled"}
RETURNED = {**LATE, "payment": "paid", "refunds": ["approved"]}
APPROVED = {**PAID, "refunds": ["approved"]}
SENT = {**PAID, "refunds": ["sent"]}
SENT_BACK = {**SENT, "charged": 4_000}
REFUNDED = {**SENT_BACK, "refunds": ["succeeded"], "documents": 2}
MAILED = {**PAID, "mails": 1, "noted mails": 1}


async def nothing(_purchase: Purchase) -> None:
    """Placing is enough."""


async def pay(purchase: Purchase) -> None:
    await purchase.open()
    await purchase.pay()
    await purchase.standin.delivered(1)
    purchase.pass_time()


async def pay_too_late(purchase: Purchase) -> None:
    """The order was cancelled, and somebody else has bought the last books."""
    await pay(purchase)
    due = DueOrder(purchase.order_id, purchase.learner)
    with purchase.database.write_session() as session:
        expiry.cancel(session, due, "cancel", "learner", Context(datetime.now(UTC), selling.SETTINGS))
        book = session.scalars(select(Product.id).where(Product.slug == "the-book")).one()
        other = selling.another_learner(session).id
        selling.buy(session, other, RequestedItem(book, 5), key="key-2")


async def settle(purchase: Purchase) -> None:
    await pay(purchase)
    await purchase.retrieve()


async def ask_for_a_refund(purchase: Purchase) -> None:
    """Ask for a refund of the book."""
    await settle(purchase)
    with purchase.database.write_session() as session:
        order = session.get_one(Order, purchase.order_id)
        line = session.scalars(select(OrderLine).where(OrderLine.order_id == order.id, OrderLine.number == 2)).one()
        payment = session.get_one(Payment, purchase.ref().id)
        terms = RefundTerms("request", "learner", payment)
        part = Part(line, share_of(line, 1, currency(order.currency)))
        requests.refund_lines(session, order, [part], terms, Context(datetime.now(UTC), selling.SETTINGS))
    purchase.pass_time()


@dataclass(frozen=True)
class Kill:
    """`before`: what happens before the step; `left`: what is there after the kill, `end`: after the next run."""

    point: str
    forms: tuple[str, ...]
    before: Callable[[Purchase], Awaitable[None]]
    left: dict[str, Any]
    end: dict[str, Any]

    @property
    def step(self) -> str:
        return {"late": "settle"}.get(group := self.point.partition(".")[0], group)


HOST, BOTH = ("host",), ("host", "worker")
KILLS = [
    Kill("open.sent", HOST, nothing, PLACED, OPEN),
    Kill("open.answered", HOST, nothing, OPENING, OPEN),
    Kill("open.stored", HOST, nothing, OPEN, OPEN),
    Kill("event.verified", HOST, pay, CHARGED, TOLD),
    Kill("event.stored", BOTH, pay, TOLD, TOLD),
    Kill("settle.retrieved", BOTH, pay, CHARGED, PAID),
    Kill("settle.written", BOTH, pay, CHARGED, PAID),
    Kill("settle.committed", BOTH, pay, PAID, PAID),
    Kill("late.rolled_back", BOTH, pay_too_late, LATE, RETURNED),
    Kill("refund.committed", BOTH, ask_for_a_refund, APPROVED, REFUNDED),
    Kill("refund.sent", BOTH, ask_for_a_refund, SENT, REFUNDED),
    Kill("refund.answered", BOTH, ask_for_a_refund, SENT_BACK, REFUNDED),
    Kill("email.accepted", BOTH, settle, {**PAID, "mails": 1}, MAILED),
]
# What one transaction wrote, what another committed, and what only the gateway knows.
ON_MARIADB = {"event.stored", "settle.committed", "refund.sent"}
# Without a broker the host does the same in a thread.
LONG = [("host", "refund"), ("host", "email")]
CASES = [
    pytest.param(form, kill, id=f"{form}-{kill.point}", marks=[pytest.mark.soak] * ((form, kill.step) in LONG))
    for kill in KILLS
    for form in kill.forms
]


@pytest.fixture
async def purchase(database, shop, gateway, process) -> AsyncIterator[Purchase]:
    async with mail_sink() as sink:
        yield Purchase(database, shop, gateway, process, sink)


def test_every_fault_point_of_selling_after_placing_kills_here():
    others = ("place.", "progress.", "job.", "rollup.", "retention.", "report_mail.")
    elsewhere = {name for name in fault_points.NAMES if name.startswith(others)}
    assert {kill.point for kill in KILLS} == fault_points.NAMES - elsewhere


async def kill_and_repeat(purchase: Purchase, form: str, kill: Kill) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a killed step left, and what is there after it was run again."""
    await kill.before(purchase)
    assert await purchase.run(form, kill.step, kill.point) == -signal.SIGKILL
    left = await purchase.facts()
    purchase.pass_time()
    assert await purchase.run(form, kill.step) == 0
    return left, await purchase.facts()


@pytest.mark.parametrize(("form", "kill"), CASES)
async def test_a_killed_process_leaves_all_or_nothing_and_the_next_run_ends_the_same(purchase, form, kill):
    assert await kill_and_repeat(purchase, form, kill) == (kill.left, kill.end)


@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
@pytest.mark.parametrize("kill", [kill for kill in KILLS if kill.point in ON_MARIADB], ids=lambda kill: kill.point)
async def test_a_killed_process_leaves_as_much_on_mariadb(purchase, kill):
    assert await kill_and_repeat(purchase, kill.forms[-1], kill) == (kill.left, kill.end)
