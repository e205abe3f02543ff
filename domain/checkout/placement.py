"""Placing an order: one key, one order, at the prices that the buyer saw, with everything that it needs claimed."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain import fault_points
from domain.bank_transfers.account import METHOD, TRANSFER
from domain.bank_transfers.references import reference_of
from domain.cart.products import CartProduct
from domain.checkout import differences, gift_lines
from domain.checkout.differences import QuoteDifference, Seen
from domain.checkout.priced import CheckoutPrice, RequestedItem
from domain.checkout.purchase_checks import line_refusals, order_refusals
from domain.coupons import rules as coupon_rules
from domain.coupons.rules import UNUSABLE
from domain.database.prepared_change import PreparedInsert
from domain.database.prepared_select import PreparedSelect, first_number
from domain.errors import DomainError
from domain.orders import events, states
from domain.orders.lines import LineNeeds, needed_by_lines
from domain.orders.locks import LockedLearner, lock_buyer, lock_row
from domain.orders.settings import Context
from domain.pricing.rules import RefusalReason
from domain.reservations import counters as reservation_counters
from domain.reservations import orders as reservation_orders
from domain.reservations import owners as reservation_owners
from domain.reservations.kinds import Resource
from domain.reservations.owners import OrderOwner, cart_key
from domain.tables import Coupon, Order, OrderLine, Payment
from domain.tables.areas.person_keys import email_key, number_key

CODE_LENGTH = 20
# Digits of each of the two parts of a content digest.
PART_LENGTH = 32
# When the gateway is first asked about a payment of which nothing is heard.
FIRST_POLL = timedelta(seconds=15)


# Fields of a CheckoutLine that are no columns.
NO_COLUMNS = ("reason", "offered_minor")


class KeyReused(DomainError):
    """The form's key belongs to an order with other contents."""

    def __init__(self, text: str = "Your cart has changed since this form was shown. Check it and order again."):
        super().__init__(text)


@dataclass(frozen=True)
class SeatLine:
    """Seats of a contract, bought for its organisation."""

    contract_id: int
    quantity: int


@dataclass(frozen=True)
class OrderRequest:
    """What a learner orders. `form_key`: of the form, the idempotency key. `seen`: the prices that the form showed.
    `coupon_id`: of the whole cart. `service`: of the delivery. `terms_date`: of the accepted terms, ISO 8601.
    `posted`: what was typed in the form, None where there is no form: a repeated post is known by it and by `seen`, as
    the cart may be empty by then. `products`: those of the lines by id, if this transaction has read them before.
    `seats`: instead of lines. `consent_text`: of the consent to begin at once that was given, its day; "" for none.
    `purchase_order`: the number of a business for the order, `quote_number`: of the quote whose prices hold; "" for
    none. `by_transfer`: it is paid by bank transfer, to the shop's account."""

    learner_id: int
    form_key: str
    seen: Seen
    lines: Sequence[RequestedItem]
    billing: Mapping[str, Any]
    delivery: Mapping[str, Any] | None = None
    service: str | None = None
    coupon_id: int | None = None
    organisation_id: int | None = None
    terms_date: str = ""
    posted: Mapping[str, Any] | None = None
    products: Mapping[int, CartProduct] | None = None
    seats: SeatLine | None = None
    consent_text: str = ""
    purchase_order: str = ""
    quote_number: str = ""
    by_transfer: bool = False


@dataclass(frozen=True)
class Placed:
    """`is_new` False: the order of an earlier call. `payment_id`: the payment to open; None for a free order, and for
    one that is paid by bank transfer."""

    order_id: int
    code: str
    state: str
    payment_id: int | None
    is_new: bool


@dataclass(frozen=True)
class Changed:
    """Nothing was placed: these prices are not those that were seen."""

    differences: tuple[QuoteDifference, ...]


@dataclass(frozen=True)
class Failed:
    """Nothing was placed. `refusals`: product id, or None for the whole order -> why, a text for the learner."""

    refusals: Mapping[int | None, str]


class _NotPlaced(Exception):
    def __init__(self, result: Changed | Failed):
        super().__init__()
        self.result = result


_orders = Order.__table__.c
# Nearly always there is none: then no ORM object is made.
_BY_KEY = PreparedSelect(
    select(_orders.id).where(_orders.learner_id == bindparam("learner"), _orders.form_key == bindparam("key")),
    first_number,
)
_OPEN = PreparedSelect(select(_orders.id).where(_orders.open_learner_id == bindparam("learner")), first_number)
_LINE, _PAYMENT = PreparedInsert(OrderLine), PreparedInsert(Payment)
# What these lines cost this learner now.
Price = Callable[[Session, OrderRequest, datetime], CheckoutPrice]


def place(session: Session, wanted: OrderRequest, price: Price, context: Context) -> Placed | Changed | Failed:
    """Place an order, in a transaction that begins here. The same key, or an open order with the same contents, gives
    the order that there is. Another open order is superseded.

    Raises KeyReused for the key of an order with other contents. Callers open the payment after the commit.
    """
    learner = lock_buyer(session, wanted.learner_id)
    existing = placed_before(session, wanted.learner_id, wanted.form_key, posted_part(wanted))
    return existing or place_first(session, learner, wanted, price, context)


def place_first(
    session: Session, learner: LockedLearner, wanted: OrderRequest, price: Price, context: Context
) -> Placed | Changed | Failed:
    """Place the order of a learner whose row is locked, when `placed_before` has found no order with this form key."""
    # The learner is locked: no other call writes their open order.
    open_ids = _OPEN.all(session, learner=wanted.learner_id)
    open_order = session.get_one(Order, open_ids[0], populate_existing=True) if open_ids else None
    fault_points.hit("place.read")
    if open_order is not None and open_order.content_digest == content_digest(wanted):
        return placed_again(session, open_order)
    try:
        # Without the savepoint an order that is not placed would still have superseded the one before.
        with session.begin_nested():
            if open_order is not None:
                _supersede(session, open_order.id, wanted, context)
            placed = _place_new(session, learner, wanted, price, context)
    except _NotPlaced as refusal:
        return refusal.result
    fault_points.hit("place.written")
    return placed


def place_free(
    session: Session, learner: LockedLearner, wanted: OrderRequest, priced: CheckoutPrice, context: Context
) -> None:
    """Place and settle an order over nothing. Unlike others it never is the learner's open order, so that one which
    waits for its payment stays. Callers have made all checks, and what is ordered is not scarce."""
    order, facts = _order(learner, wanted, priced, context), _order_facts(priced)
    about: dict[str, Any] = {"actor": events.LEARNER, "settings": context.settings}
    states.advance(session, order, "enrol", context.at, facts=facts, **about)
    _add_lines(session, order, priced)
    states.advance(session, order, "settle", context.at, facts={}, **about)


def placed_before(session: Session, learner_id: int, form_key: str, posted: str) -> Placed | None:
    """The order of an earlier post of the same form, whatever its state; None: the key is unused. `posted`: of
    `posted_digest`. The learner is locked. Raises KeyReused for the key of an order with other contents."""
    if not _BY_KEY.all(session, learner=learner_id, key=form_key):
        return None
    order = session.scalars(select(Order).where(Order.learner_id == learner_id, Order.form_key == form_key)).one()
    if not order.content_digest.startswith(posted):
        raise KeyReused
    return placed_again(session, order)


def has_order(session: Session, learner_id: int, form_key: str) -> bool:
    """Whether the learner has an order of this key, or one that is open."""
    return bool(_BY_KEY.all(session, learner=learner_id, key=form_key) or _OPEN.all(session, learner=learner_id))


def content_digest(wanted: OrderRequest) -> str:
    """What the order contains, without the key, in 64 digits: one part for what the form posted, one for the rest."""
    lines = [[line.product_id, line.quantity, line.coupon_id, line.gift] for line in wanted.lines]
    content = {
        "lines": sorted(lines, key=lambda line: str(line[0])),
        "coupon": wanted.coupon_id,
        "billing": wanted.billing,
        "delivery": wanted.delivery,
        "organisation": wanted.organisation_id,
    }
    if wanted.seats is not None:
        content["seats"] = vars(wanted.seats)
    return posted_part(wanted) + _part_digest(content)


def posted_part(wanted: OrderRequest) -> str:
    """The part of the digest for what the form posted."""
    typed = {"billing": wanted.billing, "delivery": wanted.delivery} if wanted.posted is None else wanted.posted
    return posted_digest(typed, wanted.service, wanted.seen)


def posted_digest(typed: Mapping[str, Any], service: str | None, seen: Seen) -> str:
    """The part that a repeated post of the same form has in common with the first."""
    return _part_digest({"typed": typed, "service": service, "seen": differences.to_json(seen)})


def _part_digest(content: Mapping[str, Any]) -> str:
    """As long as a UUID: two contents with the same one are as unlikely."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:PART_LENGTH]


def placed_again(session: Session, order: Order) -> Placed:
    """The order of an earlier call, as the answer to another one."""
    of_order = select(Payment.id).where(Payment.order_id == order.id).order_by(Payment.number.desc())
    payment_id = session.scalar(of_order.limit(1)) if order.state == "placed" else None
    return Placed(order.id, order.code, order.state, payment_id, is_new=False)


def _supersede(session: Session, order_id: int, wanted: OrderRequest, context: Context) -> None:
    """Cancel the learner's open order. What it had reserved is free for the new one. What either needs is locked in one
    call: else the stock of the new one would be locked after the coupons of the old one."""
    order, settings = lock_row(session, wanted.learner_id, order_id), context.settings
    _lock_scarce(session, wanted, {resource for resource, _ in reservation_orders.of_order(session, order_id)})
    states.advance(session, order, "supersede", context.at, actor=events.LEARNER, facts={}, settings=settings)


def _place_new(
    session: Session, learner: LockedLearner, wanted: OrderRequest, price: Price, context: Context
) -> Placed:
    """Raises _NotPlaced: everything is then rolled back to the savepoint."""
    is_cart = wanted.seats is None
    if is_cart and (found := line_refusals(session, learner.id, wanted.lines, context.at, wanted.products)):
        raise _NotPlaced(Failed(found))
    priced = price(session, wanted, context.at)
    if found := order_refusals(priced, learner.email, context.settings, by_transfer=wanted.by_transfer):
        raise _NotPlaced(Failed(found))
    if found := gift_lines.refusals_of_unpaid(session, learner.id, priced.lines, context.at):
        raise _NotPlaced(Failed(found))
    if changed := differences.compare(wanted.seen, priced.parts, priced.seen):
        raise _NotPlaced(Changed(tuple(changed)))
    _lock_scarce(session, wanted)
    order = _order(learner, wanted, priced, context)
    facts, settings = _order_facts(priced), context.settings
    states.advance(session, order, "place", context.at, actor=events.LEARNER, facts=facts, settings=settings)
    if wanted.consent_text:
        events.append(session, order, events.CONSENTED, events.LEARNER, context.at, {"text": wanted.consent_text})
    _claim(session, order, _add_lines(session, order, priced), context.at)
    payment_id = None
    if order.total_minor and wanted.by_transfer:
        _await_transfer(session, order, context)
    elif order.total_minor:
        payment_id = _add_payment(session, order, context)
    else:
        states.advance(session, order, "settle", context.at, actor=events.LEARNER, facts={}, settings=settings)
    return Placed(order.id, order.code, order.state, payment_id, is_new=True)


def _lock_scarce(session: Session, wanted: OrderRequest, of_former: Collection[Resource] = ()) -> None:
    """Lock in one call what the order may need and the former one has. Before the row of either order is written: to
    see that the learner has no other open order, MariaDB locks the next entry of that index too, which may be of
    somebody who waits for one of these."""
    codes = {line.coupon_id for line in wanted.lines} | {wanted.coupon_id}
    needed = {Resource("coupon", coupon_id) for coupon_id in codes if coupon_id is not None}
    needed |= {Resource("stock", line.product_id) for line in wanted.lines if _may_be_item(wanted, line.product_id)}
    reservation_counters.lock(session, needed.union(of_former))


def _may_be_item(wanted: OrderRequest, product_id: int) -> bool:
    """Whether a product may have a stock; a course has none."""
    product = (wanted.products or {}).get(product_id)
    return product is None or product.kind != "course"


def _order_facts(priced: CheckoutPrice) -> dict[str, Any]:
    """What the first event of an order says of it."""
    return {"lines": len(priced.lines), "total_minor": priced.total_minor, "currency": priced.currency}


def _order(learner: LockedLearner, wanted: OrderRequest, priced: CheckoutPrice, context: Context) -> Order:
    return Order(
        code=context.settings.new_code(CODE_LENGTH),
        learner_id=learner.id,
        organisation_id=wanted.organisation_id,
        currency=priced.currency,
        subtotal_minor=priced.subtotal_minor,
        discount_minor=priced.discount_minor,
        delivery_minor=priced.delivery_minor,
        tax_minor=priced.tax_minor,
        total_minor=priced.total_minor,
        refunded_minor=0,
        price_mode=priced.price_mode,
        tax_place=priced.tax_place,
        tax_kind=priced.tax_kind,
        engine_version=priced.engine_version,
        form_key=wanted.form_key,
        content_digest=content_digest(wanted),
        email=learner.email,
        email_key=email_key(learner.email),
        terms_date=wanted.terms_date,
        quote=dict(priced.document),
        billing=dict(wanted.billing),
        delivery=None if wanted.delivery is None else dict(wanted.delivery),
        refund_terms=context.settings.refund_terms,
        purchase_order=wanted.purchase_order,
        purchase_order_key=number_key(wanted.purchase_order),
        quote_number=wanted.quote_number,
    )


def _add_lines(session: Session, order: Order, priced: CheckoutPrice) -> list[LineNeeds]:
    lines = []
    for number, line in enumerate(priced.lines, 1):
        columns = {name: value for name, value in vars(line).items() if name not in NO_COLUMNS}
        columns |= {"steps": [dict(step) for step in line.steps], "taxes": [dict(tax) for tax in line.taxes]}
        columns["gift"] = None if line.gift is None else dict(line.gift)
        line_id = _LINE.run(session, order_id=order.id, number=number, **columns)
        lines.append(LineNeeds(line_id, *(columns[name] for name in LineNeeds._fields[1:])))
    return lines


def _claim(session: Session, order: Order, lines: Sequence[LineNeeds], at: datetime) -> None:
    needed = needed_by_lines(order.id, lines)
    reservation_counters.lock(session, [resource for resource, _ in needed])
    by_key = {reservation_owners.order_line_key(order.id, line.id): line for line in lines}
    for (resource, owner_key), quantity in needed.items():
        line = by_key.get(owner_key)
        refusal = reservation_orders.claim(session, resource, _owner(order, resource, line), quantity, at)
        if refusal is not None:
            message = _refusal_text(session, resource, refusal)
            raise _NotPlaced(Failed({None if line is None else line.product_id: message}))


def _refusal_text(session: Session, resource: Resource, refusal: RefusalReason) -> str:
    """Why a reservation was refused. For a code it names the code: the lines of an order may have several."""
    if refusal != UNUSABLE:
        return refusal.message
    return coupon_rules.no_longer_usable(session.get_one(Coupon, resource.id).display_code).message


def _owner(order: Order, resource: Resource, line: LineNeeds | None) -> OrderOwner:
    """The use of a line's code that the cart has reserved moves to the order."""
    if line is None or line.product_id is None:
        return OrderOwner(order.learner_id, order.id)
    from_key = cart_key(order.learner_id, line.product_id) if resource.kind == "coupon" else None
    return OrderOwner(order.learner_id, order.id, line.id, from_key, line.product_id)


def _await_transfer(session: Session, order: Order, context: Context) -> None:
    """The money comes from the buyer's bank, with the order's reference: nothing is opened or polled."""
    known_as = {"gateway": TRANSFER, "intent_id": reference_of(order.code), "method": METHOD}
    about_it = {"number": 1, "state": "processing", "key": f"{order.code}-1", "currency": order.currency}
    times = {"created_at": context.at, "expires_at": context.at + context.settings.transfer_time}
    session.add(Payment(order_id=order.id, amount_minor=order.total_minor, **known_as, **about_it, **times))
    session.flush()
    about: dict[str, Any] = {"actor": events.LEARNER, "settings": context.settings}
    states.advance(session, order, "await_transfer", context.at, facts={"payment": 1}, **about)


def _add_payment(session: Session, order: Order, context: Context) -> int:
    """The payment's id."""
    return _PAYMENT.run(
        session,
        order_id=order.id,
        number=1,
        gateway=context.settings.gateway,
        amount_minor=order.total_minor,
        currency=order.currency,
        state="new",
        key=f"{order.code}-1",
        created_at=context.at,
        poll_at=context.at + FIRST_POLL,
    )
