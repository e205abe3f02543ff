"""The people of one organisation, as its managers see them."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.permissions import Tenant
from domain.tables import Learner, Membership

ROLES = ("owner", "manager", "member")
_members, _learners = Membership.__table__.c, Learner.__table__.c


class MemberRow(NamedTuple):
    """`id`: of the membership."""

    id: int
    learner_id: int
    name: str
    email: str
    team: str
    role: str
    shares_progress: bool
    is_restricted: bool
    joined_at: datetime


_ROWS = (
    select(
        *(_members.id, _members.learner_id, _learners.name, _learners.email, _members.team, _members.role),
        *(_members.shares_progress, _members.is_restricted, _members.joined_at),
    )
    .outerjoin_from(Membership.__table__, Learner.__table__, _learners.id == _members.learner_id)
    .where(_members.ended_at.is_(None))
)

# Those who belong to it now.
MEMBERS = ListSource(
    rows=_ROWS,
    counted=select(_members.id).where(_members.ended_at.is_(None)),
    make=MemberRow._make,
    key=_members.id,
    filters={"role": _members.role.__eq__, "team": _members.team.__eq__},
    tenant=_members.organisation_id,
)


def member_of(session: Session, tenant: Tenant, membership_id: int) -> MemberRow:
    """Raises NotFound for everybody who does not belong to the organisation now."""
    own = (_members.id == membership_id, _members.organisation_id == tenant.organisation_id)
    row = session.execute(_ROWS.where(*own)).one_or_none()
    if row is None:
        raise NotFound("Your organisation has no such member.")
    return MemberRow._make(row)


def number_by_role(session: Session, tenant: Tenant) -> dict[str, int]:
    """How many people have each role, in the order of ROLES."""
    query = select(Membership.role, func.count()).where(
        Membership.organisation_id == tenant.organisation_id, Membership.ended_at.is_(None)
    )
    counts: dict[str, int] = dict(session.execute(query.group_by(Membership.role)).all())
    return {role: counts.get(role, 0) for role in ROLES}
