"""The roles of a learner, from our own tables and never from a cookie or the provider."""

from typing import cast

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.identity.sessions import AuthSession
from domain.permissions import Role, may_enter
from domain.tables import Membership, Organisation, StaffRole

_STAFF = PreparedSelect(select(StaffRole.__table__.c.role).where(StaffRole.learner_id == bindparam("learner")), tuple)
_IN_ORGANISATIONS = PreparedSelect(
    select(Membership.__table__.c.role, Membership.__table__.c.organisation_id)
    .join(Organisation, Organisation.id == Membership.organisation_id)
    .where(
        Membership.learner_id == bindparam("learner"),
        Membership.ended_at.is_(None),
        Organisation.state == "approved",
    ),
    tuple,
)


def roles_of(session: Session, learner_id: int) -> tuple[Role, ...]:
    """Names of domain.permissions.ROLES: staff roles, and the roles in approved organisations."""
    staff = (role for (role,) in _STAFF.all(session, learner=learner_id))
    return tuple(sorted({*staff, *(role for role, _ in _IN_ORGANISATIONS.all(session, learner=learner_id))}))


def area_roles(session: Session, auth: AuthSession) -> tuple[Role, ...]:
    """The roles of a session in its area: those of the staff, or those in the organisation that it has chosen."""
    if auth.area == "admin":
        return tuple(sorted(role for (role,) in _STAFF.all(session, learner=auth.learner_id)))
    if auth.area == "organisation" and auth.organisation_id is not None:
        rows = _IN_ORGANISATIONS.all(session, learner=auth.learner_id)
        return tuple(role for role, organisation_id in rows if organisation_id == auth.organisation_id)
    return ()


def managed_organisations(session: Session, learner_id: int) -> list[int]:
    """Ids of the approved organisations whose area a learner may enter."""
    rows = _IN_ORGANISATIONS.all(session, learner=learner_id)
    return [cast("int", organisation_id) for role, organisation_id in rows if may_enter("organisation", (role,))]
