"""The roles of a learner, from our own tables and never from a cookie or the provider."""

from collections.abc import Sequence

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.identity.own_memberships import OwnMembership, approved, own_memberships
from domain.identity.sessions import AuthSession
from domain.permissions import APPLICANT, Role, may_enter
from domain.tables import StaffRole

_STAFF = PreparedSelect(select(StaffRole.__table__.c.role).where(StaffRole.learner_id == bindparam("learner")), tuple)


def roles_of(session: Session, learner_id: int) -> tuple[Role, ...]:
    """Names of domain.permissions.ROLES: staff roles, and the roles in approved organisations; APPLICANT for an owner
    of one that is not approved."""
    return all_roles(staff_roles(session, learner_id), own_memberships(session, learner_id))


def all_roles(staff: Sequence[Role], memberships: Sequence[OwnMembership]) -> tuple[Role, ...]:
    """All roles of one person, whose `staff` roles and `memberships` were read before."""
    return tuple(sorted({*staff, *(role for role, _ in _in_organisations(memberships))}))


def staff_roles(session: Session, learner_id: int) -> tuple[Role, ...]:
    return tuple(sorted(role for (role,) in _STAFF.all(session, learner=learner_id)))


def area_roles(session: Session, auth: AuthSession) -> tuple[Role, ...]:
    """The roles of a session in its area: those of the staff, or those in the organisation that it has chosen.
    APPLICANT is that of who can choose none yet."""
    if auth.area == "admin":
        return staff_roles(session, auth.learner_id)
    return organisation_roles(own_memberships(session, auth.learner_id), auth) if auth.area == "organisation" else ()


def organisation_roles(memberships: Sequence[OwnMembership], auth: AuthSession) -> tuple[Role, ...]:
    """The roles of a session in the organisation that it has chosen; APPLICANT alone for who can choose none yet."""
    roles = _in_organisations(memberships)
    chosen = tuple(role for role, organisation_id in roles if organisation_id == auth.organisation_id)
    if auth.organisation_id is not None and chosen:
        return chosen
    may_choose = any(may_enter("organisation", (role,)) for role, key in roles if key is not None)
    return (APPLICANT,) if (APPLICANT, None) in roles and not may_choose else ()


def managed_organisations(session: Session, learner_id: int) -> list[int]:
    """Ids of the approved organisations whose area a learner may enter."""
    roles = _in_organisations(own_memberships(session, learner_id))
    return [key for role, key in roles if key is not None and may_enter("organisation", (role,))]


def _in_organisations(memberships: Sequence[OwnMembership]) -> list[tuple[Role, int | None]]:
    """Roles with the organisation that they count in; with None those of an applicant."""
    counted: list[tuple[Role, int | None]] = [(own.role, own.organisation_id) for own in approved(memberships)]
    is_applicant = any(own.role == "owner" and own.state != "approved" for own in memberships)
    return [*counted, (APPLICANT, None)] if is_applicant else counted
