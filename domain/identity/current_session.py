"""A session as the browser of its person shows it: who they are, what they may enter and what they own."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.identity import sessions
from domain.identity.roles import area_roles, roles_of
from domain.identity.sessions import AuthSession
from domain.learning.grants import all_owned_ids
from domain.organisations import access
from domain.permissions import AREAS, Area, may_enter
from domain.tables import Learner, Membership, Organisation


@dataclass(frozen=True)
class OwnOrganisation:
    """An approved organisation that a person belongs to."""

    id: int
    slug: str
    name: str


@dataclass(frozen=True)
class CurrentSession:
    """`roles`: all of them; `area_roles`: those that count in the area of this session. `areas`: those that the person
    may enter. `owned`: ids of products. `at`: when all this was read."""

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

    @property
    def organisation(self) -> OwnOrganisation | None:
        """The one that was chosen in the area of organisations, as long as the person belongs to it."""
        return next((own for own in self.organisations if own.id == self.auth.organisation_id), None)


_learners = Learner.__table__.c
_LEARNER = PreparedSelect(
    select(_learners.email, _learners.name, _learners.student_number).where(_learners.id == bindparam("learner")), tuple
)
_ORGANISATIONS = PreparedSelect(
    select(*(Organisation.__table__.c[name] for name in ("id", "slug", "name")))
    .join(Membership, Membership.organisation_id == Organisation.id)
    .where(
        Membership.learner_id == bindparam("learner"),
        Membership.ended_at.is_(None),
        Organisation.state == "approved",
    )
    .order_by(Membership.id),
    lambda cells: OwnOrganisation(*cells),
)


def describe(session: Session, auth: AuthSession, at: datetime) -> CurrentSession:
    [(email, name, student_number)] = _LEARNER.all(session, learner=auth.learner_id)
    roles = roles_of(session, auth.learner_id)
    return CurrentSession(
        auth=auth,
        email=email,
        name=name,
        student_number=student_number.upper(),
        is_restricted=access.access_of(session, auth.learner_id, at).is_restricted,
        roles=roles,
        area_roles=area_roles(session, auth),
        areas=tuple(area for area in AREAS if may_enter(area, roles)),
        organisations=tuple(_ORGANISATIONS.all(session, learner=auth.learner_id)),
        owned=all_owned_ids(session, auth.learner_id, at),
        at=at,
    )


def by_tokens(session: Session, token: str, cookie_secret: str, at: datetime) -> CurrentSession | None:
    """The session of a token and its cookie; None when one is unknown, they do not match, or it has ended."""
    auth = sessions.authenticated(session, token, cookie_secret, at)
    return None if auth is None else describe(session, auth, at)
