"""Ends of holding a seat, and what holders say about theirs. Progress, notes and certificates stay with the learner."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import SeatEventItem
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants
from domain.outbox import queue as outbox_queue
from domain.seats import requests, seat_rows
from domain.seats.fairness import CONFIRM_EVERY, MAX_PAUSE
from domain.seats.seat_rows import Cause
from domain.tables import Contract, Seat

HELD = ("active", "spent")


def release_of_member(  # noqa: PLR0913 who leaves what, when and why
    session: Session,
    learner_id: int,
    organisation_id: int,
    at: datetime,
    *,
    actor_id: int | None = None,
    reason: str = "",
) -> int:
    """A member leaves: their seats are free, what seats opened ends, and they wait for none. Returns the number of
    seats. A spent seat stays spent."""
    ids = _contracts_with(session, learner_id, organisation_id)
    return sum(_release_in(session, key, learner_id, Cause(at, actor_id, reason)) for key in ids)


def release_of_learner(session: Session, learner_id: int, at: datetime) -> None:
    """An account is deleted: the same in every organisation."""
    for contract_id in _contracts_with(session, learner_id, None):
        _release_in(session, contract_id, learner_id, Cause(at))


def _contracts_with(session: Session, learner_id: int, organisation_id: int | None) -> list[int]:
    of_seats = select(Seat.contract_id).where(Seat.learner_id == learner_id)
    ids = set(session.scalars(of_seats)) | set(requests.contracts_of(session, learner_id))
    query = select(Contract.id).where(Contract.id.in_(ids)).order_by(Contract.id)
    return list(
        session.scalars(query if organisation_id is None else query.where(Contract.organisation_id == organisation_id))
    )


def _release_in(session: Session, contract_id: int, learner_id: int, cause: Cause) -> int:
    contract = seat_rows.lock_contract(session, contract_id)
    requests.withdraw_all(session, contract_id, learner_id, cause.at)
    released = 0
    for seat in seat_rows.lock_seats(session, contract_id, Seat.learner_id == learner_id, Seat.state.in_(HELD)):
        grants.end(session, seat_rows.source_of(seat), cause.at, "seat")
        seat_rows.add_event(session, seat, "returned", cause, learner_id=learner_id)
        if seat.state == "active":
            seat_rows.empty(seat)
            released += 1
    session.flush()
    requests.serve(session, contract, cause.at)
    return released


def free(session: Session, seat: Seat, kind: Literal["reclaimed", "freed"], cause: Cause) -> None:
    """Take a locked seat back and tell its holder, who reads the reason. The contract is locked."""
    event = seat_rows.add_event(session, seat, kind, cause, learner_id=seat.learner_id)
    grants.end(session, seat_rows.source_of(seat), cause.at, "seat")
    seat_rows.empty(seat)
    session.flush()
    outbox_queue.enqueue(session, OutboxKind.SEAT_ENDED, SeatEventItem(event_id=event.id), cause.at)


def confirm(session: Session, learner_id: int, seat_id: int, at: datetime, locale: str) -> None:
    """The holder still needs the seat: a notice ends, and all days count anew. Once a quarter; saying it twice at once
    changes nothing. Raises NotFound for every other learner's seat, and Refused."""
    seat = own_seat(session, learner_id, seat_id)
    if seat.confirmed_at is not None and at < seat.confirmed_at + CONFIRM_EVERY:
        if seat.notified_at is None and at < seat.confirmed_at + timedelta(days=1):
            return
        again = day_text(seat.confirmed_at + CONFIRM_EVERY, locale)
        raise Refused(f"You can say this once a quarter, next on {again}. Any lesson you do keeps the seat too.")
    seat_rows.change(seat, confirmed_at=at, notified_at=None, grace_until=None)
    seat_rows.add_event(session, seat, "confirmed", Cause(at, learner_id), learner_id=learner_id)


def pause(session: Session, learner_id: int, seat_id: int, days: int, at: datetime) -> None:
    """The holder pauses: until then nothing is taken back. Once for each time that they have the seat. Raises NotFound,
    Refused and InvalidInput."""
    seat = own_seat(session, learner_id, seat_id)
    if not 1 <= days <= MAX_PAUSE.days:
        raise InvalidInput({"days": f"Choose from 1 to {MAX_PAUSE.days} days."})
    if seat.paused_until is not None:
        raise Refused("You have paused this seat already.")
    seat_rows.change(seat, paused_until=at + timedelta(days=days), notified_at=None, grace_until=None)
    seat_rows.add_event(session, seat, "paused", Cause(at, learner_id), learner_id=learner_id)


def resume(session: Session, learner_id: int, seat_id: int, at: datetime) -> None:
    """End a pause before its time; without one, nothing changes. Raises NotFound."""
    seat = own_seat(session, learner_id, seat_id)
    if seat.paused_until is not None and at < seat.paused_until:
        seat_rows.change(seat, paused_until=at)
        seat_rows.add_event(session, seat, "resumed", Cause(at, learner_id), learner_id=learner_id)


def own_seat(session: Session, learner_id: int, seat_id: int) -> Seat:
    """The learner's seat, locked after its contract. Raises NotFound for every other, with one text."""
    is_own = (Seat.id == seat_id, Seat.learner_id == learner_id, Seat.state == "active")
    # Not locked yet: everybody locks the contract before its seats.
    contract_id = session.scalar(select(Seat.contract_id).where(*is_own))
    if contract_id is None:
        raise NotFound(seat_rows.UNKNOWN_SEAT)
    seats: Iterable[Seat] = seat_rows.lock_seats(session, seat_rows.lock_contract(session, contract_id).id, *is_own)
    for seat in seats:
        return seat
    raise NotFound(seat_rows.UNKNOWN_SEAT)
