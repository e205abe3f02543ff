"""The timeline of an order: events that are appended and never changed.

Each event has the SHA-256 of the chain before it and of itself, and the order's row has the last one: an event that was
changed, removed or inserted afterwards, the last one too, is found by `first_wrong`.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.prepared_change import PreparedInsert
from domain.tables import Order, OrderEvent

# The buyer agreed that digital content begins at once, which ends the right of withdrawal.
CONSENTED = "withdrawal_consent"
# The buyer declared that they withdraw from the contract.
WITHDRAWN = "withdrawal_declared"
# Money of a dispute came back to the shop. `not_given`: what of the order could not be given again.
MONEY_BACK = "dispute_money_back"
LEARNER, GATEWAY, SYSTEM = "learner", "gateway", "system"
# Somebody of the staff at the command line.
COMMAND = "command"
# Before the id of a member of staff.
STAFF = "staff:"
_EVENT = PreparedInsert(OrderEvent)
_COLUMNS = tuple(name for name in OrderEvent.__table__.c.keys() if name != "id")  # noqa: SIM118 no mapping
# The resolution of stored times: two events of an order never have the same.
TICK = timedelta(microseconds=1)


def staff(learner_id: int) -> str:
    """The actor of a change by a member of staff."""
    return f"{STAFF}{learner_id}"


def next_time(order: Order, at: datetime) -> datetime:
    """`at`, but later than the order's last event: a clock that was set back does not turn the timeline around."""
    # A new order has no event and no time of one yet.
    last: datetime | None = order.changed_at if order.event_count else None
    return at if last is None else max(at, last + TICK)


def append(
    session: Session,
    order: Order,
    kind: str,
    actor: str,
    at: datetime,
    facts: Mapping[str, Any],
    from_state: str | None = None,
    to_state: str | None = None,
) -> None:
    """Append an event to a locked order. `facts` are JSON and name no person. The order's `changed_at` becomes the
    time of the event."""
    occurred_at = next_time(order, at)
    event = OrderEvent(
        order_id=order.id,
        number=order.event_count + 1,
        occurred_at=occurred_at,
        kind=kind,
        actor=actor,
        from_state=from_state,
        to_state=to_state,
        facts=dict(facts),
    )
    event.chain = chain_of(order.event_chain, event)
    order.event_count, order.event_chain, order.changed_at = event.number, event.chain, occurred_at
    # After the order's row, which is written once with all that has changed.
    _EVENT.run(session, **{name: getattr(event, name) for name in _COLUMNS})


def chain_of(before: str, event: OrderEvent) -> str:
    """The chain of an event after the chain `before` it ("" before the first), in hexadecimal."""
    form = [
        before,
        event.order_id,
        event.number,
        event.occurred_at.astimezone(UTC).isoformat(timespec="microseconds"),
        event.kind,
        event.actor,
        event.from_state,
        event.to_state,
        event.facts,
    ]
    text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def timeline(session: Session, order_id: int) -> list[OrderEvent]:
    """All events of an order, the oldest first."""
    query = select(OrderEvent).where(OrderEvent.order_id == order_id)
    return list(session.scalars(query.order_by(OrderEvent.number)))


def first_wrong(order: Order, events: list[OrderEvent]) -> int | None:
    """The number of the first event that is not as it was appended; None when all are. `events`: the timeline."""
    before = ""
    for number, event in enumerate(events, 1):
        if event.number != number or event.chain != chain_of(before, event):
            return number
        before = event.chain
    return None if (order.event_count, order.event_chain) == (len(events), before) else len(events) + 1
