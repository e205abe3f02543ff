"""Everything that a learner has, at a glance: in seven statements, however much it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session, load_only

from domain.catalogue import CatalogueScope
from domain.learning import certificates
from domain.learning.certificates import LearnerCertificates
from domain.learning.views.courses import number_of_courses, own_courses
from domain.learning.views.recommendations import Recommendation, recommended
from domain.learning.views.records import OwnCourse
from domain.orders.views import Returned, state_text
from domain.tables import Membership, Order, Organisation, Refund

PAGE_SIZE = 24
SHOWN_ORDERS = 5
# Between reason and state of a refund.
PAIR = ":"
SHOWN_ONGOING = 3
# Access that ends within this time is told.
ENDS_SOON = timedelta(days=14)


@dataclass(frozen=True)
class OrderRow:
    """`total` in minor units."""

    code: str
    placed_at: datetime
    state_text: str
    total: int
    currency: str


@dataclass(frozen=True)
class OwnOrganisation:
    """`logo`: a path on this site."""

    name: str
    logo: str


@dataclass(frozen=True)
class Dashboard:
    """`courses`: the newest PAGE_SIZE; `ongoing`: up to three of them to go on with."""

    organisations: tuple[OwnOrganisation, ...]
    courses: tuple[OwnCourse, ...]
    has_more_courses: bool
    orders: tuple[OrderRow, ...]
    has_more_orders: bool
    recommended: tuple[Recommendation, ...]
    certificates: LearnerCertificates
    at: datetime

    @property
    def ongoing(self) -> tuple[OwnCourse, ...]:
        return tuple(course for course in self.courses if course.state in ("new", "underway"))[:SHOWN_ONGOING]

    @property
    def ending_soon(self) -> tuple[OwnCourse, ...]:
        last = self.at + ENDS_SOON
        ends = [(course.row.access_until, course) for course in self.courses if course.has_access]
        return tuple(course for until, course in ends if until is not None and until <= last)

    @property
    def nearest_certificate(self) -> OwnCourse | None:
        """The course under way that needs the fewest lessons to be completed."""
        begun = [course for course in self.courses if course.state == "underway" and course.rule.has_certificate]
        return min(begun, key=lambda course: len(course.status.missing), default=None)


def dashboard(session: Session, learner_id: int, at: datetime, scope: CatalogueScope | None = None) -> Dashboard:
    """`scope`: what a restricted learner may see of the catalogue."""
    courses = own_courses(session, learner_id, at, limit=PAGE_SIZE + 1)
    orders = newest_orders(session, learner_id, SHOWN_ORDERS + 1)
    return Dashboard(
        organisations=_organisations(session, learner_id),
        courses=courses[:PAGE_SIZE],
        has_more_courses=len(courses) > PAGE_SIZE,
        orders=orders[:SHOWN_ORDERS],
        has_more_orders=len(orders) > SHOWN_ORDERS,
        recommended=recommended(session, learner_id, courses, scope),
        certificates=certificates.of_learner(session, learner_id, at),
        at=at,
    )


def page_of_courses(session: Session, learner_id: int, page: int, at: datetime) -> tuple[tuple[OwnCourse, ...], int]:
    """A page of all courses, and how many pages there are: at least 1. `page` counts from 1."""
    pages = max(1, -(-number_of_courses(session, learner_id) // PAGE_SIZE))
    if page > pages:
        return (), pages
    return own_courses(session, learner_id, at, limit=PAGE_SIZE, offset=(page - 1) * PAGE_SIZE), pages


def page_of_orders(session: Session, learner_id: int, page: int) -> tuple[tuple[OrderRow, ...], int]:
    """The same of the learner's orders."""
    number = session.scalar(select(func.count(Order.id)).where(Order.learner_id == learner_id)) or 0
    pages = max(1, -(-number // PAGE_SIZE))
    return newest_orders(session, learner_id, PAGE_SIZE, (page - 1) * PAGE_SIZE) if page <= pages else (), pages


def newest_orders(session: Session, learner_id: int, limit: int, offset: int = 0) -> tuple[OrderRow, ...]:
    pair = Refund.reason + PAIR + Refund.state
    refunds = select(func.group_concat(pair)).where(Refund.order_id == Order.id).scalar_subquery()
    columns = (Order.code, Order.placed_at, Order.state, Order.total_minor, Order.currency, Order.refunded_minor)
    query = (
        select(Order, refunds)
        .options(load_only(*columns, Order.disputed_at))
        .where(Order.learner_id == learner_id)
        .order_by(Order.placed_at.desc(), Order.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return tuple(_order(order, pairs.split(",") if pairs else ()) for order, pairs in session.execute(query))


def _order(order: Order, pairs: Sequence[str]) -> OrderRow:
    """`pairs`: reason and state of each refund."""
    text = state_text(order, [Returned(*pair.split(PAIR)) for pair in pairs], can_pay=True).text
    return OrderRow(order.code, order.placed_at, text, order.total_minor, order.currency)


def _organisations(session: Session, learner_id: int) -> tuple[OwnOrganisation, ...]:
    query = (
        select(Organisation.name, Organisation.logo)
        .join(Membership, Membership.organisation_id == Organisation.id)
        .where(Membership.learner_id == learner_id, Organisation.state == "approved")
    )
    return tuple(OwnOrganisation(name, logo) for name, logo in session.execute(query.order_by(Membership.id)))
