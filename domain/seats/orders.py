"""Seats that organisations buy: a paid line makes them, a refund takes free ones, and a lost payment takes all."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.seats import assign, holding, numbers, requests, seat_rows
from domain.seats.seat_rows import Cause
from domain.tables import Contract, Enrolment, EnrolmentGrant, OrderLine, Seat, SeatEvent
from domain.text_direction import isolated

KIND = "seats"
REFUNDED = "The purchase of this seat was refunded."
PAID_AGAIN = "The purchase of this seat is paid again."


class ContractEnded(Exception):
    """The contract of a line ended before its payment came: the seats would open nothing. The text is for the log."""


def give(session: Session, line: OrderLine, at: datetime) -> None:
    """The line is paid: its contract has so many seats more, and whoever waits gets one. A contract that was made with
    the order begins now. Raises ContractEnded."""
    contract = seat_rows.lock_contract(session, line.contract_id or 0)
    if not can_give(contract, at):
        raise ContractEnded(f"line {line.number}: the contract has ended")
    if contract.term_days is not None and seat_rows.is_unpaid(contract):
        contract.starts_at, contract.ends_at = at, at + timedelta(days=contract.term_days)
    numbers.add(session, contract, line.quantity, order_line_id=line.id)
    _put_number(session, contract, (contract.seats or 0) + line.quantity)
    requests.serve(session, contract, at)


def can_give(contract: Contract, at: datetime) -> bool:
    """Whether further seats of a contract would open anything, now or once it begins."""
    return seat_rows.is_unpaid(contract) or contract.ends_at is None or at < contract.ends_at


def take_free(session: Session, line: OrderLine, count: int, at: datetime) -> None:
    """A refund of so many seats was approved: free ones go at once, so that nobody gets them meanwhile. Raises Refused
    when fewer are free."""
    contract = seat_rows.lock_contract(session, line.contract_id or 0)
    assigned = list(seat_rows.lock_seats(session, contract.id, Seat.order_line_id == line.id, Seat.state != "removed"))
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
    contract = seat_rows.lock_contract(session, line.contract_id or 0)
    left = seat_rows.lock_seats(session, contract.id, Seat.order_line_id == line.id, Seat.state != "removed")
    for seat in left:
        if seat.state == "active":
            holding.free(session, seat, "reclaimed", Cause(at, reason=REFUNDED))
        seat_rows.empty(seat, "removed")
        seat_rows.add_event(session, seat, "removed", Cause(at))
    _lower(session, contract, len(left))


def give_again(session: Session, line: OrderLine, ended_at: datetime, at: datetime) -> list[str]:
    """After `take_back` at `ended_at`, because the money came back: as many free seats as it took, and of those their
    holders get one again. Returns, in sentences for staff, what could not be given again."""
    contract = seat_rows.lock_contract(session, line.contract_id or 0)
    taken = _taken_back(session, contract, line, ended_at)
    if not can_give(contract, at):
        return [f"{len(taken)} seats of {isolated(line.name)} are not given again: their contract has ended."]
    numbers.add(session, contract, len(taken), order_line_id=line.id)
    _put_number(session, contract, (contract.seats or 0) + len(taken))
    left = []
    for seat_id, learner_id in taken.items():
        courses = _ended_courses(session, seat_id, ended_at)
        try:
            if learner_id is not None:
                assign.assign_locked(session, contract, learner_id, courses, Cause(at, reason=PAID_AGAIN))
        except Refused as refusal:
            left.append(f"A seat of {isolated(line.name)} is free, not with its holder again: {refusal}")
    requests.serve(session, contract, at)
    return left


def _taken_back(session: Session, contract: Contract, line: OrderLine, at: datetime) -> dict[int, int | None]:
    """The seats that `take_back` removed then, each with whom it was taken from; None: from nobody."""
    removed = [seat.id for seat in seat_rows.lock_seats(session, contract.id, Seat.order_line_id == line.id)]
    happened = select(SeatEvent).where(SeatEvent.seat_id.in_(removed), SeatEvent.occurred_at == at)
    found: dict[int, int | None] = {}
    for event in session.scalars(happened.order_by(SeatEvent.id)):
        if event.kind == "reclaimed":
            found[event.seat_id] = event.learner_id
        elif event.kind == "removed":
            found.setdefault(event.seat_id, None)
    return found


def _ended_courses(session: Session, seat_id: int, at: datetime) -> list[int]:
    """What a seat opened until then."""
    of_seat = (EnrolmentGrant.source == "seat", EnrolmentGrant.source_id == seat_id, EnrolmentGrant.ended_at == at)
    query = select(Enrolment.product_id).join(EnrolmentGrant, EnrolmentGrant.enrolment_id == Enrolment.id)
    return list(session.scalars(query.where(*of_seat).order_by(Enrolment.product_id)))


def _lower(session: Session, contract: Contract, count: int) -> None:
    _put_number(session, contract, max(0, (contract.seats or 0) - count))


def _put_number(session: Session, contract: Contract, seats: int) -> None:
    """With a new version, so that a form of staff with the former number takes no paid seats away."""
    contract.seats, contract.version = seats, contract.version + 1
    session.flush()


def free_of(session: Session, line: OrderLine) -> int:
    """How many of the line's seats a refund could take now."""
    return min(line.quantity - line.refunded_quantity, numbers.free_count(session, line.contract_id or 0))
