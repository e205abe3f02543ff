"""A session as the browser of its person shows it: who they are, what they may enter and what they own."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast

from sqlalchemy import bindparam, exists, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.identity import sessions
from domain.identity.own_memberships import OwnMembership, OwnOrganisation, approved, own_memberships
from domain.identity.roles import all_roles, organisation_roles, staff_roles
from domain.identity.sessions import AuthRow, AuthSession
from domain.learning.enrolments import OWNED_TEXT, all_owned_ids
from domain.permissions import Area, Role, open_areas
from domain.tables import Learner, LearnerSession, Membership, StaffRole


class CurrentSession(NamedTuple):
    """`is_email_verified`: the provider says that the address is theirs. `roles`: all of them; `area_roles`: those that
    count in the area of this session. `areas`: those that the person may enter. `owned`: ids of products. `at`: when
    all this was read."""

    auth: AuthSession
    email: str
    name: str
    student_number: str
    is_restricted: bool
    roles: tuple[str, ...]
    area_roles: tuple[str, ...]
    areas: tuple[Area, ...]
    organisations: tuple[OwnOrganisation, ...]
    owned: tuple[int, ...]
    at: datetime
    is_email_verified: bool = False

    @property
    def organisation(self) -> OwnOrganisation | None:
        """The one that was chosen in the area of organisations, as long as the person belongs to it."""
        return next((own for own in self.organisations if own.id == self.auth.organisation_id), None)


_learners = Learner.__table__.c
_LEARNER_COLUMNS = (
    *(_learners.email, _learners.name, _learners.student_number, _learners.email_verified),
    exists().where(StaffRole.__table__.c.learner_id == _learners.id).label("is_staff"),
    exists().where(Membership.__table__.c.learner_id == _learners.id).label("is_member"),
    OWNED_TEXT,
)
_LEARNER: PreparedSelect[Sequence[Any]] = PreparedSelect(
    select(*_LEARNER_COLUMNS).where(_learners.id == bindparam("learner")), tuple
)
# One statement for the session and its learner: on SQLite each costs several times what a column does.
_BY_TOKEN: PreparedSelect[Sequence[Any]] = PreparedSelect(
    select(*sessions.AUTH_COLUMNS, *_LEARNER_COLUMNS)
    .join(Learner.__table__, _learners.id == LearnerSession.__table__.c.learner_id)
    .where(sessions.HAS_TOKEN),
    tuple,
)
_AUTH_CELLS = len(sessions.AUTH_COLUMNS)


def by_tokens(session: Session, token: str, cookie_secret: str, at: datetime) -> CurrentSession | None:
    """The session of a token and its cookie; None when one is unknown, they do not match, or it has ended."""
    for row in _BY_TOKEN.all(session, digest=sessions.digest(token), at=at):
        auth = sessions.if_matching(cast(AuthRow, row[:_AUTH_CELLS]), cookie_secret, at)
        return None if auth is None else _describe(session, auth, row[_AUTH_CELLS:], at)
    return None


def describe(session: Session, auth: AuthSession, at: datetime) -> CurrentSession:
    """The session that was looked up, with what the site knows of its learner."""
    [learner] = _LEARNER.all(session, learner=auth.learner_id, at=at)
    return _describe(session, auth, learner, at)


def _describe(session: Session, auth: AuthSession, learner: Sequence[Any], at: datetime) -> CurrentSession:
    email, name, student_number, is_email_verified, is_staff, is_member, owned = learner
    rights = _rights(session, auth, is_staff=is_staff, is_member=is_member)
    return CurrentSession(
        auth=auth,
        email=email,
        name=name,
        student_number=student_number.upper(),
        is_restricted=rights.is_restricted,
        roles=rights.roles,
        area_roles=rights.area_roles,
        areas=open_areas(rights.roles),
        organisations=rights.organisations,
        owned=all_owned_ids(session, auth.learner_id, owned, at),
        at=at,
        is_email_verified=is_email_verified,
    )


class _Rights(NamedTuple):
    """As in CurrentSession."""

    roles: tuple[Role, ...] = ()
    area_roles: tuple[Role, ...] = ()
    organisations: tuple[OwnOrganisation, ...] = ()
    is_restricted: bool = False


_NO_RIGHTS = _Rights()


def _rights(session: Session, auth: AuthSession, *, is_staff: bool, is_member: bool) -> _Rights:
    # Most people are neither.
    if not is_staff and not is_member:
        return _NO_RIGHTS
    staff = staff_roles(session, auth.learner_id) if is_staff else ()
    memberships = own_memberships(session, auth.learner_id) if is_member else []
    shown = approved(memberships)
    return _Rights(
        roles=all_roles(staff, memberships),
        area_roles=_area_roles(auth, staff, memberships),
        organisations=tuple(OwnOrganisation(*own[:4]) for own in shown),
        is_restricted=any(own.is_restricted for own in shown),
    )


def _area_roles(auth: AuthSession, staff: tuple[Role, ...], memberships: Sequence[OwnMembership]) -> tuple[Role, ...]:
    if auth.area == "admin":
        return staff
    return organisation_roles(memberships, auth) if auth.area == "organisation" else ()
