"""What managers see of the frozen months of their organisation, and of members who agreed to be named."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Integer, Select, and_, bindparam, exists, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect, SelectByIds, first_number
from domain.permissions import Tenant
from domain.reports.k_anonymity import at_least, is_large_enough, rounded_mean
from domain.seats import activity, naming
from domain.tables import (
    Certificate,
    Contract,
    Enrolment,
    EnrolmentGrant,
    Learner,
    Membership,
    OrganisationMonth,
    Product,
    Seat,
)

NO_TEAM = "Without a team"
# Shown at once; all of them are in the file.
SHOWN_MONTHS = 6
# With all their courses, on one page.
NAMED_MEMBERS = 50


@dataclass(frozen=True)
class MonthFigures:
    """The figures of a course or a team by the end of a month. `learners`: of groups that are large enough and of named
    people, None: there are none. `started`, `completed`: so many or more; None: too few, or too alike, to show.
    `score`: the mean, in percent."""

    name: str
    month: str
    learners: int | None
    started: int | None
    completed: int | None
    score: int | None


@dataclass(frozen=True)
class MonthCosts:
    """The costs of all seats by the end of a month, as they were when it was frozen. `started`, `completed`: courses,
    so many or more; None: too few, or too alike, to show. `cost` None: no seat has a price, or it was not recorded."""

    month: str
    seats: int | None
    unused: int | None
    cost: Decimal | None
    started: int | None
    completed: int | None

    @property
    def per_completion(self) -> Decimal | None:
        """At most so much: what is shown of completions is never too high."""
        if self.cost is None or not self.completed:
            return None
        return self.cost / self.completed


@dataclass(frozen=True)
class OrganisationReport:
    """`months`: the newest first. `courses`, `teams`: by name, then by month as `months`. `costs`: as `months`."""

    months: tuple[str, ...]
    courses: tuple[MonthFigures, ...]
    teams: tuple[MonthFigures, ...]
    costs: tuple[MonthCosts, ...]

    @property
    def newest(self) -> MonthCosts | None:
        return self.costs[0] if self.costs else None


_months, _products = OrganisationMonth.__table__.c, Product.__table__.c


class GroupRow(NamedTuple):
    """A group of people in a month, as tables.OrganisationMonth; `course` is its name. Objects of the thousands that a
    large organisation has would take most of the time of its report."""

    month: str
    team: str | None
    is_named: bool
    learners: int
    started: int
    completed: int
    scored: int
    score: int
    course: str


_GROUPS = PreparedSelect(
    select(*(_months[name] for name in GroupRow._fields[:-1]), _products.name)
    .join(Product.__table__, _products.id == _months.product_id)
    .where(_months.organisation_id == bindparam("organisation"), _months.month >= bindparam("since")),
    GroupRow._make,
)


_NEWEST = PreparedSelect(
    select(_months.id).where(_months.organisation_id == bindparam("organisation")).order_by(_months.id.desc()).limit(1),
    first_number,
)


def newest_row(session: Session, tenant: Tenant) -> int | None:
    """The id of the row that was added last: another one when any month was frozen, also one that a failure had left
    out before later ones. Nothing else changes frozen months."""
    return next(iter(_NEWEST.all(session, organisation=tenant.organisation_id)), None)


def organisation_report(session: Session, tenant: Tenant, k: int, newest: int | None = None) -> OrganisationReport:
    """The frozen months of an organisation: all, or the `newest` so many."""
    own = OrganisationMonth.organisation_id == tenant.organisation_id
    of_all = select(OrganisationMonth).where(own, OrganisationMonth.product_id.is_(None))
    frozen = session.scalars(of_all.order_by(OrganisationMonth.month.desc()).limit(newest)).all()
    since = frozen[-1].month if newest and frozen else ""
    rows = _GROUPS.all(session, organisation=tenant.organisation_id, since=since)
    groups = [_shown(row, k) for row in rows]
    courses = _figures(groups, lambda group: group.course)
    return OrganisationReport(
        months=tuple(sorted({row.month for row in rows}, reverse=True)),
        courses=courses,
        teams=_figures(groups, lambda group: group.team),
        costs=tuple(_costs(row, [figures for figures in courses if figures.month == row.month]) for row in frozen),
    )


def _costs(row: OrganisationMonth, courses: Sequence[MonthFigures]) -> MonthCosts:
    """With sums of what is shown: they say no more than it."""
    started = sum(figures.started or 0 for figures in courses)
    completed = sum(figures.completed or 0 for figures in courses)
    cost = None if row.cost_thousandths is None else Decimal(row.cost_thousandths) / 1_000
    return MonthCosts(row.month, row.seats, row.unused, cost, started or None, completed or None)


class ShownGroup(NamedTuple):
    """What may be shown of a group in a month; 0, of `mean` None: nothing."""

    course: str
    team: str
    month: str
    learners: int
    started: int
    completed: int
    mean: int | None


def _shown(row: GroupRow, k: int) -> ShownGroup:
    """What is known of named people anyway is shown as it is."""
    figures: tuple[int, int, int, int | None] = (0, 0, 0, None)
    if row.is_named:
        figures = (row.learners, row.started, row.completed, None)
    elif is_large_enough(row.learners, k):
        started, completed = (at_least(row.learners, number, k) or 0 for number in (row.started, row.completed))
        figures = (row.learners, started, completed, rounded_mean(row.score, row.scored, row.learners, k))
    return ShownGroup(row.course, row.team or NO_TEAM, row.month, *figures)


def _figures(groups: Iterable[ShownGroup], name_of: Callable[[ShownGroup], str]) -> tuple[MonthFigures, ...]:
    """Sums of what may be shown of each group: no total says more than its groups."""
    found: defaultdict[tuple[str, str], list[ShownGroup]] = defaultdict(list)
    for group in groups:
        found[name_of(group), group.month].append(group)
    rows = [_sums(name, month, members) for (name, month), members in found.items()]
    return tuple(sorted(sorted(rows, key=lambda row: row.month, reverse=True), key=lambda row: row.name))


def _sums(name: str, month: str, groups: Sequence[ShownGroup]) -> MonthFigures:
    means = [group.mean for group in groups if group.mean is not None]
    return MonthFigures(
        name=name,
        month=month,
        learners=sum(group.learners for group in groups) or None,
        started=sum(group.started for group in groups) or None,
        completed=sum(group.completed for group in groups) or None,
        # The mean of what is shown of each group, for the same reason.
        score=5 * round(sum(means) / len(means) / 5) if means else None,
    )


class NamedProgress(NamedTuple):
    """A course of a seat, of a member who agreed. `week`: of the last activity, such as 2026-W48."""

    name: str
    course: str
    assigned_at: datetime | None
    is_started: bool
    week: str | None
    percent: int
    completed_at: datetime | None
    has_certificate: bool


class NamedPage(NamedTuple):
    """`is_more`: others follow on the next page."""

    rows: tuple[NamedProgress, ...]
    is_more: bool


def named_progress(session: Session, tenant: Tenant, page: int = 1) -> NamedPage:
    """Members by name, where the contract shows names and they agreed, on a page that counts from 1; but nobody in a
    course in which months count them in a group. Never answers, scores, notes or purchases. They come in the order in
    which they joined: to sort all of them by name would take most of the time of the report."""
    bounds = {"size": NAMED_MEMBERS + 1, "skipped": (page - 1) * NAMED_MEMBERS}
    members = _AGREED.all(session, organisation=tenant.organisation_id, **bounds)
    rows = _NAMED.all(session, members[:NAMED_MEMBERS])
    percents = activity.percent_of(session, [activity.CourseOfSeat._make(row[:6]) for row in rows])
    return NamedPage(tuple(_progress(row, percents[row[0], row[1]]) for row in rows), len(members) > NAMED_MEMBERS)


_IS_OF_MEMBER = (
    Enrolment.learner_id == Membership.learner_id,
    Seat.learner_id == Membership.learner_id,
    Contract.organisation_id == Membership.organisation_id,
)


def _courses(*columns: Any) -> Select[Any]:
    """Columns of the courses of seats, where their holders may be named."""
    opens = (
        # Not the plain column: SQLite would begin with all grants of seats, for which it has an index, and not with
        # those of one person.
        EnrolmentGrant.source + "" == "seat",
        EnrolmentGrant.source_id == Seat.id,
        EnrolmentGrant.ended_at.is_(None),
    )
    return (
        select(*columns)
        .select_from(Seat)
        .join(Contract, Contract.id == Seat.contract_id)
        .join(EnrolmentGrant, and_(*opens))
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .where(
            Contract.shows_names,
            ~naming.is_in_group(Contract.organisation_id, Enrolment.learner_id, Enrolment.product_id),
        )
    )


def _named(members: Sequence[BindParameter[int]]) -> Select[Any]:
    """Columns of CourseOfSeat, then of who it is."""
    has_certificate = exists().where(Certificate.enrolment_id == Enrolment.id, Certificate.revoked_at.is_(None))
    course = (Enrolment.product_id, Enrolment.started_at, Enrolment.last_active_at, Enrolment.completed_at)
    person = (Seat.assigned_at, Learner.name, Learner.email, Product.name, has_certificate)
    return (
        _courses(Seat.id, *course, Enrolment.done_lessons, *person)
        .join(Learner, Learner.id == Seat.learner_id)
        .join(Product, Product.id == Enrolment.product_id)
        .join(Membership, and_(*_IS_OF_MEMBER))
        .where(Membership.id.in_(members))
        .order_by(Membership.id, Product.name, Seat.id)
    )


_AGREED = PreparedSelect(
    select(Membership.__table__.c.id)
    .where(
        *(Membership.organisation_id == bindparam("organisation"), Membership.shares_progress),
        *(Membership.ended_at.is_(None), _courses(Seat.id).where(*_IS_OF_MEMBER).exists()),
    )
    .order_by(Membership.id)
    .limit(bindparam("size", type_=Integer))
    .offset(bindparam("skipped", type_=Integer)),
    first_number,
)
_NAMED: SelectByIds[tuple[Any, ...]] = SelectByIds(_named, tuple)


def _progress(row: Sequence[Any], percent: int) -> NamedProgress:
    _, _, started_at, last_active_at, completed_at, _, assigned_at, name, email, course, has_certificate = row
    return NamedProgress(
        name=name or email,
        course=course,
        assigned_at=assigned_at,
        is_started=started_at is not None,
        week=None if last_active_at is None else f"{last_active_at:%G-W%V}",
        percent=percent,
        completed_at=completed_at,
        has_certificate=has_certificate,
    )
