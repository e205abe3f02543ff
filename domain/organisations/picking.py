"""What somebody who types a part of a name picks one of, in the area of an organisation."""

from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.permissions import Tenant
from domain.tables import Learner, Membership

MAX_OPTIONS = 10


class PickedMember(NamedTuple):
    """`email`: by which calls about members know them."""

    email: str
    name: str
    team: str


def members(session: Session, tenant: Tenant, text: str) -> list[PickedMember]:
    """People who belong to the organisation now, by a part of their name, the beginning of their address, or their
    team. Those without an address cannot be picked."""
    text = text.strip()
    fits = or_(
        Learner.name.icontains(text, autoescape=True),
        Learner.email.istartswith(text, autoescape=True),
        Membership.team.istartswith(text, autoescape=True),
    )
    query = (
        select(Learner.email, Learner.name, Membership.team)
        .join(Membership, Membership.learner_id == Learner.id)
        .where(Membership.organisation_id == tenant.organisation_id, Membership.ended_at.is_(None))
        .where(fits, Learner.email != "")
        .order_by(Learner.name, Learner.id)
    )
    return [PickedMember._make(row) for row in session.execute(query.limit(MAX_OPTIONS))]
