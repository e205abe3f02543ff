"""Mails to visitors who have written to the shop."""

from sqlalchemy.orm import Session

from contracts.payloads import OutboxItem, ReplyItem, decode
from contracts.tasks import OutboxKind
from domain.mail import Mail, MailSite, mail
from domain.outbox.leases import Lease
from domain.tables import ContactMessage, ContactReply


@mail(OutboxKind.CONTACT_CONFIRMATION, is_reply=True)
def _confirmation(session: Session, lease: Lease, _site: MailSite) -> Mail | None:
    message = session.get(ContactMessage, decode(OutboxItem, lease.body).message_id)
    return None if message is None else _about(message)


@mail(OutboxKind.CONTACT_REPLY)
def _reply(session: Session, lease: Lease, _site: MailSite) -> Mail | None:
    reply = session.get(ContactReply, decode(ReplyItem, lease.body).reply_id)
    return None if reply is None else _about(session.get_one(ContactMessage, reply.message_id), reply=reply.text)


def _about(message: ContactMessage, **values: str) -> Mail:
    shown = {"name": message.name, "subject": message.subject, "message": message.message}
    return Mail(message.email, {**shown, **values})
