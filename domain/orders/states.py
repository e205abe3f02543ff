"""The states of an order: the table of its transitions, and the only function that changes a state."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.orders import effects, events
from domain.orders.effects import Effect
from domain.orders.settings import DEFAULT_SETTINGS, OrderSettings
from domain.tables import Order

State = Literal["placed", "processing", "paid", "expired", "cancelled", "refunded"]
STATES: tuple[State, ...] = ("placed", "processing", "paid", "expired", "cancelled", "refunded")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Transition:
    """In the state `before` (None: a new order) the event leads to `after`, with these effects in their order, which is
    that of the locks; those BEFORE_THE_ROW first. `unless_another_is_open`: not while the learner has another open
    order."""

    before: State | None
    event: str
    after: State
    effects: tuple[Effect, ...] = ()
    unless_another_is_open: bool = False


PAID = (
    Effect.CLOSE,
    Effect.REMOVE_CART_LINES,
    Effect.COMMIT_RESERVATIONS,
    Effect.GIVE,
    Effect.ISSUE_INVOICE,
    Effect.CLOSE_PAYMENTS,
    Effect.MAIL_PAID,
)
AWAIT_TRANSFER = (Effect.CLOSE, Effect.RESERVE_FOR_TRANSFER, Effect.ASK_TRANSFER)
NOT_PAID = (Effect.CLOSE, Effect.RELEASE_RESERVATIONS, Effect.CLOSE_PAYMENTS)
TRANSITIONS: tuple[Transition, ...] = (
    Transition(None, "place", "placed", (Effect.OPEN, Effect.RESERVE_FOR_PAYING)),
    # Over nothing, and settled in the same transaction.
    Transition(None, "enrol", "placed"),
    Transition("placed", "settle", "paid", PAID),
    Transition("processing", "settle", "paid", PAID),
    # A debit is under way: the learner may place another order meanwhile.
    Transition("placed", "begin", "processing", (Effect.CLOSE, Effect.RESERVE_FOR_DEBIT, Effect.MAIL_RECEIVED)),
    # A bank transfer takes days too.
    Transition("placed", "await_transfer", "processing", AWAIT_TRANSFER),
    Transition("processing", "cancel_transfer", "cancelled", NOT_PAID),
    Transition(
        "processing",
        "fail",
        "placed",
        (Effect.OPEN, Effect.RESERVE_FOR_PAYING_AGAIN, Effect.MAIL_FAILED),
        unless_another_is_open=True,
    ),
    Transition("processing", "fail", "expired", (*NOT_PAID, Effect.MAIL_FAILED)),
    Transition("placed", "expire", "expired", NOT_PAID),
    Transition("processing", "expire", "expired", NOT_PAID),
    Transition("placed", "cancel", "cancelled", NOT_PAID),
    Transition("placed", "supersede", "cancelled", NOT_PAID),
    # A late payment (domain/payments/late_payments.py), which has claimed everything anew before.
    Transition("expired", "settle", "paid", PAID),
    Transition("cancelled", "settle", "paid", PAID),
    Transition("paid", "refund_all", "refunded", (Effect.TAKE_BACK,)),
    Transition("paid", "dispute_lost", "refunded", (Effect.TAKE_BACK,)),
    # Its money came back, and what it had ended was given again (domain/payments/disputes.py).
    Transition("refunded", "dispute_reversed", "paid"),
)
EVENTS = tuple(dict.fromkeys(transition.event for transition in TRANSITIONS))


def advance(
    session: Session,
    order: Order,
    event: str,
    at: datetime,
    *,
    actor: str,
    facts: Mapping[str, Any],
    settings: OrderSettings = DEFAULT_SETTINGS,
) -> Transition | None:
    """Change the state of a locked order, write the event and carry out the effects. None: the event changes nothing in
    this state, which is logged. A new order, which is in no state and not in the session yet, is added.

    The time is `at`, or just after the order's last event if that is later. Raises what an effect raises, such as
    ReservationsMissing: the caller's transaction or savepoint is then rolled back.
    """
    transition = _transition(session, order, event)
    if transition is None:
        log.info("order %s: %s changes nothing in the state %s", order.code, event, order.state)
        return None
    for effect in transition.effects:
        if effect in effects.BEFORE_THE_ROW:
            effects.carry_out(effect, session, order, at, settings)
    order.state = transition.after
    at = _stamp(order, transition, events.next_time(order, at))
    for effect in transition.effects:
        if effect in effects.OF_THE_ROW:
            effects.carry_out(effect, session, order, at, settings)
    if transition.before is None:
        session.add(order)
        session.flush()
    events.append(session, order, event, actor, at, facts, transition.before, transition.after)
    for effect in transition.effects:
        if effect not in effects.OF_THE_ROW | effects.BEFORE_THE_ROW:
            effects.carry_out(effect, session, order, at, settings)
    session.flush()
    return transition


def _transition(session: Session, order: Order, event: str) -> Transition | None:
    rows = [row for row in TRANSITIONS if (row.before, row.event) == (order.state, event)]
    return next((row for row in rows if not (row.unless_another_is_open and _has_another_open(session, order))), None)


def _has_another_open(session: Session, order: Order) -> bool:
    query = select(Order.id).where(Order.open_learner_id == order.learner_id, Order.id != order.id)
    return session.scalar(query) is not None


def _stamp(order: Order, transition: Transition, at: datetime) -> datetime:
    """Set the times that belong to the new state; returns `at`."""
    if transition.before is None:
        order.placed_at = order.changed_at = at
        order.event_count, order.event_chain = 0, ""
    if transition.after == "paid":
        order.paid_at, order.reserved_until = order.paid_at or at, None
    order.ended_at = at if transition.after in ("expired", "cancelled", "refunded") else None
    return at
