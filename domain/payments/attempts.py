"""Attempts to pay: who opens the hosted page of a payment, what became of it, and when another attempt may follow.

Whoever gets the lease of a payment calls the gateway, outside any transaction, and then stores what it answered. The
idempotency key makes a repeated call harmless; the lease only saves it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, cast
from uuid import uuid4

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.database.prepared_change import PreparedChange
from domain.database.prepared_select import PreparedSelect
from domain.orders.locks import lock_order
from domain.orders.settings import MIN_TIME_LEFT, OrderSettings
from domain.payments.gateway import HostedPage, PageLine, Reference, SessionRef, SessionRequest, Snapshot
from domain.tables import Order, OrderLine, Payment

# Longer than any call to the gateway may take (PAYMENTS_DEADLINE_MS, 60 s at most). A site has the lease of its own
# deadline: whoever's host process was killed while it opened their page waits for its end.
LEASE = timedelta(seconds=75)
LEASE_MARGIN = timedelta(seconds=5)
FIRST_POLL = timedelta(seconds=15)
# The gateway opens no page for a shorter time.
MIN_PAGE_TIME = timedelta(minutes=30)
# The gateway takes no more line items.
MAX_PAGE_LINES = 99
MAX_FAILURE_LENGTH = 255


@dataclass(frozen=True)
class PaymentRef:
    """A payment with what the locks of a transaction need, read in a transaction before."""

    id: int
    order_id: int
    learner_id: int


@dataclass(frozen=True)
class PayingShop:
    """What hosted pages need. `uid`: of the shop's database, for the gateway's metadata. `origin`: of the site.
    `lease`: longer than the call that opens a page may take; None: LEASE."""

    uid: str
    origin: str
    settings: OrderSettings
    lease: timedelta | None = None


@dataclass(frozen=True)
class Opening:
    """A leased payment: call the gateway with `request`, then `store_page` or `release` with `token`."""

    payment: PaymentRef
    token: str
    request: SessionRequest


@dataclass(frozen=True)
class OpenPage:
    """The hosted page is open: people pay there."""

    url: str


@dataclass(frozen=True)
class Busy:
    """Another process opens the page now."""


@dataclass(frozen=True)
class Stale:
    """The page's time at the gateway is over or unknown: retrieve or expire the session, then `pay_again`."""

    payment: PaymentRef


@dataclass(frozen=True)
class Closed:
    """Nothing can be paid: the order is paid, processing or has ended, or its time to pay is over."""

    state: str


class _Known(NamedTuple):
    """What of a payment its session is found by."""

    session_id: str | None
    intent_id: str | None
    number: int
    created_at: datetime
    expires_at: datetime | None
    code: str


class _PageLine(NamedTuple):
    kind: str
    name: str
    quantity: int
    total_minor: int


_payments, _lines = Payment.__table__.c, OrderLine.__table__.c
_KNOWN = PreparedSelect(
    select(*(_payments[name] for name in _Known._fields[:-1]), Order.__table__.c.code)
    .join(Order, Order.id == _payments.order_id)
    .where(_payments.id == bindparam("payment")),
    _Known._make,
)
_LINES = PreparedSelect(
    select(*(_lines[name] for name in _PageLine._fields))
    .where(_lines.order_id == bindparam("order"))
    .order_by(_lines.number),
    _PageLine._make,
)
_STORE = PreparedChange(
    update(cast("Table", Payment.__table__))
    .where(
        _payments.id == bindparam("payment"),
        _payments.lease_token == bindparam("token"),
        _payments.state == bindparam("before"),
    )
    .values(
        {
            _payments.state: "open",
            _payments.session_id: bindparam("page"),
            _payments.url: bindparam("page_url"),
            _payments.expires_at: bindparam("until"),
            _payments.livemode: bindparam("is_live"),
            _payments.poll_at: bindparam("next_poll"),
            _payments.polls: 0,
            _payments.lease_token: None,
            _payments.leased_until: None,
        }
    )
)


def ref_of(session: Session, code: str, number: int) -> PaymentRef | None:
    """The payment of an order by their code and number."""
    columns = select(Payment.id, Payment.order_id, Order.learner_id).join(Order, Order.id == Payment.order_id)
    row = session.execute(columns.where(Order.code == code, Payment.number == number)).first()
    return None if row is None else PaymentRef(*row)


def order_of(session: Session, learner_id: int, code: str) -> int | None:
    """The id of the learner's order; None for everybody else's."""
    return session.scalar(select(Order.id).where(Order.code == code, Order.learner_id == learner_id))


def page_of(session: Session, learner_id: int, code: str, at: datetime) -> OpenPage | Busy | None:
    """The open page of the last payment of the learner's order, or Busy while it is being opened. None when nobody
    opens it, and for everybody else's order."""
    query = (
        select(Payment)
        .join(Order, Order.id == Payment.order_id)
        .where(Order.code == code.upper(), Order.learner_id == learner_id, Order.state == "placed")
        .order_by(Payment.number.desc())
        .limit(1)
    )
    last = session.scalars(query).first()
    if last is None:
        return None
    if _is_open(last, at):
        return OpenPage(last.url or "")
    return Busy() if _is_leased(last, at) else None


def _is_open(payment: Payment, at: datetime) -> bool:
    has_time = payment.expires_at is not None and payment.expires_at > at + MIN_TIME_LEFT
    return payment.state == "open" and bool(payment.url) and has_time


def _is_leased(payment: Payment, at: datetime) -> bool:
    return payment.leased_until is not None and payment.leased_until > at


def ref_by_id(session: Session, payment_id: int) -> PaymentRef | None:
    columns = select(Payment.id, Payment.order_id, Order.learner_id).join(Order, Order.id == Payment.order_id)
    row = session.execute(columns.where(Payment.id == payment_id)).first()
    return None if row is None else PaymentRef(*row)


def is_being_opened(session: Session, ref: PaymentRef, at: datetime) -> bool:
    """Somebody has the lease of a payment whose page is not known yet."""
    is_leased = (Payment.id == ref.id, Payment.state == "new", Payment.leased_until > at)
    return session.scalar(select(Payment.id).where(*is_leased)) is not None


def session_ref(session: Session, payment_id: int, shop: PayingShop) -> SessionRef:
    """What the gateway's session of a payment is found by."""
    [payment] = _KNOWN.all(session, payment=payment_id)
    return SessionRef(
        session_id=payment.session_id,
        intent_id=payment.intent_id,
        reference=Reference(shop.uid, payment.code, payment.number),
        opened_at=_opened_at(payment, shop.settings),
    )


def _opened_at(payment: Payment | _Known, settings: OrderSettings) -> datetime:
    """When the first call to open the page began."""
    return payment.created_at if payment.expires_at is None else payment.expires_at - settings.payment_window


def begin(
    session: Session, learner_id: int, order_id: int, shop: PayingShop, at: datetime
) -> Opening | OpenPage | Busy | Stale | Closed:
    """Lease the order's newest payment to open its page, unless it is open already. A payment that cannot be opened any
    more is followed by the next one. Raises NoResultFound for another's order."""
    order = lock_order(session, learner_id, order_id)
    if order.state != "placed":
        return Closed(order.state)
    payment = _newest(session, order.id)
    ref = PaymentRef(payment.id, order.id, learner_id)
    if _is_leased(payment, at):
        return Busy()
    if payment.state == "open":
        return OpenPage(payment.url or "") if _is_open(payment, at) else Stale(ref)
    if payment.state == "new" and payment.expires_at and payment.expires_at < at + MIN_PAGE_TIME:
        # Another call with its key would ask for too short a time, and it may have opened a page before.
        return Stale(ref)
    is_next = payment.state != "new"
    expires_at = at + shop.settings.payment_window if is_next or not payment.expires_at else payment.expires_at
    if not _extend_reservation(order, expires_at + shop.settings.grace, shop.settings):
        return Closed("too_late")
    if is_next:
        payment = _add_next(session, order, payment, at)
    payment.expires_at = expires_at
    return _lease(session, order, payment, shop, at)


def _newest(session: Session, order_id: int) -> Payment:
    query = select(Payment).where(Payment.order_id == order_id).order_by(Payment.number.desc()).limit(1)
    return session.scalars(query.with_for_update(), execution_options={"populate_existing": True}).one()


def _add_next(session: Session, order: Order, last: Payment, at: datetime) -> Payment:
    number = last.number + 1
    payment = Payment(
        order_id=order.id,
        number=number,
        gateway=last.gateway,
        amount_minor=order.total_minor,
        currency=order.currency,
        state="new",
        key=f"{order.code}-{number}",
        created_at=at,
    )
    session.add(payment)
    session.flush()
    return payment


def _extend_reservation(order: Order, until: datetime, settings: OrderSettings) -> bool:
    """The order stays reserved for as long as its page is open; False when that would be too long."""
    if order.reserved_until is not None and until > order.reserved_until:
        if until > order.placed_at + settings.max_reservation:
            return False
        order.reserved_until = until
    return True


def _lease(session: Session, order: Order, payment: Payment, shop: PayingShop, at: datetime) -> Opening:
    payment.lease_token, payment.leased_until = uuid4().hex, at + (shop.lease or LEASE)
    payment.poll_at, payment.polls = at + FIRST_POLL, 0
    session.flush()
    request = SessionRequest(
        key=payment.key,
        reference=Reference(shop.uid, order.code, payment.number),
        currency=payment.currency,
        amount_minor=payment.amount_minor,
        lines=page_lines(order, _LINES.all(session, order=order.id)),
        email=order.email,
        return_url=f"{shop.origin}/completed/{order.code}",
        cancel_url=f"{shop.origin}/completed/{order.code}?back=1",
        opened_at=_opened_at(payment, shop.settings),
        expires_at=payment.expires_at or at,
    )
    return Opening(PaymentRef(payment.id, order.id, order.learner_id), payment.lease_token, request)


def page_lines(order: Order, lines: Sequence[OrderLine | _PageLine]) -> tuple[PageLine, ...]:
    """The order's lines as the hosted page shows them; one for all of them when there are too many."""
    if len(lines) > MAX_PAGE_LINES or sum(line.total_minor for line in lines) != order.total_minor:
        return (PageLine(f"Order {order.code}", order.total_minor),)
    return tuple(PageLine(_name(line), line.total_minor) for line in lines)


def _name(line: OrderLine | _PageLine) -> str:
    name = f"Delivery: {line.name}" if line.kind == "delivery" else line.name
    return name if line.quantity == 1 else f"{line.quantity} \u00d7 {name}"


def store_page(session: Session, opening: Opening, page: HostedPage, at: datetime) -> bool:
    """Store the page that the gateway has opened. False when the payment has advanced meanwhile, or the lease ran out
    and another process has it."""
    leased = {"payment": opening.payment.id, "token": opening.token, "before": "new"}
    about = {"page": page.id, "page_url": page.url, "until": page.expires_at, "is_live": page.livemode}
    return _STORE.run(session, **leased, **about, next_poll=at + FIRST_POLL) == 1


def release(session: Session, opening: Opening) -> bool:
    """No page is known to be open: the next one may try at once, with the same key."""
    return _end_lease(session, opening, {})


def refuse(session: Session, opening: Opening, failure: str) -> bool:
    """The gateway has refused to open a page, for good: another attempt has another number."""
    values = {"state": "failed", "failure": failure[:MAX_FAILURE_LENGTH], "poll_at": None}
    return _end_lease(session, opening, values)


def _end_lease(session: Session, opening: Opening, values: Mapping[str, object]) -> bool:
    is_leased = (Payment.id == opening.payment.id, Payment.lease_token == opening.token, Payment.state == "new")
    ended = {**values, "lease_token": None, "leased_until": None}
    return affected_rows(session, update(Payment).where(*is_leased).values(**ended)) == 1


def note_page(session: Session, ref: PaymentRef, snapshot: Snapshot) -> None:
    """Store where an open page is, when the answer to its opening was lost."""
    if snapshot.state == "open":
        is_unknown = (Payment.id == ref.id, Payment.state == "open", Payment.url.is_(None))
        values = {"url": snapshot.url, "expires_at": snapshot.expires_at}
        affected_rows(session, update(Payment).where(*is_unknown).values(**values))


def mark_void(session: Session, ref: PaymentRef) -> bool:
    """The gateway has no session of this payment, and nobody opens one: nothing can be paid with it."""
    lock_order(session, ref.learner_id, ref.order_id)
    is_unpaid = (Payment.id == ref.id, Payment.state.in_(("new", "open")))
    return affected_rows(session, update(Payment).where(*is_unpaid).values(state="void", poll_at=None, url=None)) == 1
