"""How an open invitation ends without a new member."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.payloads import InvitationItem, decode
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound, Refused
from domain.outbox.leases import Lease
from domain.permissions import Tenant
from domain.seats import invitations as seats
from domain.tables import Invitation

UNKNOWN = "Your organisation has no such invitation."


def close(session: Session, row: Invitation, state: str, at: datetime) -> None:
    """The invitation is locked. Its link opens nothing any more, its address can be invited again, and what was set
    aside for it is free, unless it was accepted."""
    row.state, row.open_key, row.token = state, None, None
    session.flush()
    if state != "accepted":
        seats.release_reserved(session, row.id, at)


def cancel(session: Session, tenant: Tenant, invitation_id: int, at: datetime) -> None:
    """For `Database.write_as`; again it changes nothing. Raises NotFound, and Refused once it was answered."""
    row = locked(session, tenant, invitation_id)
    if row.state == "cancelled":
        recording.no_change(session)
        return
    if row.state != "sent":
        raise Refused("This invitation is closed already.")
    close(session, row, "cancelled", at)
    recording.record(
        session,
        "invitation.cancel",
        Subject("invitation", row.id),
        before={"state": "sent"},
        after={"state": "cancelled"},
    )


def locked(session: Session, tenant: Tenant, invitation_id: int) -> Invitation:
    """Raises NotFound for every invitation of others."""
    own = (Invitation.id == invitation_id, Invitation.organisation_id == tenant.organisation_id)
    row = session.scalar(select(Invitation).where(*own).with_for_update().execution_options(populate_existing=True))
    if row is None:
        raise NotFound(UNKNOWN)
    return row


def expire_due(session: Session, at: datetime, limit: int = 100) -> int:
    """Close invitations that were not answered in time; how many."""
    due = select(Invitation).where(Invitation.state == "sent", Invitation.expires_at <= at)
    rows = session.scalars(due.order_by(Invitation.id).limit(limit).with_for_update()).all()
    for row in rows:
        close(session, row, "expired", at)
    return len(rows)


def mark_refused(session: Session, lease: Lease, at: datetime) -> None:
    """The mail server refused the address for good."""
    invitation_id = decode(InvitationItem, lease.body).invitation_id
    row = session.scalar(select(Invitation).where(Invitation.id == invitation_id).with_for_update())
    if row is not None and row.state == "sent":
        close(session, row, "refused", at)
