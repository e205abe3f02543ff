"""The seats of an organisation as a list, and the members who wait for one."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, literal, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.database.prepared_select import PreparedSelect
from domain.permissions import Tenant
from domain.seats import naming
from domain.tables import Contract, Invitation, Learner, Membership, Product, Seat, SeatRequest

STATES = ("free", "reserved", "active", "spent")
_seats, _contracts = Seat.__table__.c, Contract.__table__.c
_HOLDER, _COURSE = Learner.id == _seats.learner_id, Product.id == _seats.product_id
# By other names than filters use.
_holders, _courses = Learner.__table__.alias("holders"), Product.__table__.alias("seat_courses")
_invitations = Invitation.__table__.alias("seat_invitations")


class SeatRow(NamedTuple):
    """`invited`: the address of the invitation that the seat is set aside for. `last_active_at`: of holders who agreed
    that managers see it, where the contract shows names and no month counts them in a group; `is_shared`: so it is."""

    id: int
    number: int
    contract_id: int
    state: str
    name: str | None
    email: str | None
    invited: str | None
    course: str | None
    assigned_at: datetime | None
    last_active_at: datetime | None
    grace_until: datetime | None
    paused_until: datetime | None
    is_shared: bool


def _row(cells: Iterable[Any]) -> SeatRow:
    row = SeatRow._make(cells)
    return row if row.is_shared or row.last_active_at is None else row._replace(last_active_at=None)


def _by_person(text: str) -> ColumnElement[bool]:
    is_named = Learner.name.contains(text, autoescape=True) | (Learner.email == text.casefold())
    return select(Learner.id).where(_HOLDER, is_named).exists()


def _by_course(text: str) -> ColumnElement[bool]:
    return select(Product.id).where(_COURSE, Product.name.contains(text, autoescape=True)).exists()


_AGREED = (
    select(Membership.id)
    .where(
        *(Membership.learner_id == _seats.learner_id, Membership.organisation_id == _contracts.organisation_id),
        *(Membership.ended_at.is_(None), Membership.shares_progress),
    )
    .exists()
)
# Managers see how far the holder is.
IS_SHARED = (
    _contracts.shows_names
    & _AGREED
    & ~naming.is_in_group(_contracts.organisation_id, _seats.learner_id, _seats.product_id)
)

# Without those that were removed. Ranges of the index take less to count than what is not equal.
_IS_LISTED = _seats.state.in_([literal(state) for state in STATES])

SEATS = ListSource(
    rows=select(
        *(_seats.id, _seats.number, _seats.contract_id, _seats.state),
        *(_holders.c.name, _holders.c.email, _invitations.c.email_key, _courses.c.name),
        *(_seats.assigned_at, _seats.last_active_at, _seats.grace_until, _seats.paused_until),
        IS_SHARED,
    )
    .join_from(Seat.__table__, Contract.__table__, _contracts.id == _seats.contract_id)
    .outerjoin(_holders, _holders.c.id == _seats.learner_id)
    .outerjoin(_invitations, (_invitations.c.id == _seats.invitation_id) & (_seats.state == "reserved"))
    .outerjoin(_courses, _courses.c.id == _seats.product_id)
    .where(_IS_LISTED),
    counted=select(_seats.id)
    .join_from(Seat.__table__, Contract.__table__, _contracts.id == _seats.contract_id)
    .where(_IS_LISTED),
    make=_row,
    key=_seats.id,
    filters={"state": _seats.state.__eq__, "person": _by_person, "course": _by_course},
    tenant=_contracts.organisation_id,
    # An index has them in this order: SQLite reads no more of it than a page. MariaDB sorts, before it looks for who
    # agreed to what.
    order=(_contracts.id, _seats.number),
    is_sorted_first=True,
)


class WaitingRow(NamedTuple):
    """A request that waits. `has_priority`: the member lost a seat before."""

    contract_id: int
    name: str
    email: str
    course: str
    requested_at: datetime
    has_priority: bool


# The first of them: more do not help to decide.
MAX_WAITING = 100


_requests, _learners, _products = SeatRequest.__table__.c, Learner.__table__.c, Product.__table__.c
_WAITING = PreparedSelect(
    select(
        *(_requests.contract_id, _learners.name, _learners.email, _products.name),
        *(_requests.requested_at, _requests.has_priority),
    )
    .join_from(SeatRequest.__table__, Contract.__table__, _contracts.id == _requests.contract_id)
    .join(Learner.__table__, _learners.id == _requests.learner_id)
    .join(Product.__table__, _products.id == _requests.product_id)
    .where(_contracts.organisation_id == bindparam("organisation"), _requests.state == "waiting")
    .order_by(_requests.has_priority.desc(), _requests.requested_at, _requests.id)
    .limit(MAX_WAITING),
    WaitingRow._make,
)


def waiting_members(session: Session, tenant: Tenant) -> list[WaitingRow]:
    """Who waits for a seat, in their turn."""
    return _WAITING.all(session, organisation=tenant.organisation_id)
