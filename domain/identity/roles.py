"""The roles of a learner, from our own tables and never from a cookie or the provider."""

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.tables import Learner, Membership, Organisation

_STAFF = PreparedSelect(select(Learner.__table__.c.roles).where(Learner.id == bindparam("learner")), tuple)
_IN_ORGANISATIONS = PreparedSelect(
    select(Membership.__table__.c.role)
    .join(Organisation, Organisation.id == Membership.organisation_id)
    .where(Membership.learner_id == bindparam("learner"), Organisation.state == "approved"),
    tuple,
)


def roles_of(session: Session, learner_id: int) -> tuple[str, ...]:
    """Names of domain.permissions.ROLES: staff roles, and the roles in approved organisations."""
    staff = [role for (roles,) in _STAFF.all(session, learner=learner_id) for role in roles]
    return tuple(sorted({*staff, *(role for (role,) in _IN_ORGANISATIONS.all(session, learner=learner_id))}))
