"""What becomes of the goods and voucher codes of a paid order: sent, delivered, used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.errors import NotFound, Refused
from domain.orders import events, notices, parcels
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refunds.purchases import set_aside_units
from domain.tables import Order, OrderLine, OrderParcel, ParcelLine, VoucherCode
from domain.tables.commerce.orders import CARRIER_LENGTH, TRACKING_LENGTH

# The longest name of a carrier, and number of a parcel.
MAX_CARRIER, MAX_TRACKING = CARRIER_LENGTH, TRACKING_LENGTH


@dataclass(frozen=True)
class PackedUnits:
    """Units of the line with this number that are in a parcel, or in several."""

    number: int
    name: str
    quantity: int


@dataclass(frozen=True)
class Parcel:
    """What is sent of an order. `units`: number of a line -> units, None: all that are left; {}: all goods left to
    send. `carrier` and `tracking`: who carries it, and the number by which it can be followed; "" where nobody said
    so. `number`: which parcel of the order is corrected, None: all that are on their way."""

    units: Mapping[int, int | None] = field(default_factory=dict)
    carrier: str = ""
    tracking: str = ""
    number: int | None = None


def ship(session: Session, ref: OrderRef, actor: str, at: datetime, parcel: Parcel | None = None) -> list[PackedUnits]:
    """Goods of a paid order that were neither sent nor refunded are on their way; the learner gets a mail. Raises
    Refused when there are none, and for lines whose goods cannot be sent."""
    order, parcel = _lock_paid(session, ref), parcel or Parcel()
    goods = [line for line in lines_of(session, order.id) if line.fulfilment == "shipped"]
    chosen = _chosen({line: left for line in goods if (left := parcels.units_to_send(line))}, parcel)
    if not chosen:
        raise Refused("Nothing of this order is left to send.")
    by_id = {line.id: units for line, units in chosen.items()}
    row = parcels.insert(session, order, by_id, at, (parcel.carrier, parcel.tracking))
    for line, units in chosen.items():
        line.shipped_quantity += units
    parcels.note_times(session, chosen)
    facts = {**_facts(chosen, row), "left": True} if any(map(parcels.units_to_send, goods)) else _facts(chosen, row)
    events.append(session, order, "shipped", actor, at, facts)
    notices.mail_order(session, OutboxKind.GOODS_SHIPPED, order, at)
    return [PackedUnits(line.number, line.name, units) for line, units in chosen.items()]


def _chosen(left: Mapping[OrderLine, int], parcel: Parcel) -> dict[OrderLine, int]:
    """The units of the lines that the parcel names. Raises Refused for a line that is not among these, and for more
    than is left of one."""
    if {*parcel.units} - {line.number for line in left}:
        raise Refused("Choose lines of this order whose goods are left to send.")
    chosen = {}
    for line, units_left in left.items():
        if parcel.units and line.number not in parcel.units:
            continue
        units = parcel.units.get(line.number)
        if units is not None and not 1 <= units <= units_left:
            raise Refused(f"Line {line.number} has {units_left} left to send.")
        chosen[line] = units_left if units is None else units
    return chosen


def correct_parcel(session: Session, ref: OrderRef, actor: str, at: datetime, parcel: Parcel) -> list[PackedUnits]:
    """Another carrier or number of what is on its way. Raises Refused when there is nothing."""
    order = _lock_paid(session, ref)
    rows = _on_the_way(session, order, parcel.number)
    for row in rows:
        row.carrier, row.tracking = parcel.carrier, parcel.tracking
        events.append(session, order, "parcel_corrected", actor, at, _facts(_lines_in(session, [row]), row))
    return _packed(_lines_in(session, rows))


def deliver(session: Session, ref: OrderRef, actor: str, at: datetime, number: int | None = None) -> list[PackedUnits]:
    """The parcel with this number, or all that are on their way, reached the learner. The days to ask for a refund of a
    line begin with the last of its parcels. Raises Refused without any."""
    order = _lock_paid(session, ref)
    rows = _on_the_way(session, order, number)
    for row in rows:
        row.delivered_at = at
    session.flush()
    lines = _lines_in(session, rows)
    parcels.note_times(session, lines)
    facts = {"lines": [line.number for line in lines], **({} if number is None else {"parcel": number})}
    events.append(session, order, "delivered", actor, at, facts)
    return _packed(lines)


def _lock_paid(session: Session, ref: OrderRef) -> Order:
    order = lock_order(session, ref.learner_id, ref.id)
    if order.state not in ("paid", "refunded"):
        raise Refused(f"This order is {order.state}.")
    return order


def _on_the_way(session: Session, order: Order, number: int | None) -> list[OrderParcel]:
    """Raises Refused without any."""
    sent = [row for row in parcels.parcels_of(session, order.id) if row.delivered_at is None]
    rows = [row for row in sent if number in (None, row.number)]
    if not sent:
        raise Refused("Nothing of this order is on its way.")
    if not rows:
        raise Refused(f"Parcel {number} of this order is not on its way.")
    return rows


def _lines_in(session: Session, rows: Sequence[OrderParcel]) -> dict[OrderLine, int]:
    """The lines in these parcels, with their units in them."""
    query = select(OrderLine, func.sum(ParcelLine.quantity)).join(ParcelLine, ParcelLine.line_id == OrderLine.id)
    is_in = ParcelLine.parcel_id.in_([row.id for row in rows])
    found = session.execute(query.where(is_in).group_by(OrderLine.id).order_by(OrderLine.number))
    return {line: int(units) for line, units in found}


def _packed(lines: Mapping[OrderLine, int]) -> list[PackedUnits]:
    return [PackedUnits(line.number, line.name, units) for line, units in lines.items()]


def _facts(lines: Mapping[OrderLine, int], row: OrderParcel) -> dict[str, object]:
    """Without the parcel's number at its carrier, who tells by it where a person lives."""
    facts: dict[str, object] = {"lines": [line.number for line in lines], "parcel": row.number}
    return {**facts, "carrier": row.carrier} if row.carrier else facts


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
