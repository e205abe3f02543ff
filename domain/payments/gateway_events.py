"""Events of the gateway: each is stored once, with an outbox row that retrieves what it names.

Nothing of an event's contents is trusted or stored but its id, its type and the id of its object: duplicates, disorder
and delays do not matter.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Table, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from contracts.payloads import GatewayEventItem
from contracts.tasks import OutboxKind
from domain import outbox
from domain.database.database import affected_rows, insert_ignoring
from domain.payments.attempts import PaymentRef
from domain.payments.gateway import Event, SessionRef
from domain.tables import GatewayCursor, GatewayEvent, Order, Payment

_EVENTS = cast(Table, GatewayEvent.__table__)
_INSERT = insert(_EVENTS).returning(_EVENTS.c.id)


def store(session: Session, gateway: str, event: Event, at: datetime) -> bool:
    """Whether the event is new. A known one, also one that another process stores now, changes nothing."""
    return store_all(session, gateway, [event], at) == 1


def store_all(session: Session, gateway: str, events: Iterable[Event], at: datetime) -> int:
    """Store those that are new. Returns their number."""
    rows = {
        event.id: {
            "gateway": gateway,
            "event_id": event.id,
            "type": event.type,
            "object_id": event.object_id,
            "created_at": event.created_at,
            "received_at": at,
        }
        for event in events
    }
    added = _insert(session, list(rows.values()), at)
    if added is None and len(rows) > 1:
        return sum(_insert(session, [row], at) or 0 for row in rows.values())
    return added or 0


def _insert(session: Session, rows: list[dict[str, Any]], at: datetime) -> int | None:
    """None when one of the rows violates the unique key: then the statement changed nothing, and the transaction goes
    on. No ORM objects, no query before and no savepoint: each would cost as much as the rows."""
    try:
        ids = sorted(session.scalars(_INSERT, rows)) if rows else []
    except IntegrityError:
        return None
    outbox.enqueue_all(session, OutboxKind.HANDLE_GATEWAY_EVENT, [GatewayEventItem(event_id=id_) for id_ in ids], at)
    return len(ids)


def store_missing(session: Session, gateway: str, events: Iterable[Event], at: datetime) -> int:
    """Store those of a list that are not stored yet. Returns their number."""
    by_id = {event.id: event for event in events if event.session is not None}
    query = select(GatewayEvent.event_id).where(GatewayEvent.gateway == gateway, GatewayEvent.event_id.in_(list(by_id)))
    known = set(session.scalars(query)) if by_id else set()
    # The oldest first: their rows of the outbox are handled in that order.
    missing = sorted((event for key, event in by_id.items() if key not in known), key=lambda event: event.created_at)
    return store_all(session, gateway, missing, at)


@dataclass(frozen=True)
class Listed:
    """How far events were listed, by the gateway's clock: all up to `until`. A list that is not at its end goes on at
    `page`; its first event was created at `newest_at`."""

    until: datetime | None = None
    page: str | None = None
    newest_at: datetime | None = None


def listed(session: Session, gateway: str) -> Listed:
    row = session.get(GatewayCursor, gateway)
    return Listed() if row is None else Listed(row.listed_until, row.page, row.newest_at)


def store_listed(session: Session, gateway: str, now: Listed) -> None:
    """Several runners may do so: events that one of them has not seen are listed again, never left out."""
    insert_ignoring(session, GatewayCursor, [{"gateway": gateway}])
    values = {"listed_until": now.until, "page": now.page, "newest_at": now.newest_at}
    affected_rows(session, update(GatewayCursor).where(GatewayCursor.gateway == gateway).values(**values))


@dataclass(frozen=True)
class Named:
    """What an event names: a payment of ours, if one is known by that id, and the session to retrieve."""

    payment: PaymentRef | None
    session: SessionRef


def named_by(session: Session, row_id: int) -> Named | None:
    """None for an event that is not stored."""
    row = session.get(GatewayEvent, row_id)
    if row is None:
        return None
    columns = select(Payment.id, Payment.order_id, Order.learner_id).join(Order, Order.id == Payment.order_id)
    for column in (Payment.session_id, Payment.intent_id, Payment.charge_id):
        payment = session.execute(columns.where(Payment.gateway == row.gateway, column == row.object_id)).first()
        if payment is not None:
            return Named(PaymentRef(*payment), SessionRef(session_id=row.object_id))
    return Named(None, _session_ref(row))


def _session_ref(row: GatewayEvent) -> SessionRef:
    """By the form of the gateway's ids."""
    if row.object_id.startswith("cs_"):
        return SessionRef(session_id=row.object_id)
    is_intent = row.object_id.startswith("pi_")
    return SessionRef(intent_id=row.object_id) if is_intent else SessionRef(charge_id=row.object_id)
