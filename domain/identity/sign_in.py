"""What a sign-in at the provider makes of a person: a learner of ours, in an area they may enter."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import learners, organisations, sessions
from domain.errors import Refused
from domain.learners import Identity
from domain.sessions import Opened, Origin
from domain.tables import Learner, Membership, Organisation

AREAS = ("learner", "organisation", "admin")
# Who may enter the areas that are not everybody's.
_ENTER = {"organisation": {"owner", "manager"}, "admin": {"administrator", "marketer"}}


class NoRole(Refused):
    """Signed in at the provider, but not one of those whom the area is for."""

    def __init__(self, area: str):
        super().__init__(f"this person has no role in the area {area}")


@dataclass(frozen=True)
class Arrival:
    """Somebody whom the provider vouches for, in front of an area. `demo_issuer`: whose learners an account of a
    development provider may be by its address, "" in production. `former_half`: of a sign-in that this one ends."""

    identity: Identity
    area: str
    origin: Origin
    former_half: str = ""
    demo_issuer: str = ""


def arrive(session: Session, arrival: Arrival, at: datetime) -> Opened:
    """The sign-in; a first one makes the learner. Raises NoRole, and then nothing is changed."""
    learner = _learner(session, arrival, at)
    if not may_enter(arrival.area, roles_of(session, learner)):
        raise NoRole(arrival.area)
    # What the provider says today; the identity stays whose it is.
    learner.email = arrival.identity.email or learner.email
    learner.name = arrival.identity.name or learner.name
    if arrival.former_half:
        sessions.revoke_half(session, arrival.former_half, at)
    return sessions.open_session(session, learner.id, at, arrival.area, arrival.origin)


def _learner(session: Session, arrival: Arrival, at: datetime) -> Learner:
    identity = arrival.identity
    found = learners.known(session, identity.issuer, identity.subject)
    if found is None and arrival.demo_issuer:
        found = learners.of_demo(session, arrival.demo_issuer, identity.email)
        if found is not None:
            learners.link(session, found, identity, at)
    return found or learners.made(session, identity, at)


def roles_of(session: Session, learner: Learner) -> tuple[str, ...]:
    """What our own tables say, never a cookie: administrator, marketer, and owner, manager or member of an approved
    organisation."""
    held = (
        select(Membership.role)
        .join(Organisation, Organisation.id == Membership.organisation_id)
        .where(Membership.learner_id == learner.id, Organisation.state == "approved")
    )
    return tuple(sorted({*learner.roles, *session.scalars(held)}))


def may_enter(area: str, roles: tuple[str, ...]) -> bool:
    return area == "learner" or not _ENTER[area].isdisjoint(roles)


@dataclass(frozen=True)
class Person:
    """A learner as the browser shows them to themselves."""

    id: int
    email: str
    name: str
    student_number: str
    roles: tuple[str, ...]
    is_restricted: bool


def person(session: Session, learner_id: int, at: datetime) -> Person:
    found = session.get_one(Learner, learner_id)
    is_restricted = organisations.access_of(session, learner_id, at).is_restricted
    number = found.student_number.upper()
    return Person(found.id, found.email, found.name, number, roles_of(session, found), is_restricted)
