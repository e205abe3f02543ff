"""Mails to visitors who have written to the shop."""

from sqlalchemy.orm import Session

from contracts.payloads import OutboxItem, ReplyItem, decode
from contracts.tasks import OutboxKind
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.tables import ContactMessage, ContactReply


def _example(_case: ExampleCase) -> Values:
    return {
        "name": "Ada Lovelace",
        "subject": "Invoice of my company",
        "message": "Hello,\ncan you write the name of my company on the invoice?",
        "reply": "Good morning,\nit is on the invoice now: you find it with your order.",
    }


@mail(
    "Whoever wrote",
    {OutboxKind.CONTACT_CONFIRMATION: "Somebody uses the contact form."},
    example=_example,
    is_reply=True,
)
def _confirmation(session: Session, lease: Lease, _site: MailSite) -> Mail | None:
    message = session.get(ContactMessage, decode(OutboxItem, lease.body).message_id)
    return None if message is None else _about(message)


@mail("Whoever wrote", {OutboxKind.CONTACT_REPLY: "Staff answer a message."}, example=_example)
def _reply(session: Session, lease: Lease, _site: MailSite) -> Mail | None:
    reply = session.get(ContactReply, decode(ReplyItem, lease.body).reply_id)
    return None if reply is None else _about(session.get_one(ContactMessage, reply.message_id), reply=reply.text)


def _about(message: ContactMessage, **values: str) -> Mail:
    shown = {"name": message.name, "subject": message.subject, "message": message.message}
    return Mail(message.email, {**shown, **values})
