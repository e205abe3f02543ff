"""Events of the gateway: each is stored once, with an outbox row that retrieves what it names.

Nothing of an event's contents is trusted or stored but its id, its type and the id of its object: duplicates, disorder
and delays do not matter.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Table, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from contracts.payloads import GatewayEventItem
from contracts.tasks import OutboxKind
from domain.database.database import affected_rows, insert_ignoring
from domain.database.prepared_change import PreparedInsert
from domain.database.prepared_select import PreparedSelect
from domain.outbox import queue as outbox_queue
from domain.payments.attempts import PaymentRef
from domain.payments.gateway import Event, SessionRef
from domain.tables import GatewayCursor, GatewayEvent, Order, Payment

# The gateway lists events of 30 days: an older one cannot come again.
KEEP = timedelta(days=35)
# A transaction that deletes more would make others wait.
DELETE_BATCH = 1000
_EVENTS = cast(Table, GatewayEvent.__table__)
_INSERT_ALL = insert(_EVENTS).returning(_EVENTS.c.id)
_INSERT = PreparedInsert(GatewayEvent)
_OBJECT = PreparedSelect(
    select(_EVENTS.c.gateway, _EVENTS.c.object_id).where(_EVENTS.c.id == bindparam("event")), tuple
)
_payments, _orders = Payment.__table__.c, Order.__table__.c
# By each of the ids that a gateway may name a payment by.
_NAMED = tuple(
    PreparedSelect(
        select(_payments.id, _payments.order_id, _orders.learner_id)
        .join(Order, _orders.id == _payments.order_id)
        .where(_payments.gateway == bindparam("of_gateway"), column == bindparam("object")),
        lambda row: PaymentRef(*row),
    )
    for column in (_payments.session_id, _payments.intent_id, _payments.charge_id)
)


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
    ids = _insert_new(session, list(rows.values()))
    outbox_queue.enqueue_all(
        session, OutboxKind.HANDLE_GATEWAY_EVENT, [GatewayEventItem(event_id=id_) for id_ in ids], at
    )
    return len(ids)


def _insert_new(session: Session, rows: list[dict[str, Any]]) -> list[int]:
    """The ids of the rows whose event was not known. No ORM objects, no query before and no savepoint: each would cost
    as much as the rows."""
    if len(rows) > 1 and session.get_bind().dialect.name != "sqlite":
        # A round trip for all, unless one of them is known.
        try:
            return sorted(session.scalars(_INSERT_ALL, rows))
        except IntegrityError:
            pass
    return [id_ for row in rows if (id_ := _insert(session, row)) is not None]


def _insert(session: Session, row: dict[str, Any]) -> int | None:
    """None when it violates the unique key: then the statement changed nothing, and the transaction goes on."""
    try:
        return _INSERT.run(session, **row)
    except IntegrityError:
        return None


def store_missing(session: Session, gateway: str, events: Iterable[Event], at: datetime) -> int:
    """Store those of a list that are not stored yet. Returns their number."""
    by_id = {event.id: event for event in events if event.session is not None}
    query = select(GatewayEvent.event_id).where(GatewayEvent.gateway == gateway, GatewayEvent.event_id.in_(list(by_id)))
    known = set(session.scalars(query)) if by_id else set()
    # The oldest first: their rows of the outbox are handled in that order.
    missing = sorted((event for key, event in by_id.items() if key not in known), key=lambda event: event.created_at)
    return store_all(session, gateway, missing, at)


def delete_old(session: Session, before: datetime) -> int:
    """Delete at most DELETE_BATCH events that were received before that time. Returns their number."""
    old = select(GatewayEvent.id).where(GatewayEvent.received_at < before).limit(DELETE_BATCH)
    return affected_rows(session, delete(GatewayEvent).where(GatewayEvent.id.in_(list(session.scalars(old)))))


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
    for gateway, object_id in _OBJECT.all(session, event=row_id):
        for by_id in _NAMED:
            for payment in by_id.all(session, of_gateway=gateway, object=object_id):
                return Named(payment, SessionRef(session_id=object_id))
        return Named(None, _session_ref(object_id))
    return None


def _session_ref(object_id: str) -> SessionRef:
    """By the form of the gateway's ids."""
    if object_id.startswith("cs_"):
        return SessionRef(session_id=object_id)
    is_intent = object_id.startswith("pi_")
    return SessionRef(intent_id=object_id) if is_intent else SessionRef(charge_id=object_id)
