"""What becomes of the goods and voucher codes of a paid order: sent, delivered, used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.errors import NotFound, Refused
from domain.orders import events, notices
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refunds.purchases import set_aside_units
from domain.tables import Order, OrderLine, VoucherCode
from domain.tables.commerce.orders import CARRIER_LENGTH, TRACKING_LENGTH

# The longest name of a carrier, and number of a parcel.
MAX_CARRIER, MAX_TRACKING = CARRIER_LENGTH, TRACKING_LENGTH
NOT_HERE = "Choose lines of this order whose goods are {}."


@dataclass(frozen=True)
class Parcel:
    """What is sent of an order. `lines`: their numbers, (): all that are left to send. `carrier` and `tracking`: who
    carries it, and the number by which it can be followed; "" where nobody said so."""

    lines: tuple[int, ...] = ()
    carrier: str = ""
    tracking: str = ""


def ship(session: Session, ref: OrderRef, actor: str, at: datetime, parcel: Parcel | None = None) -> list[OrderLine]:
    """Goods of a paid order that were neither sent nor refunded are on their way; the learner gets a mail. Raises
    Refused when there are none, and for lines whose goods cannot be sent."""
    order, parcel = _lock_paid(session, ref), parcel or Parcel()
    lines = _chosen([line for line in _goods(session, order) if is_to_send(line)], parcel, "left to send")
    if not lines:
        raise Refused("Nothing of this order is left to send.")
    _set_parcel(lines, parcel)
    for line in lines:
        line.shipped_at = at
    events.append(session, order, "shipped", actor, at, _facts(lines, parcel))
    notices.mail_order(session, OutboxKind.GOODS_SHIPPED, order, at)
    return lines


def correct_parcel(session: Session, ref: OrderRef, actor: str, at: datetime, parcel: Parcel) -> list[OrderLine]:
    """Another carrier or number of goods that are on their way. Raises Refused when there are none."""
    order = _lock_paid(session, ref)
    lines = _chosen(_on_the_way(session, order), parcel, "on their way")
    if not lines:
        raise Refused("Nothing of this order is on its way.")
    _set_parcel(lines, parcel)
    events.append(session, order, "parcel_corrected", actor, at, _facts(lines, parcel))
    return lines


def _chosen(lines: list[OrderLine], parcel: Parcel, state: str) -> list[OrderLine]:
    """The lines that the parcel names. Raises Refused for one that is not among these."""
    if {*parcel.lines} - {line.number for line in lines}:
        raise Refused(NOT_HERE.format(state))
    return [line for line in lines if not parcel.lines or line.number in parcel.lines]


def _set_parcel(lines: Sequence[OrderLine], parcel: Parcel) -> None:
    for line in lines:
        line.carrier, line.tracking = parcel.carrier, parcel.tracking


def deliver(session: Session, ref: OrderRef, actor: str, at: datetime) -> list[OrderLine]:
    """The goods that were sent reached the learner: the days to ask for a refund begin. Raises Refused without any."""
    order = _lock_paid(session, ref)
    lines = _on_the_way(session, order)
    if not lines:
        raise Refused("Nothing of this order is on its way.")
    for line in lines:
        line.delivered_at = at
    events.append(session, order, "delivered", actor, at, {"lines": _numbers(lines)})
    return lines


def _lock_paid(session: Session, ref: OrderRef) -> Order:
    order = lock_order(session, ref.learner_id, ref.id)
    if order.state not in ("paid", "refunded"):
        raise Refused(f"This order is {order.state}.")
    return order


def _goods(session: Session, order: Order) -> list[OrderLine]:
    return [line for line in lines_of(session, order.id) if line.fulfilment == "shipped"]


def _on_the_way(session: Session, order: Order) -> list[OrderLine]:
    return [line for line in _goods(session, order) if is_on_the_way(line)]


def is_on_the_way(line: OrderLine) -> bool:
    return line.shipped_at is not None and line.delivered_at is None


def is_to_send(line: OrderLine) -> bool:
    """Whether goods of a line of a paid order wait to be packed."""
    is_due = line.ended_at is None and line.refunded_quantity < line.quantity
    return line.fulfilment == "shipped" and line.shipped_at is None and is_due


def _facts(lines: Sequence[OrderLine], parcel: Parcel) -> dict[str, object]:
    """Without the parcel's number, by which its carrier tells where a person lives."""
    return {"lines": _numbers(lines), **({"carrier": parcel.carrier} if parcel.carrier else {})}


def _numbers(lines: Sequence[OrderLine]) -> list[int]:
    return [line.number for line in lines]


def ref_of_voucher(session: Session, code: str) -> OrderRef:
    """The order of a voucher code, in any case. Raises NotFound."""
    columns = select(Order.id, Order.learner_id, Order.currency).join(OrderLine, OrderLine.order_id == Order.id)
    query = columns.join(VoucherCode, VoucherCode.line_id == OrderLine.id).where(VoucherCode.code == code.upper())
    row = session.execute(query).first()
    if row is None:
        raise NotFound(f"There is no voucher {code}.")
    return OrderRef(*row)


def _usable_codes(session: Session, line_id: int) -> int:
    is_usable = (VoucherCode.line_id == line_id, VoucherCode.used_at.is_(None), VoucherCode.void_at.is_(None))
    return session.scalars(select(func.count(VoucherCode.id)).where(*is_usable)).one()


def use_voucher(session: Session, ref: OrderRef, code: str, actor: str, at: datetime) -> None:
    """A sitting was booked with the code: it can no longer be refunded. Raises Refused for a used or void one, and
    while a refund of all codes that are left is asked for or on its way."""
    order = lock_order(session, ref.learner_id, ref.id)
    query = select(VoucherCode).where(VoucherCode.code == code.upper()).with_for_update()
    voucher = session.scalars(query, execution_options={"populate_existing": True}).one()
    if voucher.void_at is not None:
        raise Refused("This voucher was refunded.")
    if voucher.used_at is not None:
        raise Refused("This voucher was used already.")
    if _usable_codes(session, voucher.line_id) <= set_aside_units(session, voucher.line_id):
        raise Refused("A refund of this voucher was asked for. Decline it first.")
    voucher.used_at = at
    line = session.get_one(OrderLine, voucher.line_id)
    facts = {"line": line.number, "voucher": voucher.number}
    events.append(session, order, "voucher_used", actor, at, facts)
