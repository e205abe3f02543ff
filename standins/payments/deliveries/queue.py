"""Which deliveries are due, and what is recorded after an attempt."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select, update

from standins.payments.objects import store
from standins.payments.tables import Delivery
from standins.payments.work import Work

# After 1, 2, 4, … seconds, at most an hour, for three days.
MAX_PAUSE_S, GIVE_UP_S = 3_600.0, 3 * 86_400.0


@dataclass(frozen=True)
class Parcel:
    """What is sent: the number of the delivery and the event as JSON."""

    number: int
    body: bytes


def due_parcels(work: Work, under_way: Collection[int], limit: int) -> list[Parcel]:
    """The oldest that are due and not under way."""
    query = select(Delivery).where(Delivery.next_at <= work.now, Delivery.number.not_in(under_way))
    rows = work.session.scalars(query.order_by(Delivery.number).limit(limit)).all()
    return [Parcel(row.number, event_body(work, row.event_id)) for row in rows]


def event_body(work: Work, event_id: str) -> bytes:
    return json.dumps(store.get(work, event_id).data, indent=2).encode()


def next_at(work: Work, under_way: Collection[int]) -> float | None:
    """When the next one is due."""
    return work.session.scalar(select(func.min(Delivery.next_at)).where(Delivery.number.not_in(under_way)))


def record_attempt(work: Work, number: int, result: int | str) -> None:
    """`result`: the status of the webhook's answer, or why there was none."""
    delivery = work.session.get_one(Delivery, number)
    name = "status" if isinstance(result, int) else "error"
    delivery.attempts = [*delivery.attempts, {"at": work.now, name: result}]
    if isinstance(result, int) and 200 <= result < 300:
        delivery.state, delivery.next_at = "delivered", None
        _arrive(work, delivery)
        return
    pause_s = min(2.0 ** (len(delivery.attempts) - 1), MAX_PAUSE_S)
    delivery.next_at = work.now + pause_s
    delivery.state = "waiting"
    if delivery.next_at > delivery.first_at + GIVE_UP_S:
        delivery.state, delivery.next_at = "given_up", None


def _arrive(work: Work, delivery: Delivery) -> None:
    """Updates the event's counter, and lets deliveries go that were held until another one arrived."""
    event = store.get(work, delivery.event_id)
    waiting = work.session.scalar(
        select(func.count()).where(Delivery.event_id == event.id, Delivery.next_at.is_not(None))
    )
    store.change(event, pending_webhooks=waiting)
    work.session.execute(update(Delivery).where(Delivery.state == "held").values(state="waiting", next_at=work.now))
