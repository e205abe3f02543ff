"""What a paid order gives: courses, gifts, voucher codes and an invoice; and how it is taken back."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.cart import lines as cart_lines
from domain.database.prepared_change import PreparedInsert
from domain.documents import invoices
from domain.learning import bundles, grants
from domain.learning.certificates import revoking
from domain.learning.gifts import storing as gift_storing
from domain.learning.grants import GrantSource
from domain.orders.lines import lines_of, needed_reservations, product_ids
from domain.orders.settings import OrderSettings
from domain.reservations import counters as reservation_counters
from domain.reservations import orders as reservation_orders
from domain.reservations.kinds import Resource
from domain.reservations.orders import ReservationsMissing
from domain.reservations.owners import OrderOwner, order_cart_key, order_line_key
from domain.seats import orders as seat_orders
from domain.tables import Order, OrderLine, VoucherCode
from domain.text_direction import isolated

VOUCHER_LENGTH = 12
# Fulfilments that open courses: of a course, and of a bundle.
COURSES = ("", "courses")
_CODE = PreparedInsert(VoucherCode)


def remove_cart_lines(session: Session, order: Order, at: datetime, _settings: OrderSettings) -> None:
    """What was bought leaves the cart, and its codes are released, before anything else is locked. So are the coupons
    of an order with lines that its learner has by now, whose refund releases them."""
    cart_lines.remove_bought(session, order.learner_id, product_ids(session, order))
    if _coupons_of(session, order) and any(is_owned(session, order, line, at) for line in lines_of(session, order.id)):
        lock_uses(session, order)


def commit_reservations(session: Session, order: Order, _at: datetime, _settings: OrderSettings) -> None:
    """Raises ReservationsMissing when the order no longer has all that its lines need. Rows that were read but could
    not be committed are missing too: MariaDB's snapshot may be older than the lock."""
    needed = needed_reservations(session, order)
    if reservation_orders.commit(session, order.id, needed) < len(needed):
        raise ReservationsMissing(order.id, dict(needed))


def issue_invoice(session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    """Nobody is sent an invoice over nothing."""
    if order.total_minor:
        invoices.issue(session, order, at, settings.issuer)


def give(session: Session, order: Order, at: datetime, settings: OrderSettings) -> None:
    """Grants, gifts, seats and voucher codes of every line. A line whose courses the learner has by now gives nothing
    and ends at once; its refund follows (domain/payments/settlement.py)."""
    for line in lines_of(session, order.id):
        if line.kind == seat_orders.KIND:
            seat_orders.give(session, line, at)
        if line.kind != "product":
            continue
        if line.gift is not None:
            gift_storing.store_for_line(session, order, line, at)
        elif line.fulfilment == "code":
            issue_codes(session, line, at, settings)
        elif is_owned(session, order, line, at):
            line.ended_at = at
        elif line.fulfilment in COURSES:
            ids = bundles.course_ids(session, line.product_id or 0)
            grants.grant(session, order.learner_id, ids, GrantSource("order", line.id), at)


def is_owned(session: Session, order: Order, line: OrderLine, at: datetime) -> bool:
    """Whether the learner has every course that the line would open for them."""
    if line.kind != "product" or line.gift is not None or line.fulfilment not in COURSES:
        return False
    ids = bundles.course_ids(session, line.product_id or 0)
    return bool(ids) and set(ids) <= grants.owned_ids(session, order.learner_id, ids, at)


def issue_codes(session: Session, line: OrderLine, at: datetime, settings: OrderSettings) -> None:
    """A voucher code for each unit. They are unique; 2^58 possibilities need no second try."""
    for number in range(1, line.quantity + 1):
        code = settings.new_code(VOUCHER_LENGTH)
        _CODE.run(session, line_id=line.id, number=number, code=code, issued_at=at)


def take_back_all(session: Session, order: Order, at: datetime, _settings: OrderSettings) -> None:
    """End what the order still gives, and release its coupons. Repeating it changes nothing."""
    take_back(session, order, lines_of(session, order.id), at)


def take_back(session: Session, order: Order, lines: Sequence[OrderLine], at: datetime) -> None:
    """Release the coupons that lowered these lines, void their unused codes, and end their grants, gifts and seats."""
    for line in lines:
        line.ended_at = line.ended_at or at
        void_codes(session, line, line.quantity, at)
    session.flush()
    for line in lines:
        if line.kind == seat_orders.KIND:
            seat_orders.take_back(session, line, at)
    reservation_orders.release_order(session, order.id, [line.id for line in lines])
    for line in lines:
        gift_storing.return_of_line(session, line.id, at, "refund")
        grants.end(session, GrantSource("order", line.id), at, "refund")
    revoking.revoke_refunded(session, [line.id for line in lines], at)


def lock_uses(session: Session, order: Order) -> None:
    """Lock the coupons that lowered the order, before anything of it is written."""
    reservation_counters.lock(session, _coupons_of(session, order))


def _coupons_of(session: Session, order: Order) -> set[Resource]:
    return {resource for resource, _ in needed_reservations(session, order) if resource.kind == "coupon"}


def give_again(session: Session, order: Order, lines: Sequence[OrderLine], at: datetime) -> list[str]:
    """Give what `take_back` had ended of these lines again: uses of coupons, courses with their certificates, gifts,
    seats, unused voucher codes. Returns what could not be given again, in sentences for staff. The caller has locked
    the coupons (`lock_uses`)."""
    left = [*_use_again(session, order, lines, at)]
    for line in lines:
        ended_at, line.ended_at = line.ended_at, None
        if line.kind == seat_orders.KIND and ended_at is not None:
            left.extend(seat_orders.give_again(session, line, ended_at, at))
        if line.gift is not None:
            left.extend(gift_storing.give_line_again(session, line, at))
        if line.kind == "product" and line.gift is None and line.fulfilment in COURSES:
            ids = bundles.course_ids(session, line.product_id or 0)
            grants.grant(session, order.learner_id, ids, GrantSource("order", line.id), at, is_renewed=True)
        unused = (VoucherCode.line_id == line.id, VoucherCode.used_at.is_(None), VoucherCode.void_at.is_not(None))
        for code in session.scalars(select(VoucherCode).where(*unused)):
            code.void_at = None
    revoking.restore_refunded(session, [line.id for line in lines], at)
    return left


def _use_again(session: Session, order: Order, lines: Sequence[OrderLine], at: datetime) -> Iterator[str]:
    """Take the uses of coupons that lowered these lines again, as far as their limits allow."""
    present = reservation_orders.of_order(session, order.id)
    # A use of a line's code, and one of the coupon of the whole cart.
    owners: dict[str, tuple[str, OrderLine | None]] = {}
    owners |= {order_line_key(order.id, line.id): (line.line_code, line) for line in lines if line.line_code}
    owners |= {order_cart_key(order.id): (line.cart_code, None) for line in lines if line.cart_code}
    for (resource, key), units in needed_reservations(session, order).items():
        if resource.kind != "coupon" or key not in owners or (resource, key) in present:
            continue
        code, line = owners[key]
        owner = OrderOwner(order.learner_id, order.id, None if line is None else line.id)
        if reservation_orders.claim(session, resource, owner, units, at) is not None:
            yield f"The use of the coupon {isolated(code)} does not count again: its limit was reached meanwhile."
    reservation_orders.commit(session, order.id, {})


def void_codes(session: Session, line: OrderLine, number: int, at: datetime) -> None:
    """Void up to `number` unused codes of a line, the last ones first."""
    is_unused = (VoucherCode.line_id == line.id, VoucherCode.used_at.is_(None), VoucherCode.void_at.is_(None))
    unused = select(VoucherCode).where(*is_unused).order_by(VoucherCode.number.desc()).limit(number)
    for code in session.scalars(unused):
        code.void_at = at
