"""Mails of gifts: to the recipient with the link, and to the giver when it was accepted."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from contracts.payloads import GiftItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.identity.learners import short_name
from domain.learning.gifts.sending import open_link
from domain.learning.gifts.tokens import token_of, valid_until
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.tables import Gift, Learner, Product


def _open_link(session: Session, lease: Lease, site: MailSite, _at: datetime) -> None:
    open_link(session, lease, site.token_key)


def _example(case: ExampleCase) -> Values:
    gift = {
        "product": case.course,
        "message": "" if case.is_bare else "Happy birthday!",
        "recipient": "" if case.is_bare else "ada@example.com",
        "giver": "" if case.is_bare else "Grace Hopper",
        "link": f"{case.site.origin}/user-dashboard",
        "until": case.day(30),
    }
    return {"gift": gift}


@mail("Recipient of the gift", {OutboxKind.GIFT_SENT: "A gift is sent."}, example=_example, prepare=_open_link)
def _to_recipient(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when the gift was taken back."""
    gift = session.get(Gift, decode(GiftItem, lease.body).gift_id)
    if gift is None or gift.state != "sent" or not gift.recipient_email:
        return None
    link = f"{site.origin}/user-dashboard?giftToken={token_of(site.token_key, gift.id)}"
    until = day_text(valid_until(gift.send_at), site.locale)
    return Mail(gift.recipient_email, {"gift": {**_values(session, gift, short_name), "link": link, "until": until}})


@mail("Giver", {OutboxKind.GIFT_CLAIMED: "A gift is accepted."}, example=_example)
def _to_giver(session: Session, lease: Lease, _site: MailSite) -> Mail | None:
    gift = session.get(Gift, decode(GiftItem, lease.body).gift_id)
    if gift is None:
        return None
    giver = session.get_one(Learner, gift.giver_id)
    return Mail(giver.email, {"gift": _values(session, gift, _one_line)})


def _values(session: Session, gift: Gift, name_of: Callable[[str], str]) -> dict[str, str]:
    return {
        "product": session.get_one(Product, gift.product_id).name,
        "message": gift.message,
        "recipient": gift.recipient_email,
        "giver": name_of(session.get_one(Learner, gift.giver_id).name),
    }


def _one_line(name: str) -> str:
    return " ".join(name.split())
