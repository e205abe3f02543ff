"""Retired courses and items as a list for staff: why, who still has access, and what the page answers until when."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from sqlalchemy import ColumnElement, ScalarSelect, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import aliased

from domain.catalogue.retirement import last_activity_column
from domain.catalogue.retirement_rules import (
    QUIET_PERIOD,
    Answer,
    NextStatus,
    RetiredPage,
    RetirementChoice,
    RetirementStatus,
    next_status,
    proposal,
    retirement_status,
)
from domain.database.list_page import ListSource
from domain.staff.recorded_events import latest_about
from domain.tables import CourseClosure, Enrolment, Product, RetiredPageVisit
from domain.tables.base import UTCTime


@dataclass
class RetiredRow:
    """`reason` None: retired by a command or an import. `owners`: learners who have access now.
    `last_active_at`: of its page. `closes_at`: when access ends for everybody, as was announced. `successor`: the name
    of the one on sale, looked for three steps far. `choice_reason`: of the staff, "" for auto. `at`: when it was read.
    """

    at: datetime
    id: int
    kind: str
    name: str
    retired_at: datetime
    reason: str | None
    owners: int
    last_active_at: datetime
    closes_at: datetime | None
    choice: RetirementChoice
    choice_reason: str
    successor: str | None

    page: RetiredPage = field(init=False)
    status: RetirementStatus = field(init=False)
    next_status: NextStatus | None = field(init=False)

    def __post_init__(self) -> None:
        # Lists show all three. Python 3.11 takes a lock for each cached_property, longer than they need.
        self.page = page = RetiredPage(self.kind, self.choice, self.last_active_at, self.successor is not None)
        self.status = retirement_status(page, self.at)
        self.next_status = next_status(page, self.at)

    @property
    def proposed(self) -> Answer | None:
        """Where the rule decides and another answer would suit better."""
        if self.choice != "auto":
            return None
        wanted = proposal(self.page, 0, self.successor or "", self.at).choice
        return None if wanted == self.status else wanted


def _named(text: str) -> ColumnElement[bool]:
    return Product.name.icontains(text, autoescape=True)


def _successor_on_sale() -> ScalarSelect[str]:
    """The name of the next published product in the chain of successors."""
    steps = [aliased(Product) for _ in range(_STEPS)]
    names = [(step.status == "published", step.name) for step in steps]
    query = select(case(*names)).where(steps[0].id == Product.successor_id).select_from(steps[0])
    for before, step in pairwise(steps):
        query = query.outerjoin(step, step.id == before.successor_id)
    return query.correlate(Product).scalar_subquery()


def _is_proposed(_value: str) -> ColumnElement[bool]:
    """As `proposed` is not None: a quiet course that has a successor."""
    is_quiet = last_activity_column() <= bindparam("quiet_since", type_=UTCTime())
    is_by_rule = and_(Product.kind == "course", Product.retirement_choice == "auto")
    return and_(is_by_rule, is_quiet, _successor_on_sale().is_not(None))


# A longer chain of successors is not followed here: the page itself follows it.
_STEPS = 3
_RETIRED_AT = func.coalesce(Product.retired_at, Product.updated_at, type_=Product.updated_at.type)
_REASON = latest_about("retire", Product.kind.expression, Product.id.expression, "reason")


def retired_list(clock: Callable[[], datetime]) -> ListSource[RetiredRow]:
    """`clock`: asked each time the list is read."""
    now = bindparam("now", type_=Enrolment.access_until.type)
    has_access = or_(Enrolment.access_until.is_(None), Enrolment.access_until > now)
    owners = select(func.count()).where(Enrolment.product_id == Product.id, has_access)
    return ListSource(
        rows=select(
            *(Product.id, Product.kind, Product.name, _RETIRED_AT, _REASON),
            *(owners.scalar_subquery(), last_activity_column(), CourseClosure.ends_at),
            *(Product.retirement_choice, Product.retirement_reason, _successor_on_sale()),
        )
        .outerjoin(RetiredPageVisit, RetiredPageVisit.product_id == Product.id)
        .outerjoin(CourseClosure, (CourseClosure.course_id == Product.id) & CourseClosure.cancelled_at.is_(None))
        .where(Product.status == "retired"),
        make=lambda cells: RetiredRow(clock(), *cells),
        key=Product.__table__.c.id,
        filters={
            "q": _named,
            "kind": Product.kind.__eq__,
            "decided": Product.retirement_choice.__eq__,
            "proposed": _is_proposed,
        },
        parameters={"now": clock, "quiet_since": lambda: clock() - QUIET_PERIOD},
        # Owners are counted, and reasons looked for, of the shown ones.
        is_sorted_first=True,
    )
