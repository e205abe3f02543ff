"""What managers do with the seats of their organisation. Each change is recorded, and filtered by the tenant."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import SeatEventItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.outbox import queue as outbox_queue
from domain.permissions import Tenant
from domain.seats import holding, requests, seat_rows
from domain.seats.assign import assign_locked
from domain.seats.seat_rows import Cause
from domain.tables import Contract, Learner, Membership, Product, Seat, SeatEvent

NOBODY = "No member of your organisation has this email address. Invite them first."
NO_COURSE = "Choose a course of the contract."
REMIND_EVERY = timedelta(days=7)


@dataclass(frozen=True)
class SeatOrder:
    """`course`: a slug, "" for a seat of a person alone."""

    contract_id: int
    email: str
    course: str


def assign_to_member(session: Session, tenant: Tenant, order: SeatOrder, cause: Cause) -> str:
    """Give a member a seat; what was done, in words. Raises NotFound for a contract of others, InvalidInput, Refused,
    NoFreeSeat."""
    contract = _own_contract(session, tenant, order.contract_id)
    learner = _member(session, tenant, order.email)
    courses = _courses(session, contract, order.course)
    before = _number_of(session, contract.id, learner.id)
    seats = assign_locked(session, contract, learner.id, courses, cause)
    after = _number_of(session, contract.id, learner.id)
    if not seats:
        recording.no_change(session)
        return "Nothing was assigned: this member has the course already."
    for seat in seats:
        about = {"learner_id": learner.id, "courses": courses}
        recording.record(session, "seat.assign", Subject("seat", seat.id), after=about)
    return "The seat is assigned, and a mail is on its way." if after > before else "The course is open to them."


def _own_contract(session: Session, tenant: Tenant, contract_id: int) -> Contract:
    """Locked. Raises NotFound for a contract of another organisation, as for none."""
    query = select(Contract).where(Contract.id == contract_id, Contract.organisation_id == tenant.organisation_id)
    contract = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if contract is None:
        raise NotFound(seat_rows.UNKNOWN_CONTRACT)
    return contract


def _member(session: Session, tenant: Tenant, email: str) -> Learner:
    is_theirs = (Membership.organisation_id == tenant.organisation_id, Membership.ended_at.is_(None))
    query = select(Learner).join(Membership, Membership.learner_id == Learner.id)
    address = email.strip().casefold()
    found = session.scalars(query.where(*is_theirs, Learner.email == address)).first() if address else None
    if found is None:
        raise InvalidInput({"email": NOBODY})
    return found


def _courses(session: Session, contract: Contract, slug: str) -> list[int]:
    if not slug and contract.seat_kind == "person":
        return []
    course_id = session.scalar(select(Product.id).where(Product.slug == slug, Product.kind == "course"))
    if course_id is None:
        raise InvalidInput({"course": NO_COURSE})
    return [course_id]


def _number_of(session: Session, contract_id: int, learner_id: int) -> int:
    return len(seat_rows.lock_seats(session, contract_id, Seat.learner_id == learner_id, Seat.state == "active"))


def remind(session: Session, tenant: Tenant, seat_id: int, cause: Cause) -> None:
    """Mail the holder, at most once in seven days. Raises NotFound, and Refused."""
    _, seat = _own_seat(session, tenant, seat_id)
    if seat.state != "active":
        raise Refused("Nobody has this seat now.")
    last = session.scalar(
        select(SeatEvent.occurred_at)
        .where(SeatEvent.seat_id == seat.id, SeatEvent.kind == "reminded", SeatEvent.learner_id == seat.learner_id)
        .order_by(SeatEvent.id.desc())
        .limit(1)
    )
    if last is not None and cause.at < last + REMIND_EVERY:
        raise Refused("A reminder was sent within the last seven days.")
    event = seat_rows.add_event(session, seat, "reminded", cause, learner_id=seat.learner_id)
    outbox_queue.enqueue(session, OutboxKind.SEAT_REMINDER, SeatEventItem(event_id=event.id), cause.at)
    recording.record(session, "seat.remind", Subject("seat", seat.id), after={"learner_id": seat.learner_id})


def reclaim(session: Session, tenant: Tenant, seat_id: int, cause: Cause) -> None:
    """Take a seat back by hand, for a reason that its holder reads; whoever waits gets it. Raises NotFound, Refused,
    and InvalidInput without a reason."""
    if not cause.reason.strip():
        raise InvalidInput({"reason": "Say why: the member reads it."})
    contract, seat = _own_seat(session, tenant, seat_id)
    if seat.state != "active":
        raise Refused("Nobody has this seat now.")
    about = {"learner_id": seat.learner_id, "product_id": seat.product_id, "state": seat.state}
    holding.free(session, seat, "reclaimed", cause)
    recording.record(
        session, "seat.reclaim", Subject("seat", seat.id), before=about, after={"state": "free"}, reason=cause.reason
    )
    requests.serve(session, contract, cause.at)


def _own_seat(session: Session, tenant: Tenant, seat_id: int) -> tuple[Contract, Seat]:
    """Locked, the contract first. Raises NotFound for a seat of another organisation, as for none."""
    of_seat = select(Seat.contract_id).where(Seat.id == seat_id).scalar_subquery()
    own = (Contract.id == of_seat, Contract.organisation_id == tenant.organisation_id)
    contract = session.scalar(select(Contract).where(*own).with_for_update())
    if contract is None:
        raise NotFound(seat_rows.UNKNOWN_SEAT)
    [seat] = seat_rows.lock_seats(session, contract.id, Seat.id == seat_id)
    return contract, seat
