"""The seats of one learner, what they wait for, and what they may ask for."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.learning import grants
from domain.seats import activity, daily, fairness
from domain.seats.seat_rows import is_running
from domain.seats.views.own_history import OwnSeatEvent, own_history
from domain.tables import (
    Contract,
    ContractProduct,
    Enrolment,
    EnrolmentGrant,
    Membership,
    Organisation,
    Product,
    Seat,
    SeatRequest,
)

MAX_CHOICES = 200


class RequestedCourse(NamedTuple):
    """A course that may be asked for."""

    id: int
    name: str


@dataclass(frozen=True)
class OwnSeat:
    """`number`: within the contract. `goes_back_at`: what the holder does until then keeps the seat, if somebody waits;
    None: nothing is known. `has_notice`: somebody waits."""

    id: int
    number: int
    organisation: str
    courses: tuple[str, ...]
    goes_back_at: datetime | None
    has_notice: bool
    can_confirm: bool
    can_pause: bool
    paused_until: datetime | None


class WaitingRequest(NamedTuple):
    """A request that waits. `place`: in the queue, counted from 1."""

    id: int
    course: str
    organisation: str
    requested_at: datetime
    place: int


@dataclass(frozen=True)
class OwnSeats:
    """`choices`: courses of the contracts that the learner does not have. `history`: of seats that they have or had."""

    seats: tuple[OwnSeat, ...]
    waiting: tuple[WaitingRequest, ...]
    choices: tuple[RequestedCourse, ...]
    history: tuple[OwnSeatEvent, ...]


def own_seats(session: Session, learner_id: int, at: datetime) -> OwnSeats:
    """The seats, requests and choices of a member of organisations."""
    waiting = _waiting(session, learner_id)
    choices = _choices(session, learner_id, at)
    return OwnSeats(_seats(session, learner_id, at), waiting, choices, own_history(session, learner_id))


def _seats(session: Session, learner_id: int, at: datetime) -> tuple[OwnSeat, ...]:
    query = (
        select(Seat, Contract, Organisation.name)
        .join(Contract, Contract.id == Seat.contract_id)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .where(Seat.learner_id == learner_id, Seat.state == "active")
        .order_by(Seat.id)
    )
    rows = [(seat, contract, name) for seat, contract, name in session.execute(query) if is_running(contract, at)]
    return tuple(_own_seat(session, seat, contract, name, at) for seat, contract, name in rows)


def _own_seat(session: Session, seat: Seat, contract: Contract, organisation: str, at: datetime) -> OwnSeat:
    [held] = activity.held_seats(session, contract, [seat])
    is_paused = seat.paused_until is not None and at < seat.paused_until
    goes_back_at = fairness.goes_back_at(held, daily.terms_of(contract))
    if fairness.is_protected(held, at) and goes_back_at is not None and goes_back_at <= at:
        goes_back_at = None
    is_early = seat.confirmed_at is not None and at < seat.confirmed_at + fairness.CONFIRM_EVERY
    return OwnSeat(
        id=seat.id,
        number=seat.number,
        organisation=organisation,
        courses=_course_names(session, seat),
        goes_back_at=None if is_paused else goes_back_at,
        has_notice=seat.grace_until is not None,
        can_confirm=goes_back_at is not None and not is_early and not is_paused,
        can_pause=seat.paused_until is None,
        paused_until=seat.paused_until if is_paused else None,
    )


def _course_names(session: Session, seat: Seat) -> tuple[str, ...]:
    opens = (EnrolmentGrant.source == "seat", EnrolmentGrant.source_id == seat.id, EnrolmentGrant.ended_at.is_(None))
    query = (
        select(Product.name)
        .join(Enrolment, Enrolment.product_id == Product.id)
        .join(EnrolmentGrant, EnrolmentGrant.enrolment_id == Enrolment.id)
        .where(*opens, Enrolment.learner_id == seat.learner_id)
    )
    return tuple(session.scalars(query.order_by(Product.name)))


def _waiting(session: Session, learner_id: int) -> tuple[WaitingRequest, ...]:
    query = (
        select(SeatRequest, Product.name, Organisation.name)
        .join(Product, Product.id == SeatRequest.product_id)
        .join(Contract, Contract.id == SeatRequest.contract_id)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .where(SeatRequest.learner_id == learner_id, SeatRequest.state == "waiting")
        .order_by(SeatRequest.id)
    )
    return tuple(
        WaitingRequest(request.id, course, organisation, request.requested_at, _place(session, request))
        for request, course, organisation in session.execute(query)
    )


def _place(session: Session, request: SeatRequest) -> int:
    columns = (SeatRequest.id, SeatRequest.requested_at, SeatRequest.has_priority)
    query = select(*columns).where(SeatRequest.contract_id == request.contract_id, SeatRequest.state == "waiting")
    queue = fairness.in_turn(fairness.PendingRequest(*row) for row in session.execute(query))
    return [waiting.id for waiting in queue].index(request.id) + 1


def _choices(session: Session, learner_id: int, at: datetime) -> tuple[RequestedCourse, ...]:
    """Courses of the running contracts of the learner's organisations that they neither have nor wait for."""
    contracts = (
        select(Contract.id, Contract.has_all_courses)
        .join(Organisation, Organisation.id == Contract.organisation_id)
        .join(Membership, Membership.organisation_id == Organisation.id)
        .where(Membership.learner_id == learner_id, Membership.ended_at.is_(None), Organisation.state == "approved")
        .where(Contract.starts_at <= at, or_(Contract.ends_at.is_(None), Contract.ends_at > at))
    )
    rows = session.execute(contracts).all()
    if not rows:
        return ()
    query = select(Product.id, Product.name).where(Product.kind == "course", Product.status == "published")
    if not any(row.has_all_courses for row in rows):
        ids = [row.id for row in rows]
        query = query.where(
            Product.id.in_(select(ContractProduct.product_id).where(ContractProduct.contract_id.in_(ids)))
        )
    courses = [RequestedCourse(*row) for row in session.execute(query.order_by(Product.name).limit(2 * MAX_CHOICES))]
    asked = set(
        session.scalars(
            select(SeatRequest.product_id).where(SeatRequest.learner_id == learner_id, SeatRequest.state == "waiting")
        )
    )
    taken = asked | grants.owned_ids(session, learner_id, [course.id for course in courses], at)
    return tuple(course for course in courses if course.id not in taken)[:MAX_CHOICES]
