"""The people of one organisation, as its managers see them."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.permissions import Tenant
from domain.tables import Learner, Membership

ROLES = ("owner", "manager", "member")
_members = Membership.__table__.c
_OF_MEMBER = Learner.id == _members.learner_id


class MemberRow(NamedTuple):
    name: str
    email: str
    team: str
    role: str
    shares_progress: bool
    is_restricted: bool
    joined_at: datetime


# Those who belong to it now.
MEMBERS = ListSource(
    rows=select(
        select(Learner.name).where(_OF_MEMBER).scalar_subquery(),
        select(Learner.email).where(_OF_MEMBER).scalar_subquery(),
        *(_members.team, _members.role, _members.shares_progress, _members.is_restricted, _members.joined_at),
    ).where(_members.ended_at.is_(None)),
    make=MemberRow._make,
    key=_members.id,
    filters={"role": _members.role.__eq__, "team": _members.team.__eq__},
    tenant=_members.organisation_id,
)


def number_by_role(session: Session, tenant: Tenant) -> dict[str, int]:
    """How many people have each role, in the order of ROLES."""
    query = select(Membership.role, func.count()).where(
        Membership.organisation_id == tenant.organisation_id, Membership.ended_at.is_(None)
    )
    counts: dict[str, int] = dict(session.execute(query.group_by(Membership.role)).all())
    return {role: counts.get(role, 0) for role in ROLES}
