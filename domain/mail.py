"""Mails that follow a committed change: their recipients and what their templates show, by the kind of their outbox
row. The words are in templates/mail, which adapters/mail_templates.py renders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from contracts.payloads import OutboxItem, ReplyItem, decode
from contracts.tasks import OutboxKind
from domain import order_mails
from domain.learning import access_mails
from domain.learning.certificates import mails as certificate_mails
from domain.learning.gifts import mails as gift_mails
from domain.learning.reviews import mails as review_mails
from domain.order_mails import MailSite
from domain.organisations import mails as organisation_mails
from domain.outbox import Lease
from domain.publishing.editing import mails as publishing_mails
from domain.seats import mails as seat_mails
from domain.tables import ContactMessage, ContactReply


@dataclass(frozen=True)
class OutgoingMail:
    """`number`: the id of the outbox row; it identifies a mail that was sent twice. `template`: a name in
    templates/mail, `values`: what it shows."""

    number: int
    to: str
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)


def compose(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    """The mail of a row; None when what it is about was deleted. Raises NewerPayload or MalformedPayload."""
    return COMPOSERS[lease.kind](session, lease, site)


def _contact_confirmation(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    message = session.get(ContactMessage, decode(OutboxItem, lease.body).message_id)
    if message is None:
        return None
    values = {"site": site, "name": message.name, "subject": message.subject, "message": message.message}
    return OutgoingMail(lease.id, message.email, "contact_confirmation", values)


def _contact_reply(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    reply = session.get(ContactReply, decode(ReplyItem, lease.body).reply_id)
    if reply is None:
        return None
    message = session.get_one(ContactMessage, reply.message_id)
    values = {"site": site, "name": message.name, "subject": message.subject, "message": message.message}
    return OutgoingMail(lease.id, message.email, "contact_reply", {**values, "reply": reply.text})


def _order_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = order_mails.compose(session, lease, site)
    template = lease.kind.partition(".")[2]
    return None if mail is None else OutgoingMail(lease.id, mail.to, template, mail.values)


def _access_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = access_mails.compose(session, lease, site.origin, site.locale)
    template = lease.kind.partition(".")[2]
    return None if mail is None else OutgoingMail(lease.id, mail.to, template, {"site": site, "access": mail.values})


def _certificate_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = certificate_mails.compose(session, lease, site.origin, site.locale)
    template = lease.kind.partition(".")[2]
    if mail is None:
        return None
    return OutgoingMail(lease.id, mail.to, template, {"site": site, "certificate": mail.values})


def _gift_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = gift_mails.compose(session, lease, site.origin, site.token_key, site.locale)
    template = lease.kind.partition(".")[2]
    return None if mail is None else OutgoingMail(lease.id, mail.to, template, {"site": site, "gift": mail.values})


def _review_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = review_mails.compose(session, lease, site.origin)
    template = lease.kind.partition(".")[2]
    return None if mail is None else OutgoingMail(lease.id, mail.to, template, {"site": site, "review": mail.values})


def _seat_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = seat_mails.compose(session, lease, site.origin, site.locale)
    template = lease.kind.partition(".")[2]
    return None if mail is None else OutgoingMail(lease.id, mail.to, template, {"site": site, "seat": mail.values})


def _publication_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    product = publishing_mails.refused_product(session, lease, site.origin)
    if product is None or not site.staff_email:
        return None
    return OutgoingMail(lease.id, site.staff_email, "publication_failed", {"site": site, "product": product})


def _organisation_mail(session: Session, lease: Lease, site: MailSite) -> OutgoingMail | None:
    mail = organisation_mails.compose(session, lease, site)
    template = lease.kind.partition(".")[2]
    if mail is None:
        return None
    return OutgoingMail(lease.id, mail.to, template, {"site": site, "organisation": mail.values})


Composer = Callable[[Session, Lease, MailSite], OutgoingMail | None]
COMPOSERS: Mapping[str, Composer] = {
    str(OutboxKind.CONTACT_CONFIRMATION): _contact_confirmation,
    str(OutboxKind.CONTACT_REPLY): _contact_reply,
    str(OutboxKind.PUBLICATION_FAILED): _publication_mail,
    **dict.fromkeys((str(kind) for kind in order_mails.KINDS), _order_mail),
    **dict.fromkeys((str(kind) for kind in access_mails.KINDS), _access_mail),
    **dict.fromkeys((str(kind) for kind in certificate_mails.KINDS), _certificate_mail),
    **dict.fromkeys((str(kind) for kind in gift_mails.KINDS), _gift_mail),
    **dict.fromkeys((str(kind) for kind in review_mails.KINDS), _review_mail),
    **dict.fromkeys((str(kind) for kind in organisation_mails.KINDS), _organisation_mail),
    **dict.fromkeys((str(kind) for kind in seat_mails.KINDS), _seat_mail),
}
