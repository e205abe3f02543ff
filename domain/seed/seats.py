"""Seats of the demo's first organisation in every state, and the months of its report."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import cycle

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from domain.identity.learners import DEVELOPMENT_ISSUER
from domain.money import Currency
from domain.reports import organisation_months
from domain.seats import numbers, seat_rows
from domain.seats.assign import assign
from domain.seats.invitations import reserve
from domain.seed.prices import price
from domain.tables import (
    Contract,
    ContractProduct,
    Enrolment,
    EnrolmentGrant,
    Invitation,
    Learner,
    Membership,
    Organisation,
    Outbox,
    Product,
    Seat,
    SeatRequest,
)

SLUG, COURSE, IDLE_COURSE = "harbour-trust", "gdpr-everyday-decisions", "speak-up-channels"
TEAMS = ("Trading", "Clearing", "Branches", "Clearing", "Branches", "")
SEATS, STUDYING, WAITING, PERSONS = 40, 30, 2, 5
AGE = timedelta(days=330)
DAY = timedelta(days=1)


def add(session: Session, at: datetime, currency: Currency) -> None:
    """Add seats to a shop in which there is none."""
    organisation_id = session.scalar(select(Organisation.id).where(Organisation.slug == SLUG))
    if organisation_id is None or session.scalar(select(Seat.id).limit(1)) is not None:
        return
    last_row = session.scalar(select(func.max(Outbox.id))) or 0
    contract = session.scalars(select(Contract).where(Contract.organisation_id == organisation_id)).one()
    contract.starts_at, contract.seat_kind = at - AGE, "course"
    contract.seat_price, contract.is_self_service, contract.shows_names = price("120.00", currency), True, True
    numbers.set_number(session, contract, SEATS, at)
    people = _people(session)
    _studying(session, contract, people, at)
    _others(session, contract, people, at)
    _persons(session, organisation_id, people, at)
    for due in organisation_months.due_months(session, at):
        organisation_months.freeze(session, due)
    # As if progress had counted them.
    session.execute(update(Enrolment).where(Enrolment.rule_version == 0).values(rule_version=1))
    # Mails about seats of the past are not sent.
    session.execute(delete(Outbox).where(Outbox.id > last_row))
    session.flush()


def _people(session: Session) -> Iterator[int]:
    """Invented learners, those of the written course first."""
    # Named ones have a word as their subject.
    invented = select(Learner.id).where(Learner.issuer == DEVELOPMENT_ISSUER, Learner.subject.contains("."))
    has_course = (
        select(Enrolment.id)
        .join(Product, Product.id == Enrolment.product_id)
        .where(Product.slug == COURSE, Enrolment.learner_id == Learner.id)
        .exists()
    )
    return iter(session.scalars(invented.order_by(has_course.desc(), Learner.id)).all())


def _studying(session: Session, contract: Contract, people: Iterator[int], at: datetime) -> None:
    """Seats of those who study the written course: their access comes from the seat."""
    course_id = _id_of(session, COURSE)
    for number, (learner_id, team) in enumerate(zip(_some(people, STUDYING), cycle(TEAMS), strict=False)):
        _join(session, contract.organisation_id, learner_id, team, at, shares=number % 3 != 0)
        enrolment = session.scalar(
            select(Enrolment).where(Enrolment.learner_id == learner_id, Enrolment.product_id == course_id)
        )
        if enrolment is None:
            assign(session, contract.id, learner_id, [course_id], at - 12 * DAY)
            continue
        holder = {
            "learner_id": learner_id,
            "product_id": course_id,
            "holder_key": seat_rows.holder_key(learner_id, course_id),
        }
        state = "active" if enrolment.completed_at is None else "spent"
        since = max(enrolment.enrolled_at, contract.starts_at)
        seat = seat_rows.take_free(session, contract, since, state=state, **holder)
        if seat is not None:
            times = {"started_at": enrolment.started_at, "last_active_at": enrolment.last_active_at}
            # Else those who wait would get it at the first run of the rules.
            paused_until = at + 60 * DAY if enrolment.started_at is None else None
            seat_rows.change(seat, **times, reminders=2, paused_until=paused_until)
            _grant_from(session, enrolment, seat)
            seat_rows.add_event(session, seat, "assigned", seat_rows.Cause(since), learner_id=learner_id)


def _grant_from(session: Session, enrolment: Enrolment, seat: Seat) -> None:
    grant = session.scalars(select(EnrolmentGrant).where(EnrolmentGrant.enrolment_id == enrolment.id)).first()
    if grant is not None:
        grant.source, grant.source_id = "seat", seat.id
    session.flush()


def _others(session: Session, contract: Contract, people: Iterator[int], at: datetime) -> None:
    """Not started, paused, invited, idle with a notice; and two who wait."""
    courses = [_id_of(session, slug) for slug in (IDLE_COURSE, COURSE)]
    free = numbers.free_count(session, contract.id)
    for number, learner_id in enumerate(_some(people, free - 3)):
        _join(session, contract.organisation_id, learner_id, TEAMS[number % len(TEAMS)], at)
        seats = assign(session, contract.id, learner_id, courses[:1], at - 20 * DAY)
        for seat in seats:
            seat_rows.change(seat, reminders=2, paused_until=at + 60 * DAY if number == 0 else None)
    for name in ("mina", "theo"):
        _invite(session, contract, f"{name}@harbour-trust.example", courses[1], at)
    # Whoever signs in with this account reads on the dashboard that the seat goes back.
    named = select(Learner.id).where(Learner.issuer == DEVELOPMENT_ISSUER, Learner.subject == "member")
    for seat in assign(session, contract.id, session.scalars(named).one(), courses[:1], at - 140 * DAY):
        _leave_idle(session, seat, at)
    for learner_id in _some(people, WAITING):
        _join(session, contract.organisation_id, learner_id, "Trading", at)
        key = f"{contract.id}:{learner_id}:{courses[0]}"
        about = {"contract_id": contract.id, "learner_id": learner_id, "product_id": courses[0]}
        session.add(SeatRequest(**about, requested_at=at - 6 * DAY, open_key=key))
    session.flush()


def _leave_idle(session: Session, seat: Seat, at: datetime) -> None:
    is_course = (Enrolment.learner_id == seat.learner_id, Enrolment.product_id == seat.product_id)
    enrolment = session.scalars(select(Enrolment).where(*is_course)).one()
    enrolment.started_at, enrolment.last_active_at = at - 135 * DAY, at - 95 * DAY
    times = {"started_at": enrolment.started_at, "last_active_at": enrolment.last_active_at}
    seat_rows.change(seat, **times, reminders=2, notified_at=at - 4 * DAY, grace_until=at + 10 * DAY)
    seat_rows.add_event(session, seat, "noticed", seat_rows.Cause(at - 4 * DAY), learner_id=seat.learner_id)


def _invite(session: Session, contract: Contract, email: str, course_id: int, at: datetime) -> None:
    invitation = Invitation(
        organisation_id=contract.organisation_id,
        contract_id=contract.id,
        email_key=email,
        product_ids=[course_id],
        sent_at=at - 2 * DAY,
        sends=1,
        expires_at=at + 12 * DAY,
        open_key=f"{contract.id}:{email}",
    )
    session.add(invitation)
    session.flush()
    reserve(session, contract.id, invitation.id, [course_id], at)


def _persons(session: Session, organisation_id: int, people: Iterator[int], at: datetime) -> None:
    """A second contract whose seats are for people, some of them free."""
    about = {"starts_at": at - 60 * DAY, "ends_at": at + 305 * DAY, "is_restricted": True, "seats": 0}
    contract = Contract(organisation_id=organisation_id, seat_kind="person", **about)
    session.add(contract)
    session.flush()
    course_id = _id_of(session, "bookkeeping-from-first-principles")
    session.add(ContractProduct(contract_id=contract.id, product_id=course_id))
    session.flush()
    numbers.set_number(session, contract, PERSONS, at)
    for learner_id in _some(people, PERSONS - 2):
        _join(session, organisation_id, learner_id, "Branches", at)
        assign(session, contract.id, learner_id, [], at - 5 * DAY)


def _join(  # noqa: PLR0913 who joins what, when and how
    session: Session, organisation_id: int, learner_id: int, team: str, at: datetime, *, shares: bool = False
) -> None:
    is_member = (Membership.learner_id == learner_id, Membership.organisation_id == organisation_id)
    if session.scalar(select(Membership.id).where(*is_member)) is None:
        about = {"team": team, "shares_progress": shares, "is_restricted": True, "joined_at": at - AGE}
        session.add(Membership(learner_id=learner_id, organisation_id=organisation_id, **about))
        session.flush()


def _some(people: Iterator[int], count: int) -> Sequence[int]:
    return [learner_id for learner_id, _ in zip(people, range(count), strict=False)]


def _id_of(session: Session, slug: str) -> int:
    return session.scalars(select(Product.id).where(Product.slug == slug, Product.kind == "course")).one()
