"""Parcels with goods of an order: each has units of one or several lines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import Order, OrderLine, OrderParcel, ParcelLine


@dataclass(frozen=True)
class PackedLine:
    """Units of the line with this id in a parcel."""

    line_id: int
    quantity: int
    parcel: OrderParcel


def units_to_send(line: OrderLine) -> int:
    """Units of a line of a paid order that wait to be packed. What is refunded is first what was not sent."""
    if line.fulfilment != "shipped" or line.ended_at is not None:
        return 0
    return max(0, line.quantity - line.refunded_quantity - line.shipped_quantity)


def parcels_of(session: Session, order_id: int) -> Sequence[OrderParcel]:
    """The first one first."""
    query = select(OrderParcel).where(OrderParcel.order_id == order_id)
    return session.scalars(query.order_by(OrderParcel.number)).all()


def packed_lines(session: Session, line_ids: Iterable[int]) -> list[PackedLine]:
    """What the parcels have of these lines, the first parcel first."""
    query = select(ParcelLine, OrderParcel).join(OrderParcel, OrderParcel.id == ParcelLine.parcel_id)
    rows = session.execute(query.where(ParcelLine.line_id.in_(list(line_ids))).order_by(OrderParcel.number))
    return [PackedLine(line.line_id, line.quantity, parcel) for line, parcel in rows]


def insert(session: Session, order: Order, units: Mapping[int, int], at: datetime, way: tuple[str, str]) -> OrderParcel:
    """`units`: by the ids of lines; `way`: carrier and number of the parcel."""
    last = session.scalar(select(func.max(OrderParcel.number)).where(OrderParcel.order_id == order.id)) or 0
    carrier, tracking = way
    row = OrderParcel(order_id=order.id, number=last + 1, carrier=carrier, tracking=tracking, shipped_at=at)
    session.add(row)
    session.flush()
    session.add_all(ParcelLine(parcel_id=row.id, line_id=line_id, quantity=count) for line_id, count in units.items())
    session.flush()
    return row


def note_times(session: Session, lines: Iterable[OrderLine]) -> None:
    """A line of which nothing is left to send was sent with its last parcel, and has arrived with the last of them."""
    done = [line for line in lines if line.shipped_quantity and not units_to_send(line)]
    packed = packed_lines(session, [line.id for line in done]) if done else []
    for line in done:
        parcels = [entry.parcel for entry in packed if entry.line_id == line.id]
        arrived = [parcel.delivered_at for parcel in parcels if parcel.delivered_at is not None]
        line.shipped_at = max(parcel.shipped_at for parcel in parcels)
        line.delivered_at = max(arrived) if len(arrived) == len(parcels) else None
    session.flush()
