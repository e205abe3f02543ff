"""What waits for somebody of the staff, and how the last two weeks went: for the first page of their area."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session

from domain.bank_transfers.account import TRANSFER
from domain.health.jobs import stalled_jobs
from domain.permissions import Permission
from domain.staff import pending_list
from domain.tables import (
    BankEntry,
    ContactMessage,
    CouponAlarm,
    DeadLetter,
    Order,
    OrderLine,
    Organisation,
    Outbox,
    Payment,
    PaymentFinding,
    Refund,
    Review,
    Visit,
)

# Counted no further: who has so many waiting needs no exact number.
MAX_COUNT = 1_000
DAYS = 14


@dataclass(frozen=True)
class WaitingCount:
    """`kind` is one of KINDS. `count` is at most MAX_COUNT."""

    kind: str
    count: int


@dataclass(frozen=True)
class Day:
    """Orders by the day (UTC) on which they were paid, `sales` in minor units of one currency; visits of people."""

    day: date
    orders: int
    sales: int
    visits: int


# Paid orders with goods that nobody has sent or refunded (domain/orders/shipping.py).
_TO_SEND = (
    select(Order.id)
    .join(OrderLine, OrderLine.order_id == Order.id)
    .where(OrderLine.fulfilment == "shipped", OrderLine.shipped_at.is_(None), OrderLine.ended_at.is_(None))
    .where(OrderLine.refunded_quantity + OrderLine.shipped_quantity < OrderLine.quantity, Order.state == "paid")
    .distinct()
)
# Approved refunds of bank transfers, which no gateway pays (domain/orders/refunds/failed_refunds.py).
_TO_TRANSFER = (
    select(Refund.id)
    .join(Payment, Payment.id == Refund.payment_id)
    .where(Refund.state == "approved", Payment.gateway == TRANSFER)
)
# What can wait -> who is told, and the rows, at a time and for somebody with this id.
KINDS: Mapping[str, tuple[Permission, Select[Any] | Callable[[datetime, int], Select[Any]]]] = {
    "confirmations": (Permission.STAFF_WRITE, pending_list.to_confirm),
    "applications": (
        Permission.ORGANISATIONS_READ,
        select(Organisation.id).where(Organisation.state.in_(("submitted", "information"))),
    ),
    "refunds": (Permission.REFUNDS_WRITE, select(Refund.id).where(Refund.state == "requested")),
    "parcels": (Permission.ORDERS_WRITE, _TO_SEND),
    "failed_refunds": (Permission.REFUNDS_WRITE, select(Refund.id).where(Refund.state == "failed")),
    "transfers_back": (Permission.REFUNDS_WRITE, _TO_TRANSFER),
    "bank_entries": (Permission.PAYMENTS_WRITE, select(BankEntry.id).where(BankEntry.state == "open")),
    "findings": (Permission.REFUNDS_WRITE, select(PaymentFinding.id).where(PaymentFinding.resolved_at.is_(None))),
    "reviews": (Permission.REVIEWS_MODERATE, select(Review.id).where(Review.state == "pending")),
    "messages": (Permission.MESSAGES_WRITE, select(ContactMessage.id).where(ContactMessage.state == "new")),
    "mails": (
        Permission.MAIL_READ,
        select(Outbox.id).where(Outbox.topic == "mail", Outbox.done_at.is_(None), Outbox.dead_at.is_not(None)),
    ),
    "alarms": (Permission.COUPONS_WRITE, select(CouponAlarm.id).where(CouponAlarm.state == "open")),
    "jobs": (Permission.HEALTH_READ, lambda at, _: stalled_jobs(at)),
    "visits": (Permission.MAIL_REPLAY, select(DeadLetter.id).where(DeadLetter.replayed_at.is_(None))),
}


def waiting(session: Session, permissions: Collection[Permission], at: datetime, learner_id: int) -> list[WaitingCount]:
    """What these permissions allow this person to deal with and is not done yet; nothing that is 0."""
    counts = (
        WaitingCount(kind, _count(session, rows(at, learner_id) if callable(rows) else rows))
        for kind, (permission, rows) in KINDS.items()
        if permission in permissions
    )
    return [entry for entry in counts if entry.count]


def _count(session: Session, rows: Select[Any]) -> int:
    return session.scalar(select(func.count()).select_from(rows.limit(MAX_COUNT).subquery())) or 0


def last_days(session: Session, at: datetime, currency: str) -> list[Day]:
    """The last fourteen days, today included, the oldest first. `currency`: of the sales; orders of other ones are
    counted, and not added up with these."""
    today = at.date()
    days = [today - timedelta(days=number) for number in reversed(range(DAYS))]
    since = at.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    own = case((Order.currency == currency, Order.total_minor), else_=0)
    paid = select(func.date(Order.paid_at), func.count(), func.sum(own))
    # A refunded order was a sale on its day.
    sold = {
        str(day): (int(count), int(total))
        for day, count, total in session.execute(
            paid.where(Order.state.in_(("paid", "refunded")), Order.paid_at >= since).group_by(func.date(Order.paid_at))
        )
    }
    is_person = (Visit.visitor_class == "human", Visit.visited_at >= since)
    seen = select(func.date(Visit.visited_at), func.count()).where(*is_person).group_by(func.date(Visit.visited_at))
    visits = {str(day): int(count) for day, count in session.execute(seen)}
    return [Day(day, *sold.get(day.isoformat(), (0, 0)), visits.get(day.isoformat(), 0)) for day in days]
