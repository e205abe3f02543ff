"""Setting seats aside for invitations: until its invitation has ended, such a seat is nobody else's. All of it locks
the contract first, as domain/seats/assign.py; a caller locks the invitation before."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.seats import covered, requests, seat_rows
from domain.seats.assign import announce, open_courses
from domain.seats.seat_rows import Cause, NoFreeSeat
from domain.tables import Contract, Invitation, Seat


def reserve(
    session: Session, contract_id: int, invitation_id: int, product_ids: Collection[int], at: datetime
) -> list[Seat]:
    """Set seats aside for an invitation: one for each course, or one for the person; none without a course. Raises as
    `assign`."""
    contract = seat_rows.lock_contract(session, contract_id)
    seat_rows.require_running(contract, at)
    courses = covered.covered_courses(session, contract, product_ids)
    parts: Sequence[int | None] = courses if contract.seat_kind == "course" else [None] if courses else []
    return [_reserve_one(session, contract, invitation_id, product_id, at) for product_id in parts]


def _reserve_one(
    session: Session, contract: Contract, invitation_id: int, product_id: int | None, at: datetime
) -> Seat:
    key = seat_rows.invitation_key(invitation_id, product_id)
    reserved = seat_rows.lock_seats(session, contract.id, Seat.holder_key == key)
    if reserved:
        return reserved[0]
    holder = {"state": "reserved", "holder_key": key, "invitation_id": invitation_id, "product_id": product_id}
    seat = seat_rows.take_free(session, contract, at, **holder)
    if seat is None:
        raise NoFreeSeat
    seat_rows.add_event(session, seat, "reserved", Cause(at))
    return seat


def take_reserved(session: Session, invitation_id: int, learner_id: int, at: datetime) -> list[Seat]:
    """The invitation was accepted: what was set aside for it is the member's. A seat for a course that they own is
    free again, and goes to whoever waits for it."""
    invitation = session.get_one(Invitation, invitation_id)
    contract = seat_rows.lock_contract(session, invitation.contract_id)
    reserved = seat_rows.lock_seats(session, contract.id, Seat.invitation_id == invitation_id, Seat.state == "reserved")
    owned = {seat.holder_key for seat in seat_rows.lock_seats(session, contract.id, Seat.learner_id == learner_id)} - {
        None
    }
    taken = []
    for seat in reserved:
        wanted = [seat.product_id] if seat.product_id is not None else list(invitation.product_ids)
        courses = covered.needed_courses(session, learner_id, [key for key in wanted if key is not None], at)
        key = seat_rows.holder_key(learner_id, seat.product_id)
        if not courses or key in owned:
            _return(session, seat, at)
        else:
            seat_rows.change(seat, state="active", holder_key=key, learner_id=learner_id, assigned_at=at)
            session.flush()
            announce(session, seat, Cause(at, invitation.invited_by))
            open_courses(session, contract, seat, courses, at)
            taken.append(seat)
    session.flush()
    requests.serve(session, contract, at)
    return taken


def release_reserved(session: Session, invitation_id: int, at: datetime) -> None:
    """The invitation was declined, cancelled, refused, or has expired: what was set aside for it is free, once,
    and goes to whoever waits for it."""
    contract_id = session.scalar(select(Invitation.contract_id).where(Invitation.id == invitation_id))
    if contract_id is None:
        return
    contract = seat_rows.lock_contract(session, contract_id)
    for seat in seat_rows.lock_seats(
        session, contract.id, Seat.invitation_id == invitation_id, Seat.state == "reserved"
    ):
        _return(session, seat, at)
    session.flush()
    requests.serve(session, contract, at)


def _return(session: Session, seat: Seat, at: datetime) -> None:
    seat_rows.empty(seat)
    seat_rows.add_event(session, seat, "returned", Cause(at))
