"""What staff do with an application: ask, approve, decline. All for `Database.write_as`."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import ApplicationItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound, Refused
from domain.organisations.applications.applying import add_message, message_text
from domain.outbox import queue as outbox_queue
from domain.tables import ApplicationMessage, Organisation

OPEN = ("submitted", "information")
DECIDED = "This application was decided already."


def ask(session: Session, organisation_id: int, text: str, staff_id: int, at: datetime) -> None:
    """Ask the applicant for information. Raises NotFound, InvalidInput, Refused."""
    organisation, message = _open(session, organisation_id), message_text(text)
    about = {"organisation_id": organisation_id, "author_id": staff_id, "is_staff": True}
    message_id = add_message(session, ApplicationMessage(sent_at=at, text=message, **about))
    _move(session, organisation, "information", "organisation.ask")
    _mail(session, OutboxKind.APPLICATION_QUESTION, organisation_id, at, message_id)


def approve(session: Session, organisation_id: int, staff_id: int, at: datetime, *, has_domains: bool) -> None:
    """Open the area to the organisation. `has_domains`: with the domains that it asked for. Raises NotFound,
    Refused."""
    organisation = _open(session, organisation_id)
    if has_domains:
        organisation.domains = list(organisation.requested_domains)
    organisation.requested_domains = []
    organisation.decided_by, organisation.decided_at = staff_id, at
    _move(session, organisation, "approved", "organisation.approve", domains=organisation.domains)
    _mail(session, OutboxKind.APPLICATION_APPROVED, organisation_id, at)


def decline(session: Session, organisation_id: int, reason: str, staff_id: int, at: datetime) -> None:
    """Decline with a reason that the applicant reads. Raises NotFound, InvalidInput, Refused."""
    organisation, message = _open(session, organisation_id), message_text(reason)
    organisation.decided_by, organisation.decided_at = staff_id, at
    about = {"organisation_id": organisation_id, "author_id": staff_id, "is_staff": True}
    message_id = add_message(session, ApplicationMessage(sent_at=at, text=message, **about))
    _move(session, organisation, "declined", "organisation.decline")
    _mail(session, OutboxKind.APPLICATION_DECLINED, organisation_id, at, message_id)


def _open(session: Session, organisation_id: int) -> Organisation:
    """Locked. Raises NotFound, and Refused for one that was decided."""
    query = select(Organisation).where(Organisation.id == organisation_id)
    organisation = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if organisation is None:
        raise NotFound("There is no such organisation.")
    if organisation.state not in OPEN:
        raise Refused(DECIDED)
    return organisation


def _move(session: Session, organisation: Organisation, state: str, action: str, **after: object) -> None:
    before, organisation.state = organisation.state, state
    organisation.version += 1
    session.flush()
    subject = Subject("organisation", organisation.id)
    changed = {"state": state, **after}
    recording.record(session, action, subject, before={"state": before}, after=changed, organisation_id=organisation.id)


def _mail(
    session: Session, kind: OutboxKind, organisation_id: int, at: datetime, message_id: int | None = None
) -> None:
    outbox_queue.enqueue(session, kind, ApplicationItem(organisation_id=organisation_id, message_id=message_id), at)
