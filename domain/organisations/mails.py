"""Mails about applications and invitations: recipients, and what the templates show."""

from datetime import datetime

from sqlalchemy.orm import Session

from contracts.payloads import ApplicationItem, InvitationItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.identity.learners import short_name
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.organisations.applications.thread import thread_of
from domain.organisations.joining import closing
from domain.organisations.joining import sending as joining_sending
from domain.organisations.joining.sending import MAX_AN_HOUR
from domain.organisations.joining.tokens import token_of
from domain.outbox.errors import Later
from domain.outbox.leases import Lease
from domain.tables import ApplicationMessage, Contract, Invitation, Learner, Organisation


def _example(case: ExampleCase) -> Values:
    organisation = {
        "name": "Harbour Shipping",
        "text": "Which of your ports shall learn?",
        "due": "" if case.is_bare else case.day(2),
        "link": f"{case.site.origin}/organization",
        "person": case.name,
        "inviter": "" if case.is_bare else "Grace H.",
        "is_restricted": not case.is_bare,
        "until": case.day(14),
    }
    return {"organisation": organisation}


@mail("Applicant", {OutboxKind.APPLICATION_RECEIVED: "An organisation applies."}, example=_example, is_reply=True)
@mail(
    "Applicant",
    {
        OutboxKind.APPLICATION_QUESTION: "Staff ask about an application.",
        OutboxKind.APPLICATION_APPROVED: "An application is approved.",
        OutboxKind.APPLICATION_DECLINED: "An application is declined.",
    },
    example=_example,
)
@mail("Staff", {OutboxKind.STAFF_APPLICATION: "An application waits."}, example=_example)
def _application(session: Session, lease: Lease, site: MailSite) -> Mail | None:
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
        return Mail(site.staff_email, {"organisation": {**values, "link": link}})
    applicant = None if organisation.applied_by is None else session.get(Learner, organisation.applied_by)
    if applicant is None:
        return None
    is_approved = lease.kind == OutboxKind.APPLICATION_APPROVED
    link = f"{site.origin}/organization" + ("" if is_approved else f"/application?application={organisation.id}")
    return Mail(applicant.email, {"organisation": {**values, "link": link}})


def _open_link(session: Session, lease: Lease, site: MailSite, at: datetime) -> None:
    """Raises Later for an invitation too many."""
    if (wait_s := joining_sending.open_link(session, lease, site.token_key, at)) is not None:
        raise Later(wait_s, f"the organisation has sent {MAX_AN_HOUR} invitations within an hour")


@mail(
    "Whoever is invited",
    {OutboxKind.INVITATION: "An organisation invites somebody."},
    example=_example,
    prepare=_open_link,
    on_refused=closing.mark_refused,
)
def _invitation(session: Session, lease: Lease, site: MailSite) -> Mail | None:
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
    return Mail(row.email_key, {"organisation": values})
