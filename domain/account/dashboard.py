"""Everything that a learner has, at a glance: in seven statements, however much it is."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, func, select
from sqlalchemy.orm import Session

from domain.catalogue.scope import CatalogueScope
from domain.database.prepared_select import PreparedSelect, first_number
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates.certificate_views import LearnerCertificates
from domain.learning.grants import END_NOTICE
from domain.learning.views.courses import number_of_courses, own_courses
from domain.learning.views.recommendations import Recommendation, recommended
from domain.learning.views.records import CourseSummary
from domain.orders import materials
from domain.orders.materials import Material
from domain.orders.views.records import Returned
from domain.orders.views.state_texts import state_text
from domain.tables import Order, OrderLine, Refund

PAGE_SIZE = 24
SHOWN_ORDERS = 5
SHOWN_MATERIALS = 4
# Between reason and state of a refund.
PAIR = ":"
SHOWN_ONGOING = 3


class _StoredOrder(NamedTuple):
    """What the text of an order's state needs, and what was ordered: the name of the first line and the number of
    lines, without delivery. `refunds`: reason and state of each, separated by commas."""

    code: str
    placed_at: datetime
    state: str
    total_minor: int
    currency: str
    refunded_minor: int
    disputed_at: datetime | None
    first_name: str | None
    lines: int
    refunds: str | None


_orders, _lines, _refunds = Order.__table__.c, OrderLine.__table__.c, Refund.__table__.c
_IS_ORDERED = (_lines.order_id == _orders.id, _lines.kind != "delivery")
_ORDERS = PreparedSelect(
    select(
        *(_orders[name] for name in _StoredOrder._fields[:-3]),
        select(_lines.name).where(*_IS_ORDERED).order_by(_lines.number).limit(1).scalar_subquery(),
        select(func.count(_lines.id)).where(*_IS_ORDERED).scalar_subquery(),
        select(func.group_concat(_refunds.reason + PAIR + _refunds.state))
        .where(_refunds.order_id == _orders.id)
        .scalar_subquery(),
    )
    .where(_orders.learner_id == bindparam("learner"))
    .order_by(_orders.placed_at.desc(), _orders.id.desc())
    .limit(bindparam("most", type_=Integer))
    .offset(bindparam("first", type_=Integer)),
    _StoredOrder._make,
)
_NUMBER_OF_ORDERS = PreparedSelect(
    select(func.count(_orders.id)).where(_orders.learner_id == bindparam("learner")), first_number
)


@dataclass(frozen=True)
class OwnOrder:
    """`what`: what was ordered, in words. `total` in minor units."""

    code: str
    what: str
    placed_at: datetime
    state_text: str
    total: int
    currency: str


@dataclass(frozen=True)
class Dashboard:
    """`courses`: the newest PAGE_SIZE; `ongoing`: up to three of them to go on with. `materials`: the newest
    SHOWN_MATERIALS."""

    courses: tuple[CourseSummary, ...]
    has_more_courses: bool
    materials: tuple[Material, ...]
    has_more_materials: bool
    orders: tuple[OwnOrder, ...]
    has_more_orders: bool
    recommended: tuple[Recommendation, ...]
    certificates: LearnerCertificates
    at: datetime

    @property
    def ongoing(self) -> tuple[CourseSummary, ...]:
        begun = (course for course in self.courses if course.state in ("new", "underway") and course.outline.lessons)
        return tuple(begun)[:SHOWN_ONGOING]

    @property
    def ending_soon(self) -> tuple[CourseSummary, ...]:
        last = self.at + END_NOTICE
        ends = [(course.enrolment.access_until, course) for course in self.courses if course.has_access]
        return tuple(course for until, course in ends if until is not None and until <= last)

    @property
    def nearest_certificate(self) -> CourseSummary | None:
        """The course under way that needs the fewest lessons to be completed."""
        begun = [course for course in self.courses if course.state == "underway" and course.shared.rule.has_certificate]
        return min(begun, key=lambda course: len(course.status.missing), default=None)


def dashboard(session: Session, learner_id: int, at: datetime, scope: CatalogueScope | None = None) -> Dashboard:
    """`scope`: what a restricted learner may see of the catalogue."""
    courses = own_courses(session, learner_id, at, limit=PAGE_SIZE + 1)
    orders = newest_orders(session, learner_id, SHOWN_ORDERS + 1)
    # Whoever has ordered nothing has none.
    bought = materials.newest(session, learner_id, SHOWN_MATERIALS + 1) if orders else ()
    return Dashboard(
        courses=courses[:PAGE_SIZE],
        has_more_courses=len(courses) > PAGE_SIZE,
        materials=bought[:SHOWN_MATERIALS],
        has_more_materials=len(bought) > SHOWN_MATERIALS,
        orders=orders[:SHOWN_ORDERS],
        has_more_orders=len(orders) > SHOWN_ORDERS,
        recommended=recommended(session, learner_id, courses, scope),
        certificates=certificate_reading.of_learner(session, learner_id, at),
        at=at,
    )


def page_of_courses(
    session: Session, learner_id: int, page: int, at: datetime
) -> tuple[tuple[CourseSummary, ...], int]:
    """A page of all courses, and how many pages there are: at least 1. `page` counts from 1."""
    pages = max(1, -(-number_of_courses(session, learner_id) // PAGE_SIZE))
    if page > pages:
        return (), pages
    return own_courses(session, learner_id, at, limit=PAGE_SIZE, offset=(page - 1) * PAGE_SIZE), pages


def page_of_orders(session: Session, learner_id: int, page: int) -> tuple[tuple[OwnOrder, ...], int]:
    """A page of the learner's orders, and how many pages there are: at least 1. `page` counts from 1."""
    [number] = _NUMBER_OF_ORDERS.all(session, learner=learner_id)
    pages = max(1, -(-number // PAGE_SIZE))
    return newest_orders(session, learner_id, PAGE_SIZE, (page - 1) * PAGE_SIZE) if page <= pages else (), pages


def newest_orders(session: Session, learner_id: int, limit: int, offset: int = 0) -> tuple[OwnOrder, ...]:
    return tuple(_order(row) for row in _ORDERS.all(session, learner=learner_id, most=limit, first=offset))


def _order(row: _StoredOrder) -> OwnOrder:
    refunds = [Returned(*pair.split(PAIR)) for pair in row.refunds.split(",")] if row.refunds else ()
    text = state_text(row, refunds, can_pay=True).text
    return OwnOrder(row.code, _what(row), row.placed_at, text, row.total_minor, row.currency)


def _what(row: _StoredOrder) -> str:
    others = row.lines - 1
    return f"{row.first_name or ''} and {others} more" if others > 0 else row.first_name or ""
