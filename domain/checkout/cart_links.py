"""Links that carry a guest's cart to another device. For a day a link shows the lines to everyone who opens it; it
changes nothing until they take the lines over, and can be used again."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.cart import merge as cart_merge
from domain.cart.cart_coupon import coupon_of, set_cart_coupon
from domain.cart.merge import Merged
from domain.cart.owners import Owner, RequestedLine
from domain.identity.sessions import digest
from domain.tables import CartLink

TTL = timedelta(hours=24)
SECRET_BYTES = 16
MAX_SECRET_LENGTH = 64
# In a link that a program makes.
MAX_PROMISED_LINES = 20


@dataclass(frozen=True)
class LinkedCart:
    """`coupon_id`: the coupon of the guest's cart; None for none."""

    lines: tuple[RequestedLine, ...]
    coupon_id: int | None


def create(session: Session, owner: Owner, lines: Sequence[RequestedLine], at: datetime) -> str:
    """The secret of a new link to these lines and to the owner's cart coupon; only its digest is stored."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    pairs = [[line.id, line.quantity] for line in lines]
    coupon_id = coupon_of(session, owner, at)
    session.add(CartLink(digest=digest(secret), lines=pairs, coupon_id=coupon_id, expires_at=at + TTL))
    session.flush()
    return secret


def read(session: Session, secret: str, at: datetime) -> LinkedCart | None:
    """None for an unknown link, and for one of more than a day ago."""
    if not 0 < len(secret) <= MAX_SECRET_LENGTH:
        return None
    row = session.scalar(select(CartLink).where(CartLink.digest == digest(secret), CartLink.expires_at > at))
    if row is None:
        return None
    return LinkedCart(tuple(RequestedLine(*pair) for pair in row.lines), row.coupon_id)


def take_over(session: Session, learner_id: int, secret: str, at: datetime) -> list[Merged] | None:
    """Put the lines of a link in the learner's cart, with its coupon if the cart has none; the result of each line, as
    of `cart.merge`. None: the link is unknown or has expired. Repeating it changes nothing."""
    link = read(session, secret, at)
    if link is None:
        return None
    merged = cart_merge.merge(session, learner_id, link.lines, None, at)
    owner = Owner(learner_id)
    if link.coupon_id is not None and coupon_of(session, owner, at) is None:
        set_cart_coupon(session, owner, link.coupon_id, at)
    return merged


def delete_expired(session: Session, at: datetime) -> int:
    """The number of links deleted."""
    result: Any = session.execute(delete(CartLink).where(CartLink.expires_at <= at))
    return int(result.rowcount)
