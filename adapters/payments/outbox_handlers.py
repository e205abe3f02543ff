"""Handles the outbox rows of the topic `payments`: events of the gateway, pages to close, refunds to send.

Each is safe to repeat: what is retrieved counts, and keys of the gateway make a second refund impossible.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from adapters.payments import settling
from adapters.payments.sync_calls import GatewayService
from adapters.payments.transactions import BlockingTransactions, Transactions
from contracts.payloads import GatewayEventItem, PaymentItem, RefundItem, decode
from contracts.tasks import OutboxKind
from domain import fault_points
from domain.database.database import Database
from domain.outbox.errors import Later, ServiceDown, Undeliverable
from domain.outbox.leases import Lease
from domain.payments import attempts, refund_calls
from domain.payments.attempts import PayingShop
from domain.payments.gateway import GatewayDown, GatewayRefused, GatewayUnavailable, PaymentGateway

# A row that the gateway does not take is tried again after its own age, within these bounds.
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=5), timedelta(hours=1)
GIVE_UP_AFTER = timedelta(hours=72)

Work = Callable[[Transactions, PaymentGateway, Lease, PayingShop], Awaitable[object]]


def handlers(database: Database, shop: PayingShop) -> Mapping[str, Callable[[Lease, GatewayService], None]]:
    """By the kinds of rows that this build can handle."""
    return {kind: _handler(database, shop, work) for kind, work in WORK.items()}


def _handler(database: Database, shop: PayingShop, work: Work) -> Callable[[Lease, GatewayService], None]:
    db = BlockingTransactions(database)

    def handle(lease: Lease, service: GatewayService) -> None:
        try:
            service.run(lambda gateway: work(db, gateway, lease, shop))
        except GatewayRefused as refusal:
            raise Undeliverable(str(refusal)) from refusal
        except GatewayUnavailable as error:
            raise _later(lease, error) from error

    return handle


def _later(lease: Lease, error: GatewayUnavailable) -> Exception:
    """Rows wait together for a gateway that does not answer: each call would occupy a worker until its deadline."""
    age = datetime.now(UTC) - lease.created_at
    if age > GIVE_UP_AFTER:
        return Undeliverable(f"given up after {GIVE_UP_AFTER.total_seconds() / 3600:g} hours: {error}")
    if isinstance(error, GatewayDown):
        return ServiceDown(str(error))
    return Later(min(max(age, FIRST_RETRY), LONGEST_RETRY).total_seconds(), str(error))


async def _handle_event(db: Transactions, gateway: PaymentGateway, lease: Lease, shop: PayingShop) -> None:
    await settling.handle_event(db, gateway, decode(GatewayEventItem, lease.body).event_id, shop)


async def _expire_payment(db: Transactions, gateway: PaymentGateway, lease: Lease, shop: PayingShop) -> None:
    ref = await db.read(attempts.ref_by_id, decode(PaymentItem, lease.body).payment_id)
    if ref is None:
        return
    if await db.read(attempts.is_being_opened, ref, datetime.now(UTC)):
        raise Later(FIRST_RETRY.total_seconds(), "the page is being opened now")
    await settling.close_page(db, gateway, ref, shop)


async def _send_refund(db: Transactions, gateway: PaymentGateway, lease: Lease, shop: PayingShop) -> None:
    fault_points.hit("refund.committed")
    ref = await db.read(refund_calls.ref_of, decode(RefundItem, lease.body).refund_id)
    request = None if ref is None else await db.write(refund_calls.prepare, ref, shop, datetime.now(UTC))
    if ref is None or request is None:
        return
    fault_points.hit("refund.sent")
    try:
        snapshot = await gateway.create_refund(request)
    except GatewayRefused as refusal:
        await db.write(refund_calls.refuse, ref, str(refusal), datetime.now(UTC))
        raise
    fault_points.hit("refund.answered")
    await db.write(refund_calls.record, ref, snapshot, shop.settings, datetime.now(UTC))


WORK: Mapping[str, Work] = {
    str(OutboxKind.HANDLE_GATEWAY_EVENT): _handle_event,
    str(OutboxKind.EXPIRE_PAYMENT): _expire_payment,
    str(OutboxKind.SEND_REFUND): _send_refund,
}
