"""Mails about applications and invitations: recipients, and what the templates show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from contracts.payloads import ApplicationItem, InvitationItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.identity.learners import short_name
from domain.order_mails import MailSite
from domain.organisations.applications import thread_of
from domain.organisations.joining.tokens import token_of
from domain.outbox import Lease
from domain.tables import ApplicationMessage, Contract, Invitation, Learner, Organisation

TO_APPLICANT = frozenset(
    {
        OutboxKind.APPLICATION_RECEIVED,
        OutboxKind.APPLICATION_QUESTION,
        OutboxKind.APPLICATION_APPROVED,
        OutboxKind.APPLICATION_DECLINED,
    }
)
KINDS = TO_APPLICANT | {OutboxKind.STAFF_APPLICATION, OutboxKind.INVITATION}


@dataclass(frozen=True)
class OrganisationMail:
    """A mail to the address `to`; `values`: what its template shows of the organisation."""

    to: str
    values: Mapping[str, Any]


def compose(session: Session, lease: Lease, site: MailSite) -> OrganisationMail | None:
    """The mail of a row; None when what it is about is gone, or nobody could read it."""
    if lease.kind == OutboxKind.INVITATION:
        return _invitation(session, lease, site)
    return _application(session, lease, site)


def _application(session: Session, lease: Lease, site: MailSite) -> OrganisationMail | None:
    item = decode(ApplicationItem, lease.body)
    organisation = session.get(Organisation, item.organisation_id)
    if organisation is None:
        return None
    message = None if item.message_id is None else session.get(ApplicationMessage, item.message_id)
    due = thread_of(session, organisation.id).due_at
    values = {
        "name": organisation.name,
        "text": "" if message is None else message.text,
        "due": "" if due is None else day_text(due, site.locale),
    }
    if lease.kind == OutboxKind.STAFF_APPLICATION:
        link = f"{site.origin}/admin/organisations/{organisation.id}"
        return OrganisationMail(site.staff_email, {**values, "link": link}) if site.staff_email else None
    applicant = None if organisation.applied_by is None else session.get(Learner, organisation.applied_by)
    if applicant is None or not applicant.email:
        return None
    is_approved = lease.kind == OutboxKind.APPLICATION_APPROVED
    link = f"{site.origin}/organization" + ("" if is_approved else f"/application?application={organisation.id}")
    return OrganisationMail(applicant.email, {**values, "link": link})


def _invitation(session: Session, lease: Lease, site: MailSite) -> OrganisationMail | None:
    row = session.get(Invitation, decode(InvitationItem, lease.body).invitation_id)
    if row is None or row.state != "sent" or not row.email_key:
        return None
    organisation, contract = (
        session.get_one(Organisation, row.organisation_id),
        session.get_one(Contract, row.contract_id),
    )
    inviter = None if row.invited_by is None else session.get(Learner, row.invited_by)
    values = {
        "name": organisation.name,
        "person": row.name,
        "inviter": "" if inviter is None else short_name(inviter.name),
        "is_restricted": contract.is_restricted and row.role == "member",
        "link": f"{site.origin}/user-dashboard?inviteToken={token_of(site.token_key, row.id)}",
        "until": day_text(row.expires_at, site.locale),
    }
    return OrganisationMail(row.email_key, values)
