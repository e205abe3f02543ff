"""The seats of an organisation in numbers."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain.database.cached_counts import CachedCounts
from domain.database.prepared_select import PreparedSelect
from domain.permissions import Tenant
from domain.tables import Contract, ContractProduct, Product, Seat, SeatRequest


@dataclass(frozen=True)
class SeatNumbers:
    """`used`: active or spent. What people have done is counted by months (domain/reports); which seats stand idle is
    told of those alone who share their progress (outlook.py)."""

    free: int = 0
    reserved: int = 0
    used: int = 0
    noticed: int = 0
    waiting: int = 0


_contracts, _seats, _products = Contract.__table__.c, Seat.__table__.c, Product.__table__.c


def _count(state: str) -> Any:
    """The number of seats of a contract in a state. One state at a time: to group as many by state takes three times as
    long."""
    own = (_seats.contract_id == _contracts.id, _seats.state == state)
    return select(func.count()).where(*own).scalar_subquery()


_NUMBERS = PreparedSelect(
    select(*map(_count, ("free", "reserved", "active", "spent"))).where(
        _contracts.organisation_id == bindparam("organisation")
    ),
    tuple,
)


def seat_numbers(session: Session, tenant: Tenant) -> SeatNumbers:
    """How many seats an organisation has in each state, without `noticed` and `waiting`. An index alone answers."""
    contracts = _NUMBERS.all(session, organisation=tenant.organisation_id)
    free, reserved, active, spent = map(sum, zip((0,) * 4, *contracts, strict=True))
    return SeatNumbers(free, reserved, active + spent)


_KEPT: CachedCounts[SeatNumbers] = CachedCounts()


def recent_seat_numbers(session: Session, tenant: Tenant) -> SeatNumbers:
    """`seat_numbers` that may be kept: those of an organisation with many seats are some seconds old."""
    kept = _KEPT.get(tenant.organisation_id)
    if kept is None:
        kept = seat_numbers(session, tenant)
        _KEPT.put(tenant.organisation_id, kept, kept.free + kept.reserved + kept.used)
    return kept


def all_seat_numbers(session: Session, tenant: Tenant) -> SeatNumbers:
    waiting = select(func.count(SeatRequest.id)).join(Contract, Contract.id == SeatRequest.contract_id)
    own = (Contract.organisation_id == tenant.organisation_id, SeatRequest.state == "waiting")
    return replace(
        seat_numbers(session, tenant),
        noticed=session.scalar(_active(tenant).where(Seat.grace_until.is_not(None))) or 0,
        waiting=session.scalar(waiting.where(*own)) or 0,
    )


def _active(tenant: Tenant) -> Select[int]:
    counted = select(func.count(Seat.id)).join(Contract, Contract.id == Seat.contract_id)
    return counted.where(Contract.organisation_id == tenant.organisation_id, Seat.state == "active")


class AssignableContract(NamedTuple):
    """A contract that runs. `seat_kind` as in tables.Contract."""

    id: int
    starts_at: datetime
    seat_kind: str
    has_all_courses: bool


# A list to choose from is no help beyond this.
MAX_CHOICES = 500


_OWN = _contracts.organisation_id == bindparam("organisation")
_RUNS = and_(
    _contracts.starts_at <= bindparam("at"), or_(_contracts.ends_at.is_(None), _contracts.ends_at > bindparam("at"))
)
_RUNNING = PreparedSelect(
    select(*(_contracts[name] for name in AssignableContract._fields)).where(_OWN, _RUNS).order_by(_contracts.id),
    AssignableContract._make,
)
_NAMED = ContractProduct.__table__.c
_COVERED = (
    select(_NAMED.product_id)
    .join_from(ContractProduct.__table__, Contract.__table__, _contracts.id == _NAMED.contract_id)
    .where(_OWN, _RUNS)
)
_COURSES = (
    select(_products.slug, _products.name)
    .where(_products.kind == "course", _products.status == "published")
    .order_by(_products.name, _products.id)
    .limit(MAX_CHOICES)
)
_ALL_COURSES = PreparedSelect(_COURSES, tuple)
_COVERED_COURSES = PreparedSelect(_COURSES.where(_products.id.in_(_COVERED)), tuple)


def running_contracts(session: Session, tenant: Tenant, at: datetime) -> list[AssignableContract]:
    """The contracts of which seats can be assigned now."""
    return _RUNNING.all(session, organisation=tenant.organisation_id, at=at)


def all_courses(session: Session) -> dict[str, str]:
    """Slug -> name, by name, of the courses for which a contract with all courses gives seats."""
    return dict(_ALL_COURSES.all(session))


def covered_courses(session: Session, tenant: Tenant, at: datetime) -> dict[str, str]:
    """Slug -> name, by name, of the courses that the running contracts of an organisation name."""
    return dict(_COVERED_COURSES.all(session, organisation=tenant.organisation_id, at=at))
