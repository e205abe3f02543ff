"""Retrieve what the gateway has of a payment, and apply it: webhooks, polling, the return page and commands do this.

No transaction is open while the gateway is called.
"""

import logging
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from adapters.payments.transactions import Transactions
from domain import fault_points
from domain.payments import attempts, gateway_events, polling, settlement
from domain.payments.attempts import PayingShop, PaymentRef
from domain.payments.gateway import PaymentGateway, Snapshot
from domain.payments.settlement import Outcome

log = logging.getLogger("coursefront.payments")


async def retrieve(db: Transactions, gateway: PaymentGateway, ref: PaymentRef, shop: PayingShop) -> Outcome | None:
    """What the payment's session at the gateway led to; None when there is none. Raises GatewayUnavailable or
    GatewayRefused."""
    snapshot = await gateway.get_session(await db.read(attempts.session_ref, ref.id, shop))
    fault_points.hit("settle.retrieved")
    return None if snapshot is None else await apply(db, ref, snapshot, shop)


async def close_page(db: Transactions, gateway: PaymentGateway, ref: PaymentRef, shop: PayingShop) -> Outcome | None:
    """End the payment's page at the gateway; one on which the buyer was faster is settled. Without a session nothing
    can be paid. Raises as `retrieve`."""
    snapshot = await gateway.expire_session(await db.read(attempts.session_ref, ref.id, shop))
    if snapshot is None:
        await db.write(attempts.mark_void, ref)
        return None
    return await apply(db, ref, snapshot, shop)


async def apply(db: Transactions, ref: PaymentRef, snapshot: Snapshot, shop: PayingShop) -> Outcome:
    outcome = await db.write(_apply, ref, snapshot, shop, datetime.now(UTC))
    fault_points.hit("settle.committed")
    return outcome


def _apply(session: Session, ref: PaymentRef, snapshot: Snapshot, shop: PayingShop, at: datetime) -> Outcome:
    outcome = settlement.apply(session, ref, snapshot, shop, at)
    attempts.note_page(session, ref, snapshot)
    polling.stop(session, ref)
    return outcome


async def handle_event(db: Transactions, gateway: PaymentGateway, event_id: int, shop: PayingShop) -> Outcome | None:
    """Retrieve what a stored event names. None: it names no payment of ours. Raises as `retrieve`."""
    named = await db.read(gateway_events.named_by, event_id)
    if named is None:
        return None
    if named.payment is not None:
        return await retrieve(db, gateway, named.payment, shop)
    # The answer to its opening was lost, or the event is of another shop at the same gateway.
    snapshot = await gateway.get_session(named.session)
    if snapshot is None or snapshot.reference is None or snapshot.reference.shop != shop.uid:
        return None
    ref = await db.read(attempts.ref_of, snapshot.reference.order, snapshot.reference.payment)
    if ref is None:
        log.error("event %d: the gateway has a session of our shop for no payment of ours", event_id)
        return None
    return await apply(db, ref, snapshot, shop)
