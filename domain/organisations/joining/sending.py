"""Before the mail of an invitation is sent: it is counted, and its link works from then on."""

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.payloads import InvitationItem, decode
from domain.organisations.joining.tokens import digest_of, token_of
from domain.outbox.leases import Lease
from domain.tables import Invitation, Organisation

MAX_AN_HOUR = 500
HOUR = timedelta(hours=1)
VALID_FOR = timedelta(days=14)


def open_link(session: Session, lease: Lease, key: bytes, at: datetime) -> float | None:
    """Seconds to wait while the organisation has sent MAX_AN_HOUR mails within an hour; None when this one may be sent.
    A mail that is tried again counts once."""
    item = decode(InvitationItem, lease.body)
    row = session.scalar(select(Invitation).where(Invitation.id == item.invitation_id).with_for_update())
    if row is None or row.state != "sent" or row.sends >= item.send:
        return None
    # Locked: mails that are sent at the same time count each other.
    session.execute(select(Organisation.id).where(Organisation.id == row.organisation_id).with_for_update())
    if (wait := _wait(session, row.organisation_id, at)) is not None:
        return wait
    row.sends, row.sent_at, row.expires_at = item.send, at, at + VALID_FOR
    row.token = digest_of(token_of(key, row.id))
    return None


def _wait(session: Session, organisation_id: int, at: datetime) -> float | None:
    """A mail is sent again an hour later at the earliest, so that the rows of the last hour are its mails."""
    recent = (Invitation.organisation_id == organisation_id, Invitation.sent_at > at - HOUR, Invitation.sends > 0)
    count, first = session.execute(select(func.count(Invitation.id), func.min(Invitation.sent_at)).where(*recent)).one()
    return None if count < MAX_AN_HOUR else max(1.0, (first + HOUR - at).total_seconds())
