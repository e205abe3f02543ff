"""Everything that support sees of one learner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.identity import sessions
from domain.identity.sessions import ActiveSession
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates.certificate_views import LearnerCertificates
from domain.learning.views.courses import own_courses
from domain.learning.views.records import CourseSummary
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.support.learners.mails import LearnerMail, mails_of
from domain.tables import (
    Enrolment,
    EnrolmentGrant,
    Gift,
    Learner,
    Membership,
    Order,
    OrderLine,
    Organisation,
    Product,
)

UNKNOWN = "There is no such learner."
# The newest of each; nobody reads more on a page.
MAX_ROWS = 200
MAX_COURSES = 100


class SupportedPerson(NamedTuple):
    """`is_erased`: the account was deleted; what has to be kept names nobody."""

    id: int
    name: str
    email: str
    email_verified: bool
    student_number: str
    created_at: datetime
    is_erased: bool


class GrantRow(NamedTuple):
    """`source`: order, seat or gift. `order_code`: of the order that it came from. `message`: of the gift; of one by
    staff it is their reason. `reason`: why the grant ended. `is_open`: neither ended nor over."""

    id: int
    course_id: int
    course: str
    source: str
    order_code: str | None
    message: str | None
    is_by_staff: bool
    granted_at: datetime
    until: datetime | None
    ended_at: datetime | None
    reason: str
    is_open: bool


class LearnerOrder(NamedTuple):
    """Amounts in minor units."""

    code: str
    state: str
    placed_at: datetime
    total: int
    refunded: int


class LearnerMembership(NamedTuple):
    """`ended_at` None: a member now."""

    id: int
    organisation: str
    role: str
    is_restricted: bool
    joined_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class LearnerPage:
    person: SupportedPerson
    courses: tuple[CourseSummary, ...]
    grants: list[GrantRow]
    certificates: LearnerCertificates
    orders: list[LearnerOrder]
    memberships: list[LearnerMembership]
    sessions: list[ActiveSession]
    mails: list[LearnerMail]
    events: list[AuditEntry]


def open_page(session: Session, learner_id: int, at: datetime) -> LearnerPage:
    """The page of a learner, for `Database.write_as`: it is recorded who has opened it. Raises NotFound."""
    found = _page(session, learner_id, at)
    recording.record(session, "learner.open", Subject("learner", learner_id))
    return found


def person(session: Session, learner_id: int) -> SupportedPerson:
    """Raises NotFound."""
    row = session.get(Learner, learner_id, populate_existing=True)
    if row is None:
        raise NotFound(UNKNOWN)
    about = (row.id, row.name, row.email, row.email_verified, row.student_number.upper(), row.created_at)
    return SupportedPerson(*about, is_erased=not row.issuer)


def _page(session: Session, learner_id: int, at: datetime) -> LearnerPage:
    found = person(session, learner_id)
    return LearnerPage(
        person=found,
        courses=own_courses(session, learner_id, at, limit=MAX_COURSES),
        grants=_grants(session, learner_id, at),
        certificates=certificate_reading.of_learner(session, learner_id, at),
        orders=_orders(session, learner_id),
        memberships=_memberships(session, learner_id),
        sessions=sessions.active(session, learner_id, at),
        mails=mails_of(session, learner_id),
        events=[*subject_entries(session, Subject("learner", learner_id))],
    )


def _grants(session: Session, learner_id: int, at: datetime) -> list[GrantRow]:
    """The newest first."""
    line = and_(EnrolmentGrant.source == "order", OrderLine.id == EnrolmentGrant.source_id)
    gift = and_(EnrolmentGrant.source == "gift", Gift.id == EnrolmentGrant.source_id)
    columns: tuple[Any, ...] = (
        *(EnrolmentGrant.id, Enrolment.product_id, Product.name, EnrolmentGrant.source, Order.code, Gift.message),
        and_(Gift.id.is_not(None), Gift.order_line_id.is_(None)),
        *(EnrolmentGrant.granted_at, EnrolmentGrant.until, EnrolmentGrant.ended_at, EnrolmentGrant.reason),
        and_(EnrolmentGrant.ended_at.is_(None), or_(EnrolmentGrant.until.is_(None), EnrolmentGrant.until > at)),
    )
    query = (
        select(*columns)
        .select_from(EnrolmentGrant)
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .join(Product, Product.id == Enrolment.product_id)
        .outerjoin(OrderLine, line)
        .outerjoin(Order, Order.id == OrderLine.order_id)
        .outerjoin(Gift, gift)
        .where(Enrolment.learner_id == learner_id)
        .order_by(EnrolmentGrant.id.desc())
        .limit(MAX_ROWS)
    )
    return [GrantRow._make((*row[:6], bool(row[6]), *row[7:-1], bool(row[-1]))) for row in session.execute(query)]


def _orders(session: Session, learner_id: int) -> list[LearnerOrder]:
    columns = (Order.code, Order.state, Order.placed_at, Order.total_minor, Order.refunded_minor)
    query = select(*columns).where(Order.learner_id == learner_id).order_by(Order.id.desc()).limit(MAX_ROWS)
    return [LearnerOrder(*row) for row in session.execute(query)]


def _memberships(session: Session, learner_id: int) -> list[LearnerMembership]:
    columns = (Membership.id, Organisation.name, Membership.role, Membership.is_restricted)
    query = select(*columns, Membership.joined_at, Membership.ended_at)
    query = query.join(Organisation, Organisation.id == Membership.organisation_id)
    rows = session.execute(query.where(Membership.learner_id == learner_id).order_by(Membership.id))
    return [LearnerMembership(*row) for row in rows]
