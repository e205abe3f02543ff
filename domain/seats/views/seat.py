"""One seat as the managers of its organisation see it: its holder, what the rules say, and its history."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, literal, or_, select
from sqlalchemy.orm import Session, aliased

from domain.errors import NotFound
from domain.permissions import Tenant
from domain.seats import activity, daily, fairness, naming, seat_rows
from domain.seats.fairness import HeldSeat, Rule
from domain.tables import Contract, Learner, Membership, Product, Seat, SeatEvent


@dataclass(frozen=True)
class SeatHistoryRow:
    """`holder`, `actor`: "" for nobody, or a deleted account."""

    occurred_at: datetime
    kind: str
    holder: str
    actor: str
    reason: str


@dataclass(frozen=True)
class SeatCourse:
    """`percent` None: the member has not agreed that managers see it, or the contract shows no names."""

    name: str
    percent: int | None


@dataclass(frozen=True)
class SeatView:
    """`is_shared`: the holder agreed that managers see how far they are, the contract shows names, and no month counts
    them in a group; where not, `is_started`, `rule`, and `goes_back_at` unless a notice has told the day, are None, and
    no day is that of an activity.

    `rule`: by which the seat could go back now if somebody waits, `is_protected`: whoever waits, the rules take it
    from nobody now, as far as managers may know. `goes_back_at`: from when the holder may lose it; None while that is
    not known. `last_active_at`: of a holder who agreed that managers see it, where the contract shows names."""

    seat: Seat
    contract: Contract
    holder: str
    email: str
    courses: tuple[SeatCourse, ...]
    is_shared: bool
    is_started: bool | None
    last_active_at: datetime | None
    rule: Rule | None
    is_protected: bool
    goes_back_at: datetime | None
    history: tuple[SeatHistoryRow, ...]


def seat_view(session: Session, tenant: Tenant, seat_id: int, at: datetime) -> SeatView:
    """Raises NotFound for a seat of another organisation, as for none."""
    query = select(Seat, Contract).join(Contract, Contract.id == Seat.contract_id).where(Seat.id == seat_id)
    found = session.execute(query.where(Contract.organisation_id == tenant.organisation_id)).one_or_none()
    if found is None:
        raise NotFound(seat_rows.UNKNOWN_SEAT)
    seat, contract = found
    learner = None if seat.learner_id is None else session.get(Learner, seat.learner_id)
    [held] = activity.held_seats(session, contract, [seat])
    terms, is_active = daily.terms_of(contract), seat.state == "active"
    is_named = _is_named(session, contract, seat)
    return SeatView(
        seat=seat,
        contract=contract,
        holder="" if learner is None else learner.name,
        email="" if learner is None else learner.email,
        courses=_courses(session, contract, seat, is_named=is_named),
        is_shared=is_named,
        is_started=held.started_at is not None if is_named else None,
        last_active_at=seat.last_active_at if is_named else None,
        rule=fairness.rule_of(held, terms, at) if is_active and is_named else None,
        is_protected=is_active and fairness.is_protected(held if is_named else _without_progress(held), at),
        goes_back_at=fairness.goes_back_at(held, terms) if is_active and (is_named or seat.grace_until) else None,
        history=history_of(session, seat_id, seat.learner_id if is_named else None),
    )


def _is_named(session: Session, contract: Contract, seat: Seat) -> bool:
    """Whether managers see how far the holder is."""
    is_theirs = (Membership.learner_id == seat.learner_id, Membership.organisation_id == contract.organisation_id)
    in_group = naming.is_in_group(
        Membership.organisation_id, Membership.learner_id, literal(seat.product_id, BigInteger)
    )
    query = select(Membership.shares_progress & ~in_group).where(*is_theirs, Membership.ended_at.is_(None))
    return contract.shows_names and bool(session.scalar(query))


def _courses(session: Session, contract: Contract, seat: Seat, *, is_named: bool) -> tuple[SeatCourse, ...]:
    opened = activity.courses_of(session, contract.id, seat_ids=[seat.id])
    percents = activity.percent_of(session, opened)
    names = dict(
        session.execute(select(Product.id, Product.name).where(Product.id.in_([row.course_id for row in opened]))).all()
    )
    return tuple(
        SeatCourse(names[row.course_id], percents[row.seat_id, row.course_id] if is_named else None) for row in opened
    )


def _without_progress(held: HeldSeat) -> HeldSeat:
    """A seat of which its days alone are known: what is done of the course, or of a quiz, protects it too, but the
    protection would tell it."""
    return HeldSeat(held.id, held.number, held.assigned_at, paused_until=held.paused_until)


def history_of(session: Session, seat_id: int, named: int | None) -> tuple[SeatHistoryRow, ...]:
    """The events of a seat, the newest first. The rules remind nobody but who has not begun: that they did is told of
    the `named` holder alone."""
    holder, actor = aliased(Learner), aliased(Learner)
    columns = (SeatEvent.occurred_at, SeatEvent.kind, holder.name, actor.name, SeatEvent.reason)
    query = (
        select(*columns)
        .outerjoin(holder, holder.id == SeatEvent.learner_id)
        .outerjoin(actor, actor.id == SeatEvent.actor_id)
        .where(SeatEvent.seat_id == seat_id)
        .where(or_(SeatEvent.kind != "reminded", SeatEvent.actor_id.is_not(None), SeatEvent.learner_id == named))
        .order_by(SeatEvent.id.desc())
    )
    return tuple(
        SeatHistoryRow(at, kind, name or "", by or "", reason) for at, kind, name, by, reason in session.execute(query)
    )
