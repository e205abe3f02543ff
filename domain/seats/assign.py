"""Giving seats to members. All of it locks the contract first, then its seats by number, then enrolments; a caller
locks memberships and invitations before."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy.orm import Session

from contracts.payloads import SeatEventItem
from contracts.tasks import OutboxKind
from domain.learning import grants
from domain.outbox import queue as outbox_queue
from domain.seats import covered, seat_rows
from domain.seats.seat_rows import Cause, NoFreeSeat
from domain.tables import Contract, Seat


def assign(  # noqa: PLR0913 who gets what, by whom and when
    session: Session,
    contract_id: int,
    learner_id: int,
    product_ids: Collection[int],
    at: datetime,
    *,
    actor_id: int | None = None,
) -> list[Seat]:
    """Give a member seats for these courses, and access to them; the seats that the member has now of this contract for
    them. Courses that the member owns need none. A seat for a person opens the named courses of the contract where no
    course is given. Doing it twice changes nothing.

    Raises NoFreeSeat: then nobody got any. Raises Refused for a contract that does not run or does not cover a course,
    and for somebody who is no member.
    """
    contract = seat_rows.lock_contract(session, contract_id)
    return assign_locked(session, contract, learner_id, product_ids, Cause(at, actor_id))


def assign_locked(
    session: Session, contract: Contract, learner_id: int, product_ids: Collection[int], cause: Cause
) -> list[Seat]:
    """Give a member seats of a contract that is locked; see `assign`."""
    at = cause.at
    seat_rows.require_running(contract, at)
    covered.require_member(session, learner_id, contract.organisation_id)
    courses = covered.covered_courses(session, contract, product_ids)
    needed = covered.needed_courses(session, learner_id, courses, at)
    if contract.seat_kind == "person":
        if courses and not needed:
            return []
        seat = _seat_of(session, contract, learner_id, None, cause)
        opened = needed or covered.named_courses(session, contract.id)
        open_courses(session, contract, seat, covered.needed_courses(session, learner_id, opened, at), at)
        return [seat]
    seats = [_seat_of(session, contract, learner_id, product_id, cause) for product_id in needed]
    for seat, product_id in zip(seats, needed, strict=True):
        open_courses(session, contract, seat, [product_id], at)
    return seats


def _seat_of(session: Session, contract: Contract, learner_id: int, product_id: int | None, cause: Cause) -> Seat:
    """The seat that the learner has, else a free one. A spent one opens its course again."""
    key = seat_rows.holder_key(learner_id, product_id)
    owned = seat_rows.lock_seats(session, contract.id, Seat.holder_key == key)
    if owned:
        return owned[0]
    holder = {"state": "active", "holder_key": key, "learner_id": learner_id, "product_id": product_id}
    seat = seat_rows.take_free(session, contract, cause.at, **holder)
    if seat is None:
        raise NoFreeSeat
    announce(session, seat, cause)
    return seat


def announce(session: Session, seat: Seat, cause: Cause) -> None:
    """The event of a seat that somebody has now, and their mail."""
    event = seat_rows.add_event(session, seat, "assigned", cause, learner_id=seat.learner_id)
    outbox_queue.enqueue(session, OutboxKind.SEAT_ASSIGNED, SeatEventItem(event_id=event.id), cause.at)


def open_courses(session: Session, contract: Contract, seat: Seat, courses: Collection[int], at: datetime) -> None:
    """Give the learner who has the seat access to these courses, until the contract says."""
    if courses and seat.learner_id is not None:
        until = seat_rows.until_of(contract)
        grants.grant(session, seat.learner_id, courses, seat_rows.source_of(seat), at, until=until, is_renewed=True)
