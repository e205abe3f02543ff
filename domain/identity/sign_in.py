"""Signs in a person whom the provider has authenticated: finds or creates the learner and checks the area's roles."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.identity.roles import roles_of
from domain.identity.sessions import NewSession, ProviderTokens
from domain.permissions import Area, may_enter
from domain.tables import Learner


class NoRole(Refused):
    """The person has signed in at the provider, but has no role that the area needs."""

    def __init__(self, area: str):
        super().__init__(f"this person has no role in the area {area}")


@dataclass(frozen=True)
class SignIn:
    """A person authenticated by the provider who enters an area. `demo_issuer`: issuer of the learners that accounts
    of a development provider are matched with by address, "" in production. `former_cookie_secret`: of the session
    that the new one replaces, "" for none."""

    identity: Identity
    area: Area
    tokens: ProviderTokens
    former_cookie_secret: str = ""
    demo_issuer: str = ""


def sign_in(session: Session, attempt: SignIn, at: datetime) -> NewSession:
    """Open a session; the first sign-in creates the learner. Raises NoRole, and then nothing is changed."""
    learner = _learner(session, attempt, at)
    if not may_enter(attempt.area, roles_of(session, learner.id)):
        raise NoRole(attempt.area)
    # Address and name follow the provider; the identity keeps its learner.
    learner.email = attempt.identity.email or learner.email
    learner.name = attempt.identity.name or learner.name
    if attempt.former_cookie_secret:
        sessions.revoke_by_cookie(session, attempt.former_cookie_secret, at)
    return sessions.open_session(session, learner.id, at, attempt.area, attempt.tokens)


def _learner(session: Session, attempt: SignIn, at: datetime) -> Learner:
    identity = attempt.identity
    learner = learners.find_by_identity(session, identity.issuer, identity.subject)
    if learner is None and attempt.demo_issuer:
        learner = learners.find_development_learner(session, attempt.demo_issuer, identity.email)
        if learner is not None:
            learners.link(session, learner, identity, at)
    return learner or learners.create(session, identity, at)
