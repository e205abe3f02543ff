"""Members who ask for a course of their organisation's contract, and who gets the next free seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.errors import NotFound, Refused
from domain.identity import learners
from domain.learning import grants
from domain.seats import assign, covered, fairness, seat_rows
from domain.seats.fairness import PendingRequest
from domain.seats.seat_rows import Cause, NoFreeSeat
from domain.tables import Contract, Membership, Organisation, Seat, SeatEvent, SeatRequest

NO_CONTRACT = "No contract of your organisation covers this course."
OWNED = "You have this course already."
UNKNOWN_REQUEST = "There is no such request."


@dataclass(frozen=True)
class RequestOutcome:
    """`is_granted`: a seat was free. `place`: in the queue, counted from 1."""

    request_id: int
    is_granted: bool
    place: int = 0


def ask(session: Session, learner_id: int, product_id: int, at: datetime) -> RequestOutcome:
    """Ask for a course: given at once if a seat is free, else the member waits. Asking twice changes nothing. Raises
    Refused for what no contract of their organisations covers, and for a course that they have."""
    learners.lock_account(session, learner_id)
    contract = _contract_for(session, learner_id, product_id, at)
    if product_id in grants.owned_ids(session, learner_id, [product_id], at):
        raise Refused(OWNED)
    key = f"{contract.id}:{learner_id}:{product_id}"
    request = session.scalar(select(SeatRequest).where(SeatRequest.open_key == key).with_for_update())
    if request is None:
        has_priority = _has_priority(session, contract.id, learner_id)
        about = {"contract_id": contract.id, "learner_id": learner_id, "product_id": product_id}
        request = SeatRequest(**about, requested_at=at, open_key=key, has_priority=has_priority)
        session.add(request)
        session.flush()
    serve(session, contract, at)
    if request.state == "granted":
        return RequestOutcome(request.id, is_granted=True)
    order = [waiting.id for waiting in fairness.in_turn(waiting_of(session, contract.id))]
    return RequestOutcome(request.id, is_granted=False, place=order.index(request.id) + 1)


def _contract_for(session: Session, learner_id: int, product_id: int, at: datetime) -> Contract:
    """The contract for a request, locked: of those that cover the course one with a free seat, else the oldest. Raises
    Refused."""
    query = (
        select(Contract.id)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .join(Membership, Membership.organisation_id == Organisation.id)
        .where(Membership.learner_id == learner_id, Membership.ended_at.is_(None), Organisation.state == "approved")
        .order_by(Contract.id)
        .with_for_update(of=Contract)
    )
    running = []
    for contract_id in session.scalars(query).all():
        contract = seat_rows.lock_contract(session, contract_id)
        if seat_rows.is_running(contract, at) and _covers(session, contract, product_id):
            running.append(contract)
    if not running:
        raise Refused(NO_CONTRACT)
    return next((contract for contract in running if _has_room(session, contract, learner_id)), running[0])


def _covers(session: Session, contract: Contract, product_id: int) -> bool:
    try:
        covered.covered_courses(session, contract, [product_id])
    except Refused:
        return False
    return True


def _has_room(session: Session, contract: Contract, learner_id: int) -> bool:
    """A free seat, or the person's own, which opens further courses."""
    key = seat_rows.holder_key(learner_id, None)
    is_usable = (Seat.state == "free") | (Seat.holder_key == key)
    return contract.seats is None or bool(seat_rows.lock_seats(session, contract.id, is_usable))


def _has_priority(session: Session, contract_id: int, learner_id: int) -> bool:
    """The member lost a seat of the contract more often than they came first because of it."""
    of_contract = select(func.count(SeatEvent.id)).join(Seat, Seat.id == SeatEvent.seat_id)
    lost = of_contract.where(
        Seat.contract_id == contract_id, SeatEvent.learner_id == learner_id, SeatEvent.kind == "reclaimed"
    )
    used = select(func.count(SeatRequest.id)).where(
        SeatRequest.contract_id == contract_id, SeatRequest.learner_id == learner_id, SeatRequest.has_priority
    )
    return (session.scalar(lost) or 0) > (session.scalar(used.where(SeatRequest.state != "withdrawn")) or 0)


def serve(session: Session, contract: Contract, at: datetime) -> int:
    """Give what is free to those who wait, in their turn. The contract is locked. Returns how many got theirs."""
    if not seat_rows.is_running(contract, at):
        return 0
    served = 0
    for waiting in fairness.in_turn(waiting_of(session, contract.id)):
        request = session.get_one(SeatRequest, waiting.id)
        try:
            assign.assign_locked(session, contract, request.learner_id, [request.product_id], Cause(at))
        except NoFreeSeat:
            if contract.seat_kind == "course":
                break
            # Others of the queue may have a seat for their person, which opens a further course.
            continue
        except Refused:
            _close(request, "withdrawn", at)
            continue
        _close(request, "granted", at)
        served += 1
    session.flush()
    return served


def waiting_of(session: Session, contract_id: int) -> Sequence[PendingRequest]:
    """The requests that wait for a seat of a locked contract. Locking reads the newest rows."""
    query = select(SeatRequest).where(SeatRequest.contract_id == contract_id, SeatRequest.state == "waiting")
    found = session.scalars(query.with_for_update().execution_options(populate_existing=True))
    return [PendingRequest(row.id, row.requested_at, row.has_priority) for row in found]


def _close(request: SeatRequest, state: str, at: datetime) -> None:
    request.state, request.open_key, request.decided_at = state, None, at


def withdraw(session: Session, learner_id: int, request_id: int, at: datetime) -> None:
    """The member waits no more; what was decided stays. Raises NotFound for every other learner's request."""
    own = (SeatRequest.id == request_id, SeatRequest.learner_id == learner_id)
    request = session.scalar(select(SeatRequest).where(*own).with_for_update())
    if request is None:
        raise NotFound(UNKNOWN_REQUEST)
    if request.state == "waiting":
        _close(request, "withdrawn", at)
        session.flush()


def withdraw_all(session: Session, contract_id: int, learner_id: int, at: datetime) -> None:
    own = (SeatRequest.contract_id == contract_id, SeatRequest.learner_id == learner_id)
    query = select(SeatRequest).where(*own, SeatRequest.state == "waiting").with_for_update()
    for request in session.scalars(query.execution_options(populate_existing=True)):
        _close(request, "withdrawn", at)


def contracts_of(session: Session, learner_id: int) -> set[int]:
    """The contracts with requests of a learner that wait."""
    is_theirs = (SeatRequest.learner_id == learner_id, SeatRequest.state == "waiting")
    return set(session.scalars(select(SeatRequest.contract_id).where(*is_theirs)))
