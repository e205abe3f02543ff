"""An order of a shop at the stand-in of the gateway, and what tests do with it."""

import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from adapters.payments import opening, outbox_handlers, settling
from adapters.payments.stripe_gateway import StripeGateway
from adapters.payments.sync_calls import GatewayService
from adapters.payments.transactions import BlockingTransactions
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.outbox.leases import Lease
from domain.payments import attempts, gateway_events
from domain.payments.attempts import PayingShop, PaymentRef
from domain.payments.gateway import GatewayAccount
from domain.tables import Order, Outbox, Payment
from tests.domain.orders import selling
from tests.standins.payments.shop import KEY, OK, SECRET, Shop

SHOP = PayingShop("shop-1", "https://shop.example", selling.SETTINGS)


CREATE = "POST /v1/checkout/sessions"


DECLINED, SEPA_LATER = "4000000000000002", "DE08370400440532013003"
# A debit that fails after some minutes.
SEPA_FAILS = "DE78370400440532013004"


def account(shop: Shop, **changes: object) -> GatewayAccount:
    values = {
        "base": shop.origin,
        "key": KEY,
        "webhook_secrets": (SECRET,),
        "page_origin": shop.origin,
        "methods": (),
        # A busy machine may take longer than people wait.
        "deadline_s": 20.0,
    }
    return GatewayAccount(**{**values, **changes})


class World:
    """An order of a course and a book, placed now."""

    def __init__(self, database: Database, standin: Shop, gateway: StripeGateway):
        self.database, self.standin, self.gateway = database, standin, gateway
        self.db = BlockingTransactions(database)
        with database.write_session() as session:
            rows = selling.fill(session)
            lines = (RequestedItem(rows.course), RequestedItem(rows.book))
            order = selling.buy(session, rows.learner, *lines, at=datetime.now(UTC))
            self.learner, self.order_id, self.code = rows.learner, order.id, order.code

    async def open(self, gateway: StripeGateway | None = None):
        return await opening.open_page(self.db, gateway or self.gateway, self.learner, self.order_id, SHOP)

    async def retrieve(self, number: int = 1):
        return await settling.retrieve(self.db, self.gateway, self.ref(number), SHOP)

    def ref(self, number: int = 1) -> PaymentRef:
        with self.database.read_session() as session:
            ref = attempts.ref_of(session, self.code, number)
        assert ref is not None
        return ref

    def order(self) -> Order:
        with self.database.read_session() as session:
            return session.get_one(Order, self.order_id)

    def payments(self) -> list[Payment]:
        with self.database.read_session() as session:
            return list(session.scalars(select(Payment).order_by(Payment.number)))

    def states(self) -> list[str]:
        return [self.order().state, *(payment.state for payment in self.payments())]

    async def pay(self, card: str = OK, number: int = 1) -> None:
        await self.standin.pay(self.payments()[number - 1].session_id or "", card)

    def lapse(self, **ago: float) -> None:
        """The order's time to pay ended so long ago."""
        with self.database.write_session() as session:
            session.get_one(Order, self.order_id).reserved_until = datetime.now(UTC) - timedelta(**ago)

    def charges(self) -> int:
        """What the gateway has really charged, less what it has sent back."""
        return sum(line["amount"] for line in self.standin.money())


def lease(kind: str, body: dict, age: timedelta = timedelta(0)) -> Lease:
    return Lease(1, kind, body, datetime.now(UTC) - age, 1, "token")


async def handle(world: World, lease: Lease, **changes: object) -> None:
    service = GatewayService(account(world.standin, **changes))
    handlers = outbox_handlers.handlers(world.database, SHOP)
    await asyncio.to_thread(handlers[lease.kind], lease, service)


def rows_of(world: World) -> list[Lease]:
    with world.database.read_session() as session:
        return [lease(row.kind, row.body) for row in session.scalars(select(Outbox).order_by(Outbox.id))]


async def store_deliveries(world: World, times: int = 1) -> None:
    for body, header in world.standin.webhook.received * times:
        event = await world.gateway.verify_event(body, header, datetime.now(UTC))
        await world.db.write(gateway_events.store, "stripe", event, datetime.now(UTC))
