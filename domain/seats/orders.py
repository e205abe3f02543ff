"""Seats that organisations buy: a paid line makes them, a refund takes free ones, and a lost payment takes all."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from domain.seats import holding, numbers, requests, rows
from domain.seats.rows import Cause
from domain.tables import Contract, OrderLine, Seat

KIND = "seats"
REFUNDED = "The purchase of this seat was refunded."


class ContractEnded(Exception):
    """The contract of a line ended before its payment came: the seats would open nothing. The text is for the log."""


def give(session: Session, line: OrderLine, at: datetime) -> None:
    """The line is paid: its contract has so many seats more, and whoever waits gets one. A contract that was made with
    the order begins now. Raises ContractEnded."""
    contract = rows.lock_contract(session, line.contract_id or 0)
    if not can_give(contract, at):
        raise ContractEnded(f"line {line.number}: the contract has ended")
    if contract.term_days is not None and rows.is_unpaid(contract):
        contract.starts_at, contract.ends_at = at, at + timedelta(days=contract.term_days)
    numbers.add(session, contract, line.quantity, order_line_id=line.id)
    _put_number(session, contract, (contract.seats or 0) + line.quantity)
    requests.serve(session, contract, at)


def can_give(contract: Contract, at: datetime) -> bool:
    """Whether further seats of a contract would open anything, now or once it begins."""
    return rows.is_unpaid(contract) or contract.ends_at is None or at < contract.ends_at


def take_free(session: Session, line: OrderLine, count: int, at: datetime) -> None:
    """A refund of so many seats was approved: free ones go at once, so that nobody gets them meanwhile. Raises Refused
    when fewer are free."""
    contract = rows.lock_contract(session, line.contract_id or 0)
    assigned = list(rows.lock_seats(session, contract.id, Seat.order_line_id == line.id, Seat.state != "removed"))
    assigned = [seat for seat in assigned if seat.state != "free"]
    for seat in numbers.remove_free(session, contract, count, at, order_line_id=line.id):
        if seat.order_line_id != line.id and assigned:
            # Which seats came with which line counts, not which of them is free.
            other = assigned.pop()
            other.order_line_id, seat.order_line_id = seat.order_line_id, line.id
        elif seat.order_line_id != line.id:
            seat.order_line_id = line.id
    _lower(session, contract, count)


def take_back(session: Session, line: OrderLine, at: datetime) -> None:
    """Nothing of the line is paid any more: what is left of its seats goes, whoever has them. Again, it changes
    nothing."""
    contract = rows.lock_contract(session, line.contract_id or 0)
    left = rows.lock_seats(session, contract.id, Seat.order_line_id == line.id, Seat.state != "removed")
    for seat in left:
        if seat.state == "active":
            holding.free(session, seat, "reclaimed", Cause(at, reason=REFUNDED))
        rows.empty(seat, "removed")
        rows.add_event(session, seat, "removed", Cause(at))
    _lower(session, contract, len(left))


def _lower(session: Session, contract: Contract, count: int) -> None:
    _put_number(session, contract, max(0, (contract.seats or 0) - count))


def _put_number(session: Session, contract: Contract, seats: int) -> None:
    """With a new version, so that a form of staff with the former number takes no paid seats away."""
    contract.seats, contract.version = seats, contract.version + 1
    session.flush()


def free_of(session: Session, line: OrderLine) -> int:
    """How many of the line's seats a refund could take now."""
    return min(line.quantity - line.refunded_quantity, numbers.free_count(session, line.contract_id or 0))
