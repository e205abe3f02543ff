"""The roles of a learner, from our own tables and never from a cookie or the provider."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import Learner, Membership, Organisation


def roles_of(session: Session, learner_id: int) -> tuple[str, ...]:
    """Names of domain.permissions.ROLES: staff roles, and the roles in approved organisations."""
    staff = session.scalar(select(Learner.roles).where(Learner.id == learner_id)) or ()
    query = (
        select(Membership.role)
        .join(Organisation, Organisation.id == Membership.organisation_id)
        .where(Membership.learner_id == learner_id, Organisation.state == "approved")
    )
    return tuple(sorted({*staff, *session.scalars(query)}))
