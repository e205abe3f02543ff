"""What is done regularly: payments that are due are retrieved, pages of orders past their time are closed, and events
that never arrived are added."""

import logging
from datetime import UTC, datetime, timedelta

from adapters.payments import settling
from adapters.payments.transactions import Transactions
from domain import fault_points
from domain.orders import expiry
from domain.orders.expiry import DueOrder
from domain.orders.settings import Context
from domain.payments import gateway_events, polling, refund_calls
from domain.payments.attempts import PayingShop
from domain.payments.gateway import EventPage, GatewayError, GatewayRefused, GatewayUnavailable, PaymentGateway
from domain.payments.gateway_events import Listed

log = logging.getLogger("coursefront.payments")

# A run stays well under the limit of a task.
BEGIN_WITHIN = timedelta(seconds=5)
BATCH = 20
# Events may be stored by the gateway in another order than they happened.
OVERLAP = timedelta(hours=1)
FIRST_EVENTS = timedelta(hours=24)
MAX_PAGES = 10


async def poll(db: Transactions, gateway: PaymentGateway, shop: PayingShop) -> int:
    """Retrieve the payments that are due. Returns how many were; the others follow in the next run."""
    began, polled = datetime.now(UTC), 0
    while datetime.now(UTC) - began < BEGIN_WITHIN:
        due = await db.write(polling.lease_due, datetime.now(UTC), 1)
        if not due:
            break
        polled += 1
        try:
            await settling.retrieve(db, gateway, due[0], shop)
        except GatewayUnavailable as error:
            # Not the end of the run: only this payment's response may be unreadable.
            log.info("payment %d is polled later: %s", due[0].id, error)
            await db.write(polling.retry_soon, due[0], datetime.now(UTC))
        except GatewayRefused as refusal:
            log.error("payment %d cannot be retrieved: %s", due[0].id, refusal)
        except Exception:
            # Nobody else's payment waits for it; it is due again after its next wait.
            log.exception("payment %d cannot be polled", due[0].id)
    return polled


async def expire_orders(db: Transactions, gateway: PaymentGateway, shop: PayingShop) -> int:
    """Close the pages of orders past their time, then expire those that nobody paid. Returns how many expired."""
    began, expired = datetime.now(UTC), 0
    for order in await db.read(expiry.due, began, BATCH, began - polling.CLOSE_WITHIN):
        if datetime.now(UTC) - began > BEGIN_WITHIN:
            break
        try:
            await _close_pages(db, gateway, order, shop)
            expired += await _expire(db, order, shop)
        except Exception:
            log.exception("order %d cannot expire", order.id)
    return expired


async def resume_refunds(db: Transactions) -> int:
    """Go on with refunds whose row of the outbox is dead or gone. Returns how many there were."""
    at = datetime.now(UTC)
    found = await db.read(refund_calls.stuck, at, BATCH)
    for refund in found:
        log.error("refund %d was not sent: %s", refund.ref.id, refund.error or "its row of the outbox is gone")
        await db.write(refund_calls.resume, refund, at)
    return len(found)


async def _close_pages(db: Transactions, gateway: PaymentGateway, order: DueOrder, shop: PayingShop) -> None:
    """A page that cannot be closed now is tried again when its lease has ended, after five minutes."""
    for ref in await db.write(polling.lease_pages, [order.id], datetime.now(UTC)):
        try:
            await settling.close_page(db, gateway, ref, shop)
        except GatewayError as error:
            log.warning("the page of payment %d is closed later: %s", ref.id, error)
        else:
            await db.write(polling.end_lease, ref)


async def _expire(db: Transactions, order: DueOrder, shop: PayingShop) -> bool:
    at = datetime.now(UTC)
    with_open_page = await db.read(polling.is_long_due, order.id, at)
    return await db.write(expiry.expire, order, Context(at, shop.settings), with_open_page=with_open_page)


async def add_missed_events(db: Transactions, gateway: PaymentGateway, name: str) -> int:
    """Store the events that are not stored, of the time since the last complete list. Returns their number. Raises
    GatewayError; what was listed before is stored, and the next call goes on there."""
    at = datetime.now(UTC)
    listed = await db.read(gateway_events.listed, name)
    since = at - FIRST_EVENTS if listed.until is None else listed.until - OVERLAP
    added = 0
    for _page in range(MAX_PAGES):
        page = await _next_page(db, gateway, name, since, listed)
        added += await db.write(gateway_events.store_missing, name, page.events, at)
        fault_points.hit("event.stored")
        listed = _after(listed, page)
        await db.write(gateway_events.store_listed, name, listed)
        if listed.page is None:
            break
    return added


async def _next_page(
    db: Transactions, gateway: PaymentGateway, name: str, since: datetime, listed: Listed
) -> EventPage:
    try:
        return await gateway.list_events(since, listed.page)
    except GatewayRefused:
        # The event at which the list was to go on may be gone: the next call begins anew.
        await db.write(gateway_events.store_listed, name, Listed(listed.until))
        raise


def _after(listed: Listed, page: EventPage) -> Listed:
    """A list begins with its newest event. When it has ended, everything up to there is stored."""
    first = max((event.created_at for event in page.events), default=None) if listed.page is None else None
    newest_at = first or listed.newest_at
    if page.cursor is not None:
        return Listed(listed.until, page.cursor, newest_at)
    known = [time for time in (listed.until, newest_at) if time is not None]
    return Listed(max(known, default=None))
