"""Applications as their applicant and the staff read them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.organisations.applications.applying import UNKNOWN
from domain.organisations.applications.working_days import due_at
from domain.tables import ApplicationMessage, Learner, Organisation


@dataclass(frozen=True)
class ThreadMessage:
    """`author`: who wrote it; None when nobody knows any more."""

    sent_at: datetime
    author: str | None
    is_staff: bool
    text: str


@dataclass(frozen=True)
class Application:
    """`size` and `request`: None for an organisation that staff made."""

    id: int
    slug: str
    name: str
    state: str
    website: str
    size: int | None
    domains: tuple[str, ...]
    requested_domains: tuple[str, ...]
    request: str | None
    applied_at: datetime | None
    decided_at: datetime | None
    messages: tuple[ThreadMessage, ...]

    @property
    def waits_since(self) -> datetime | None:
        """Since when the staff have the next word; None while they do not."""
        if self.state != "submitted" or self.applied_at is None:
            return None
        own = [message.sent_at for message in self.messages if not message.is_staff]
        return max([self.applied_at, *own])

    @property
    def due_at(self) -> datetime | None:
        """When our answer is promised for; None while nothing waits for it."""
        return None if self.waits_since is None else due_at(self.waits_since)


def own_applications(session: Session, learner_id: int) -> list[tuple[int, str, str]]:
    """Id, name and state of a person's applications, the newest first."""
    own = select(Organisation.id, Organisation.name, Organisation.state).where(Organisation.applied_by == learner_id)
    rows = session.execute(own.order_by(Organisation.applied_at.desc(), Organisation.id.desc()))
    return [(key, name, state) for key, name, state in rows]


@dataclass(frozen=True)
class Registration:
    """What the page knows of who opens it. `undecided`: id and name of their newest application that is not approved;
    None without one."""

    email: str
    is_verified: bool
    undecided: tuple[int, str] | None


def registration(session: Session, learner_id: int) -> Registration:
    learner = session.get_one(Learner, learner_id)
    own = own_applications(session, learner_id)
    undecided = next(((key, name) for key, name, state in own if state != "approved"), None)
    return Registration(learner.email, learner.email_verified, undecided)


def newest_of(session: Session, learner_id: int, organisation_id: int | None) -> Application | None:
    """This application of a person, or the newest one; None when they have none. Raises NotFound for an id that is no
    application of theirs."""
    own = own_applications(session, learner_id)
    if organisation_id is not None and organisation_id not in [key for key, *_ in own]:
        raise NotFound(UNKNOWN)
    wanted = organisation_id if organisation_id is not None else next((key for key, *_ in own), None)
    return None if wanted is None else thread_of(session, wanted)


def thread_of(session: Session, organisation_id: int) -> Application:
    """Raises NotFound."""
    row = session.get(Organisation, organisation_id)
    if row is None:
        raise NotFound("There is no such organisation.")
    columns = (ApplicationMessage.sent_at, Learner.name, ApplicationMessage.is_staff, ApplicationMessage.text)
    messages = select(*columns).outerjoin(Learner, Learner.id == ApplicationMessage.author_id)
    found = session.execute(
        messages.where(ApplicationMessage.organisation_id == organisation_id).order_by(ApplicationMessage.id)
    )
    return Application(
        id=row.id,
        slug=row.slug,
        name=row.name,
        state=row.state,
        website=row.website,
        size=row.size,
        domains=tuple(row.domains),
        requested_domains=tuple(row.requested_domains),
        request=row.request_text,
        applied_at=row.applied_at,
        decided_at=row.decided_at,
        messages=tuple(ThreadMessage(*message) for message in found),
    )
