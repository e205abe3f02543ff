"""How many seats of an organisation will stand idle by the end of the next month, for its managers.

It is reckoned from what they see of each seat anyway, and from nothing else: of a holder who does not share their
progress from the days of assignment, pause and confirmation alone, of others from the week of the last activity
(docs/decisions/0136)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.database.cached_counts import CachedCounts
from domain.permissions import Tenant
from domain.seats import activity, daily
from domain.seats.fairness import DAY, HeldSeat, idle_since
from domain.seats.forecast import (
    Forecast,
    PacedSeat,
    can_stand_idle,
    end_of_next_month,
    forecast,
    outlook,
)
from domain.seats.views.seat_list import IS_SHARED
from domain.tables import Contract, Learner, Product, Seat

# Those that have been unused longest: to look at more at once is what the list of seats is for.
MAX_LISTED = 50


class ExpectedSeat(NamedTuple):
    """A seat that is expected to stand idle, of a holder who shares their progress. `is_started` False: it will not be
    begun; `unused_since` is the day or the beginning of the week since which nothing was done or said."""

    id: int
    number: int
    person: str
    course: str | None
    is_started: bool
    unused_since: datetime


@dataclass(frozen=True)
class CourseOutlook:
    """Seats of a contract that are in use, of one course; `course` None: for people. `last_day`: by the end of it, the
    contract's last if that comes first. `shared`: of holders who share their progress, whom `forecast` is about. Of
    the others `others_at_most` can stand idle by then."""

    contract_id: int
    contract_since: datetime
    course: str | None
    last_day: datetime
    ends_with_contract: bool
    seats: int
    shared: int
    others_at_most: int
    forecast: Forecast


@dataclass(frozen=True)
class SeatOutlook:
    """`last_day`: of the next month. `courses`: by contract, then by name. `expected`: the longest unused first."""

    last_day: datetime
    courses: tuple[CourseOutlook, ...]
    expected: tuple[ExpectedSeat, ...]

    @property
    def seats(self) -> int:
        return sum(row.seats for row in self.courses)

    @property
    def shared(self) -> int:
        return sum(row.shared for row in self.courses)

    @property
    def others_at_most(self) -> int:
        return sum(row.others_at_most for row in self.courses)

    @property
    def forecast(self) -> Forecast:
        total = Forecast()
        for row in self.courses:
            total = total.plus(row.forecast)
        return total


class _SeatInUse(NamedTuple):
    seat: Seat
    is_shared: bool
    person: str
    course: str | None


# A forecast by weeks, for which all seats are read: of 10,000 that takes half a second.
FORECAST_STAYS_S = 300.0
_KEPT: CachedCounts[SeatOutlook] = CachedCounts(FORECAST_STAYS_S)


def recent_outlook(session: Session, tenant: Tenant, at: datetime) -> SeatOutlook:
    """`seat_outlook` that may be kept: that of an organisation with many seats is at most FORECAST_STAYS_S old."""
    kept = _KEPT.get(tenant.organisation_id)
    if kept is None:
        kept = seat_outlook(session, tenant, at)
        _KEPT.put(tenant.organisation_id, kept, kept.seats)
    return kept


def seat_outlook(session: Session, tenant: Tenant, at: datetime) -> SeatOutlook:
    """What is expected of the seats of all contracts that run."""
    until = end_of_next_month(at)
    is_open = or_(Contract.ends_at.is_(None), Contract.ends_at > at)
    own = (Contract.organisation_id == tenant.organisation_id, Contract.starts_at <= at, is_open)
    courses: list[CourseOutlook] = []
    expected: list[ExpectedSeat] = []
    for contract in session.scalars(select(Contract).where(*own).order_by(Contract.id)).all():
        rows = _in_use(session, contract)
        paced = _paced(session, contract, rows, at)
        of_contract = _CourseOutlooks(contract, at, until)
        courses += of_contract.by_course(rows, paced)
        expected += of_contract.expected(rows, paced)
    expected.sort(key=lambda row: (row.unused_since, row.id))
    return SeatOutlook(until - DAY, tuple(courses), tuple(expected[:MAX_LISTED]))


def _in_use(session: Session, contract: Contract) -> list[_SeatInUse]:
    query = (
        select(Seat, IS_SHARED, Learner.name, Learner.email, Product.name)
        .join(Contract, Contract.id == Seat.contract_id)
        .join(Learner, Learner.id == Seat.learner_id)
        .outerjoin(Product, Product.id == Seat.product_id)
        .where(Seat.contract_id == contract.id, Seat.state == "active")
        .order_by(Seat.number)
    )
    return [
        _SeatInUse(seat, bool(is_shared), name or email, course)
        for seat, is_shared, name, email, course in session.execute(query)
    ]


def _paced(session: Session, contract: Contract, rows: Sequence[_SeatInUse], at: datetime) -> dict[int, PacedSeat]:
    """Seat -> what managers see of it, of those whose holders share their progress."""
    shared = [row.seat for row in rows if row.is_shared]
    return {seat.held.id: _as_seen(seat) for seat in activity.paced_seats(session, contract, shared, at)}


def _as_seen(seat: PacedSeat) -> PacedSeat:
    """Times of what the holder did by their week, never by the day."""
    held = seat.held
    return replace(
        seat, held=replace(held, started_at=_week(held.started_at), last_active_at=_week(held.last_active_at))
    )


def _week(at: datetime | None) -> datetime | None:
    """The beginning of its Monday."""
    return at and (at - timedelta(days=at.weekday())).replace(hour=0, minute=0, second=0, microsecond=0)


class _CourseOutlooks:
    """What is expected of the seats of one contract."""

    def __init__(self, contract: Contract, at: datetime, until: datetime):
        self._contract, self._at = contract, at
        self._until = until if contract.ends_at is None else min(until, contract.ends_at)
        self._ends_first = self._until < until
        self._terms = daily.terms_of(contract)

    def by_course(self, rows: Sequence[_SeatInUse], paced: dict[int, PacedSeat]) -> list[CourseOutlook]:
        found: defaultdict[str | None, list[_SeatInUse]] = defaultdict(list)
        for row in rows:
            found[row.course].append(row)
        return [self._of_course(course, found[course], paced) for course in sorted(found, key=lambda name: name or "")]

    def _of_course(self, course: str | None, rows: Sequence[_SeatInUse], paced: dict[int, PacedSeat]) -> CourseOutlook:
        shared = [paced[row.seat.id] for row in rows if row.is_shared]
        others = [self._without_progress(row.seat) for row in rows if not row.is_shared]
        return CourseOutlook(
            contract_id=self._contract.id,
            contract_since=self._contract.starts_at,
            course=course,
            last_day=self._until if self._ends_first else self._until - DAY,
            ends_with_contract=self._ends_first,
            seats=len(rows),
            shared=len(shared),
            others_at_most=sum(can_stand_idle(held, self._terms, self._until) for held in others),
            forecast=forecast(shared, self._terms, self._at, self._until),
        )

    def expected(self, rows: Sequence[_SeatInUse], paced: dict[int, PacedSeat]) -> Iterator[ExpectedSeat]:
        for row in rows:
            seat = paced.get(row.seat.id)
            if seat is None or outlook(seat, self._terms, self._at, self._until) not in ("not_started", "idle"):
                continue
            is_started, since = seat.held.started_at is not None, idle_since(seat.held)
            yield ExpectedSeat(row.seat.id, row.seat.number, row.person, row.course, is_started, since)

    def _without_progress(self, seat: Seat) -> HeldSeat:
        """What every manager sees of a seat that somebody has."""
        times: dict[str, Any] = {"confirmed_at": seat.confirmed_at, "paused_until": seat.paused_until}
        return HeldSeat(seat.id, seat.number, seat.assigned_at or self._contract.starts_at, **times)
