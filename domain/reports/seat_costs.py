"""What the seats of an organisation cost, and how many nobody uses: counts of seats, of no people."""

from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from domain import money
from domain.tables import Contract, Order, OrderLine, Seat


class SeatCosts(NamedTuple):
    """`cost_thousandths`: of those that have a price, None: none has. More than a column of money could hold."""

    seats: int
    unused: int
    cost_thousandths: int | None


def seat_costs(session: Session, organisation_id: int) -> SeatCosts:
    """The costs of all seats that were not removed: at what was paid for each before tax, else at the contract's price
    of one."""
    query = (
        select(Contract.seat_price, OrderLine.unit_minor, Order.currency)
        .add_columns(func.count(Seat.id), func.sum(case((Seat.state == "free", 1), else_=0)))
        .select_from(Seat)
        .join(Contract, Contract.id == Seat.contract_id)
        .outerjoin(OrderLine, OrderLine.id == Seat.order_line_id)
        .outerjoin(Order, Order.id == OrderLine.order_id)
        .where(Contract.organisation_id == organisation_id, Seat.state != "removed")
        .group_by(Contract.id, Contract.seat_price, OrderLine.unit_minor, Order.currency)
    )
    seats, unused, costs = 0, 0, []
    for price, paid_minor, currency, number, free in session.execute(query):
        seats, unused = seats + number, unused + int(free)
        each = price if paid_minor is None else money.from_minor(paid_minor, money.currency(currency))
        if each is not None:
            costs.append(number * each)
    return SeatCosts(seats, unused, int(sum(costs) * 1_000) if costs else None)
