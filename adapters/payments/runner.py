"""The background work of payments, for workers and for a host without workers: one function for each task."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeVar

from adapters.outbox import Handlers, handle_rows, has_due, ignore
from adapters.payments import outbox_handlers, polls, reconciling
from adapters.payments.reconciling import Report
from adapters.payments.sync_calls import GatewayService
from adapters.payments.transactions import BlockingTransactions, Transactions
from contracts.tasks import Topic
from domain.database.database import Database
from domain.orders.settings import OrderSettings
from domain.payments import shop_uid
from domain.payments.attempts import PayingShop
from domain.payments.gateway import GatewayAccount, PaymentGateway

T = TypeVar("T")


class NotPrepared(Exception):
    """The database does not say which shop this is: `python -m host prepare` has not run."""


class PaymentRunner:
    """Synchronous; each call has connections of its own to the gateway, and so has each run for rows."""

    def __init__(self, database: Database, account: GatewayAccount, settings: OrderSettings):
        self._database, self._account, self._settings = database, account, settings

    def open_service(self) -> GatewayService:
        """For the rows of one run."""
        return GatewayService(self._account)

    def handlers(self) -> Handlers[GatewayService]:
        """For the rows of the topic `payments`. Raises NotPrepared."""
        return outbox_handlers.handlers(self._database, self.shop())

    def handle_rows(self) -> int:
        """Handle due rows for a few seconds, without a broker. Returns how many are done."""
        handlers = self.handlers()
        if not has_due(self._database, Topic.PAYMENTS, handlers):
            return 0
        with self.open_service() as service:
            return handle_rows(self._database, Topic.PAYMENTS, service, handlers, ignore)

    def poll(self) -> int:
        """Payments that are due, then orders past their time, then refunds that nobody sends any more. Returns how many
        payments were retrieved."""
        shop = self.shop()

        async def work(db: Transactions, gateway: PaymentGateway) -> int:
            polled = await polls.poll(db, gateway, shop)
            await polls.expire_orders(db, gateway, shop)
            await polls.resume_refunds(db)
            return polled

        return self._run(work)

    def add_missed_events(self) -> int:
        """Raises GatewayUnavailable or GatewayRefused."""
        return self._run(lambda db, gateway: polls.add_missed_events(db, gateway, gateway.name))

    def reconcile(self, since: datetime | None = None, *, is_dry: bool = False) -> Report:
        """Since a few days ago, or since that time. Raises GatewayUnavailable or GatewayRefused."""
        uid, start = self.shop().uid, since or datetime.now(UTC) - reconciling.DAILY
        return self._run(lambda db, gateway: reconciling.reconcile(db, gateway, uid, start, is_dry=is_dry))

    def shop(self) -> PayingShop:
        """Without the site's origin: pages are opened by the host alone."""
        with self._database.read_session() as session:
            uid = shop_uid.read(session)
        if uid is None:
            raise NotPrepared
        return PayingShop(uid, "", self._settings)

    def _run(self, work: Callable[[Transactions, PaymentGateway], Awaitable[T]]) -> T:
        db = BlockingTransactions(self._database)
        return self.open_service().run(lambda gateway: work(db, gateway))
