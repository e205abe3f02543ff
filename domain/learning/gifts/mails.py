"""Mails of gifts: to the recipient with the link, and to the giver when it was accepted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from contracts.payloads import GiftItem, decode
from contracts.tasks import OutboxKind
from domain.display_text import day_text
from domain.identity.learners import short_name
from domain.learning.gifts.tokens import token_of, valid_until
from domain.outbox import Lease
from domain.tables import Gift, Learner, Product

KINDS = frozenset({OutboxKind.GIFT_SENT, OutboxKind.GIFT_CLAIMED})


@dataclass(frozen=True)
class GiftMail:
    """A mail to the address `to`; `values`: what its template shows of the gift."""

    to: str
    values: Mapping[str, Any]


def compose(session: Session, lease: Lease, origin: str, key: bytes, locale: str) -> GiftMail | None:
    """The mail of a row; None when the gift was taken back, or its giver is gone. `key`: of the tokens."""
    gift = session.get(Gift, decode(GiftItem, lease.body).gift_id)
    if gift is None:
        return None
    giver, product = session.get_one(Learner, gift.giver_id), session.get_one(Product, gift.product_id)
    values = {"product": product.name, "message": gift.message, "recipient": gift.recipient_email}
    if lease.kind == OutboxKind.GIFT_CLAIMED:
        return GiftMail(giver.email, {**values, "giver": _one_line(giver.name)}) if giver.email else None
    if gift.state != "sent" or not gift.recipient_email:
        return None
    values |= {
        "giver": short_name(giver.name),
        "link": f"{origin}/user-dashboard?giftToken={token_of(key, gift.id)}",
        "until": day_text(valid_until(gift.send_at), locale),
    }
    return GiftMail(gift.recipient_email, values)


def _one_line(name: str) -> str:
    return " ".join(name.split())
