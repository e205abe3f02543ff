"""Giving seats to members and setting them aside for invitations. All of it locks the contract first, then its seats by
number, then enrolments; a caller locks memberships and invitations before."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import SeatEventItem
from contracts.tasks import OutboxKind
from domain import outbox
from domain.learning import grants
from domain.seats import covered, rows
from domain.seats.rows import Cause, NoFreeSeat
from domain.tables import Contract, Invitation, Seat


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
    contract = rows.lock_contract(session, contract_id)
    return assign_locked(session, contract, learner_id, product_ids, Cause(at, actor_id))


def assign_locked(
    session: Session, contract: Contract, learner_id: int, product_ids: Collection[int], cause: Cause
) -> list[Seat]:
    """Give a member seats of a contract that is locked; see `assign`."""
    at = cause.at
    rows.require_running(contract, at)
    covered.require_member(session, learner_id, contract.organisation_id)
    courses = covered.covered_courses(session, contract, product_ids)
    needed = covered.needed_courses(session, learner_id, courses, at)
    if contract.seat_kind == "person":
        if courses and not needed:
            return []
        seat = _seat_of(session, contract, learner_id, None, cause)
        opened = needed or covered.named_courses(session, contract.id)
        _open(session, contract, seat, covered.needed_courses(session, learner_id, opened, at), at)
        return [seat]
    seats = [_seat_of(session, contract, learner_id, product_id, cause) for product_id in needed]
    for seat, product_id in zip(seats, needed, strict=True):
        _open(session, contract, seat, [product_id], at)
    return seats


def _seat_of(session: Session, contract: Contract, learner_id: int, product_id: int | None, cause: Cause) -> Seat:
    """The seat that the learner has, else a free one. A spent one opens its course again."""
    key = rows.holder_key(learner_id, product_id)
    owned = rows.lock_seats(session, contract.id, Seat.holder_key == key)
    if owned:
        return owned[0]
    holder = {"state": "active", "holder_key": key, "learner_id": learner_id, "product_id": product_id}
    seat = rows.take_free(session, contract, cause.at, **holder)
    if seat is None:
        raise NoFreeSeat
    _announce(session, seat, cause)
    return seat


def _announce(session: Session, seat: Seat, cause: Cause) -> None:
    event = rows.add_event(session, seat, "assigned", cause, learner_id=seat.learner_id)
    outbox.enqueue(session, OutboxKind.SEAT_ASSIGNED, SeatEventItem(event_id=event.id), cause.at)


def _open(session: Session, contract: Contract, seat: Seat, courses: Collection[int], at: datetime) -> None:
    if courses and seat.learner_id is not None:
        until = rows.until_of(contract)
        grants.grant(session, seat.learner_id, courses, rows.source_of(seat), at, until=until, is_renewed=True)


def reserve(
    session: Session, contract_id: int, invitation_id: int, product_ids: Collection[int], at: datetime
) -> list[Seat]:
    """Set seats aside for an invitation: one for each course, or one for the person; none without a course. Raises as
    `assign`."""
    contract = rows.lock_contract(session, contract_id)
    rows.require_running(contract, at)
    courses = covered.covered_courses(session, contract, product_ids)
    parts: Sequence[int | None] = courses if contract.seat_kind == "course" else [None] if courses else []
    return [_reserve_one(session, contract, invitation_id, product_id, at) for product_id in parts]


def _reserve_one(
    session: Session, contract: Contract, invitation_id: int, product_id: int | None, at: datetime
) -> Seat:
    key = rows.invitation_key(invitation_id, product_id)
    reserved = rows.lock_seats(session, contract.id, Seat.holder_key == key)
    if reserved:
        return reserved[0]
    holder = {"state": "reserved", "holder_key": key, "invitation_id": invitation_id, "product_id": product_id}
    seat = rows.take_free(session, contract, at, **holder)
    if seat is None:
        raise NoFreeSeat
    rows.add_event(session, seat, "reserved", Cause(at))
    return seat


def take_reserved(session: Session, invitation_id: int, learner_id: int, at: datetime) -> list[Seat]:
    """The invitation was accepted: what was set aside for it is the member's. A seat for a course that they own is
    free again."""
    invitation = session.get_one(Invitation, invitation_id)
    contract = rows.lock_contract(session, invitation.contract_id)
    reserved = rows.lock_seats(session, contract.id, Seat.invitation_id == invitation_id, Seat.state == "reserved")
    owned = {seat.holder_key for seat in rows.lock_seats(session, contract.id, Seat.learner_id == learner_id)} - {None}
    taken = []
    for seat in reserved:
        wanted = [seat.product_id] if seat.product_id is not None else list(invitation.product_ids)
        courses = covered.needed_courses(session, learner_id, [key for key in wanted if key is not None], at)
        key = rows.holder_key(learner_id, seat.product_id)
        if not courses or key in owned:
            rows.empty(seat)
            rows.add_event(session, seat, "returned", Cause(at))
        else:
            rows.change(seat, state="active", holder_key=key, learner_id=learner_id, assigned_at=at)
            session.flush()
            _announce(session, seat, Cause(at, invitation.invited_by))
            _open(session, contract, seat, courses, at)
            taken.append(seat)
    session.flush()
    return taken


def release_reserved(session: Session, invitation_id: int, at: datetime) -> None:
    """The invitation was declined, cancelled, refused, or has expired: what was set aside for it is free."""
    contract_id = session.scalar(select(Invitation.contract_id).where(Invitation.id == invitation_id))
    if contract_id is None:
        return
    contract = rows.lock_contract(session, contract_id)
    for seat in rows.lock_seats(session, contract.id, Seat.invitation_id == invitation_id, Seat.state == "reserved"):
        rows.empty(seat)
        rows.add_event(session, seat, "returned", Cause(at))
    session.flush()
