"""Signs in a person whom the provider has authenticated: finds or creates the learner and checks the area's roles."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import RecordedEvent, Subject
from domain.errors import Refused
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.identity.roles import area_roles, managed_organisations, roles_of
from domain.identity.sessions import NewSession, ProviderTokens
from domain.permissions import Actor, Area, Role, may_enter
from domain.tables import Enrolment, Learner, Order

# The action of the event that records a sign-in of staff; its `after` has the methods.
STAFF_SIGN_IN = "staff.sign_in"


class NoRole(Refused):
    """The person has signed in at the provider, but has no role that the area needs."""

    def __init__(self, area: str):
        super().__init__(f"this person has no role in the area {area}")


@dataclass(frozen=True)
class SignIn:
    """A person authenticated by the provider who enters an area. `demo_issuer`: issuer of the learners that accounts
    of a development provider are matched with by address, "" in production. `former_cookie_secret`: of the session
    that the new one replaces, "" for none. `request_id` and `ip_network`: of the request, for the
    record. `lifetime`: how long the session lasts."""

    identity: Identity
    area: Area
    tokens: ProviderTokens
    former_cookie_secret: str = ""
    demo_issuer: str = ""
    request_id: str = ""
    ip_network: str = ""
    lifetime: timedelta = sessions.LIFETIME


@dataclass(frozen=True)
class Entered:
    """A new session, and the roles that count in its area. `owns_something`: a learner who has a course or has paid an
    order, and so has a dashboard to go to."""

    session: NewSession
    roles: tuple[Role, ...]
    owns_something: bool = False


def has_second_factor(methods: Collection[str]) -> bool:
    """Whether these methods (amr) are two factors: the provider says so, or they are two."""
    return "mfa" in methods or len(set(methods)) > 1


def sign_in(session: Session, attempt: SignIn, at: datetime) -> Entered:
    """Open a session; the first sign-in creates the learner. Who may enter one organisation alone has chosen it. Raises
    NoRole, and then nothing is changed."""
    learner = _learner(session, attempt, at)
    if not may_enter(attempt.area, roles_of(session, learner.id)):
        raise NoRole(attempt.area)
    # Address and name follow the provider; the identity keeps its learner.
    learner.email = attempt.identity.email or learner.email
    learner.name = attempt.identity.name or learner.name
    learner.email_verified = bool(attempt.identity.email) and attempt.identity.email_verified
    if attempt.former_cookie_secret:
        sessions.revoke_by_cookie(session, attempt.former_cookie_secret, at)
    opened = sessions.open_session(session, learner.id, at, attempt.area, attempt.tokens, lifetime=attempt.lifetime)
    if attempt.area == "organisation" and len(ids := managed_organisations(session, learner.id)) == 1:
        sessions.choose_organisation(session, opened.id, ids[0])
    auth = sessions.by_id(session, opened.id)
    owns_something = attempt.area == "learner" and _owns_something(session, learner.id)
    entered = Entered(opened, area_roles(session, auth), owns_something)
    if attempt.area == "admin":
        _record(session, attempt, entered, at)
    return entered


def _owns_something(session: Session, learner_id: int) -> bool:
    enrolled = select(Enrolment.id).where(Enrolment.learner_id == learner_id)
    paid = select(Order.id).where(Order.learner_id == learner_id, Order.state == "paid")
    return bool(session.scalar(select(or_(enrolled.exists(), paid.exists()))))


def _record(session: Session, attempt: SignIn, entered: Entered, at: datetime) -> None:
    learner_id = entered.session.learner_id
    actor = Actor(learner_id, "admin", entered.roles, attempt.request_id, at, ip_network=attempt.ip_network)
    methods = {"methods": list(attempt.tokens.methods)}
    recording.append(session, actor, [RecordedEvent(STAFF_SIGN_IN, Subject("staff", learner_id), after=methods)])


def _learner(session: Session, attempt: SignIn, at: datetime) -> Learner:
    """Locked: an account that is being deleted gets no session. Once it is deleted, the identity is a new learner's."""
    identity = attempt.identity
    learner = learners.lock_by_identity(session, identity.issuer, identity.subject)
    if learner is None and attempt.demo_issuer:
        learner = learners.lock_development_learner(session, attempt.demo_issuer, identity.email)
        if learner is not None:
            learners.link(session, learner, identity, at)
    return learner or learners.create(session, identity, at)
