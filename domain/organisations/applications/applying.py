"""What an applicant does: apply, answer, and apply again after a refusal. All for `Database.write_as`."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from contracts.payloads import ApplicationItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.identity import learners
from domain.organisations import email_domains
from domain.outbox import queue as outbox_queue
from domain.tables import ApplicationMessage, Learner, Membership, Organisation

MAX_A_DAY = 3
MAX_NAME, MAX_WEBSITE, MAX_SLUG, MAX_SIZE = 120, 255, 60, 1_000_000
MIN_REQUEST, MAX_TEXT = 20, 5_000
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
UNKNOWN = "You have no such application."
NOT_VERIFIED = "Verify your email address first: on your page “Profile”."
TOO_MANY = f"You have sent {MAX_A_DAY} applications within a day. Please try again tomorrow."
SLUG_TAKEN = "Another organisation has this address. Choose another one."


@dataclass(frozen=True)
class NewApplication:
    """As typed. `size`: people in the organisation; `request`: what it wants from the shop."""

    name: str
    slug: str
    website: str
    size: int
    domains: tuple[str, ...]
    request: str


def apply(session: Session, learner_id: int, new: NewApplication, at: datetime) -> int:
    """The id of the organisation, of which the learner is the owner. Raises InvalidInput, and Refused without a
    verified address and beyond MAX_A_DAY."""
    values = _checked(new)
    # Locked, so that requests at the same time count each other.
    learner = session.get_one(Learner, learner_id, with_for_update=True, populate_existing=True)
    if not learner.email_verified:
        raise Refused(NOT_VERIFIED)
    recent = (Organisation.applied_by == learner_id, Organisation.applied_at > at - timedelta(days=1))
    if session.scalars(select(func.count(Organisation.id)).where(*recent)).one() >= MAX_A_DAY:
        raise Refused(TOO_MANY)
    organisation = Organisation(state="submitted", applied_by=learner_id, applied_at=at, **values)
    _store(session, organisation)
    owner = {"role": "owner", "joined_at": at}
    session.add(Membership(learner_id=learner_id, organisation_id=organisation.id, **owner))
    _submitted(session, "organisation.apply", organisation, "", at)
    outbox_queue.enqueue(session, OutboxKind.APPLICATION_RECEIVED, ApplicationItem(organisation_id=organisation.id), at)
    return organisation.id


def resubmit(session: Session, learner_id: int, organisation_id: int, new: NewApplication, at: datetime) -> None:
    """Apply again for an organisation that was declined. Raises NotFound, InvalidInput, and Refused in any other
    state."""
    learners.lock_account(session, learner_id)
    organisation = _own(session, learner_id, organisation_id)
    if organisation.state != "declined":
        raise Refused("Only an application that was declined can be sent again.")
    for name, value in _checked(new).items():
        setattr(organisation, name, value)
    organisation.state, organisation.applied_at = "submitted", at
    organisation.decided_by = organisation.decided_at = None
    organisation.version += 1
    _store(session, organisation)
    _submitted(session, "organisation.apply_again", organisation, "declined", at)
    outbox_queue.enqueue(session, OutboxKind.APPLICATION_RECEIVED, ApplicationItem(organisation_id=organisation.id), at)


def answer(session: Session, learner_id: int, organisation_id: int, text: str, at: datetime) -> None:
    """Answer the staff's question; the application waits for them again. Raises NotFound, InvalidInput, Refused once it
    was decided."""
    learners.lock_account(session, learner_id)
    organisation = _own(session, learner_id, organisation_id)
    message = message_text(text)
    if organisation.state not in ("submitted", "information"):
        raise Refused("This application was decided already.")
    before, organisation.state = organisation.state, "submitted"
    about = {"organisation_id": organisation_id, "author_id": learner_id, "is_staff": False}
    add_message(session, ApplicationMessage(sent_at=at, text=message, **about))
    _submitted(session, "organisation.answer", organisation, before, at)


def message_text(text: str) -> str:
    """A message of the thread as it is stored. Raises InvalidInput."""
    plain = text.replace("\r\n", "\n").strip()
    if not plain or len(plain) > MAX_TEXT:
        raise InvalidInput({"text": f"Write a text of at most {count_text(MAX_TEXT)} characters."})
    return plain


def add_message(session: Session, message: ApplicationMessage) -> int:
    session.add(message)
    session.flush()
    return message.id


def _own(session: Session, learner_id: int, organisation_id: int) -> Organisation:
    """Locked. Raises NotFound for every other than one's own."""
    own = select(Organisation).where(Organisation.id == organisation_id, Organisation.applied_by == learner_id)
    organisation = session.scalar(own.with_for_update().execution_options(populate_existing=True))
    if organisation is None:
        raise NotFound(UNKNOWN)
    return organisation


def _store(session: Session, organisation: Organisation) -> None:
    """Raises InvalidInput for a slug that another organisation has."""
    taken = select(Organisation.id).where(Organisation.slug == organisation.slug, Organisation.id != organisation.id)
    with session.no_autoflush:
        is_taken = session.scalar(taken) is not None
    if is_taken:
        raise InvalidInput({"slug": SLUG_TAKEN})
    try:
        session.add(organisation)
        session.flush()
    except IntegrityError:
        # Somebody else took it at this moment.
        raise InvalidInput({"slug": SLUG_TAKEN}) from None


def _submitted(session: Session, action: str, organisation: Organisation, before: str, at: datetime) -> None:
    item = ApplicationItem(organisation_id=organisation.id)
    outbox_queue.enqueue(session, OutboxKind.STAFF_APPLICATION, item, at)
    subject, changed = Subject("organisation", organisation.id), {"state": before or None}
    recording.record(
        session,
        action,
        subject,
        before=changed,
        after={"state": organisation.state},
        organisation_id=organisation.id,
    )


def _checked(new: NewApplication) -> dict[str, object]:
    """The columns of an application. Raises InvalidInput with all that is wrong."""
    name, slug, website, request = (
        " ".join(new.name.split()),
        new.slug.strip().casefold(),
        new.website.strip(),
        new.request.replace("\r\n", "\n").strip(),
    )
    domains, wrong_domains = email_domains.read_domains(new.domains)
    checks = {
        "name": not 2 <= len(name) <= MAX_NAME and f"Enter a name of 2 to {MAX_NAME} characters.",
        "slug": not (3 <= len(slug) <= MAX_SLUG and _SLUG.fullmatch(slug))
        and f"Use 3 to {MAX_SLUG} letters from a to z, digits and hyphens, such as northwind-foods.",
        "website": not _is_website(website) and "Enter the whole address, such as https://example.org.",
        "size": not 1 <= new.size <= MAX_SIZE and f"Enter a number from 1 to {count_text(MAX_SIZE)}.",
        "domains": wrong_domains,
        "request": not MIN_REQUEST <= len(request) <= MAX_TEXT
        and f"Write {MIN_REQUEST} to {count_text(MAX_TEXT)} characters.",
    }
    if errors := {field: text for field, text in checks.items() if text}:
        raise InvalidInput(errors)
    return {
        "name": name,
        "slug": slug,
        "website": website,
        "size": new.size,
        "requested_domains": list(domains),
        "request_text": request,
    }


def _is_website(text: str) -> bool:
    if len(text) > MAX_WEBSITE or any(sign.isspace() for sign in text):
        return False
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and "." in host and "@" not in parts.netloc
