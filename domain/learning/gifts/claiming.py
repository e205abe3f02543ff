"""Accepting a gift by the token of its mail."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from contracts.payloads import GiftItem
from contracts.tasks import OutboxKind
from domain.errors import NotFound, Refused
from domain.identity import learners
from domain.identity.learners import short_name
from domain.learning import bundles, grants
from domain.learning.gifts import erasing
from domain.learning.gifts.tokens import digest_of, valid_until
from domain.learning.grants import GrantSource
from domain.outbox import queue as outbox_queue
from domain.tables import Gift, Learner, Product

# One answer for every token that opens nothing, so that trying tells nothing.
UNKNOWN = "This link opens no gift: it is incomplete, was used already, was taken back, or is too old."
OWN_GIFT = "This is your own gift: it is for the person whom you have given it to."
HAS_ALL = "You have everything that this gift opens. It stays yours to pass on: give the link to somebody else."
# Longer texts are no tokens.
MAX_TOKEN = 200


@dataclass(frozen=True)
class GiftCourse:
    slug: str
    name: str


@dataclass(frozen=True)
class GiftOffer:
    """`giver`: first name and initial, "" for the shop. `refusal`: why this learner cannot accept it; None: they can.
    `is_claimed`: they have accepted it before."""

    name: str
    image: str
    giver: str
    message: str
    courses: tuple[GiftCourse, ...]
    refusal: str | None
    is_claimed: bool


@dataclass(frozen=True)
class WaitingGift:
    """What the link of a gift tells somebody who is not signed in. `giver`: as in GiftOffer."""

    name: str
    giver: str


def waiting(session: Session, token: str, at: datetime) -> WaitingGift | None:
    """The gift of a token that nobody has accepted yet; None for a token that opens nothing."""
    gift = session.scalar(_of_token(token))
    if gift is None or gift.state != "sent" or at >= valid_until(gift.send_at):
        return None
    return WaitingGift(session.get_one(Product, gift.product_id).name, _giver(session, gift))


def offer(session: Session, learner_id: int, token: str, at: datetime) -> GiftOffer | None:
    """The gift of a token as its card shows it; None for a token that opens nothing."""
    gift = session.scalar(_of_token(token))
    if gift is None or not _is_open_to(gift, learner_id, at):
        return None
    product = session.get_one(Product, gift.product_id)
    ids = bundles.course_ids(session, gift.product_id)
    return GiftOffer(
        name=product.name,
        image=product.image,
        giver=_giver(session, gift),
        message=gift.message,
        courses=_courses(session, ids),
        refusal=None if gift.state == "claimed" else _refusal(session, gift, learner_id, ids, at),
        is_claimed=gift.state == "claimed",
    )


def claim(session: Session, learner_id: int, token: str, at: datetime) -> tuple[GiftCourse, ...]:
    """Open the gift's courses to the learner, and tell the giver. The same learner again gets the same answer. Raises
    NotFound for a token that opens nothing, and Refused."""
    learners.lock_account(session, learner_id)
    gift = session.scalar(_of_token(token).with_for_update().execution_options(populate_existing=True))
    if gift is None or not _is_open_to(gift, learner_id, at):
        raise NotFound(UNKNOWN)
    ids = bundles.course_ids(session, gift.product_id)
    if gift.state != "claimed":
        if refusal := _refusal(session, gift, learner_id, ids, at):
            raise Refused(refusal)
        gift.state, gift.learner_id, gift.claimed_at = "claimed", learner_id, at
        session.flush()
        source = GrantSource("gift", gift.id)
        grants.grant(session, learner_id, ids, source, at)
        grants.enqueue_mail(session, source, at)
        if gift.order_line_id is not None:
            outbox_queue.enqueue(session, OutboxKind.GIFT_CLAIMED, GiftItem(gift_id=gift.id), at)
            erasing.erase_if_giver_left(session, gift)
    return _courses(session, ids)


def _of_token(token: str) -> Select[Gift]:
    return select(Gift).where(Gift.token == digest_of(token[:MAX_TOKEN]))


def _is_open_to(gift: Gift, learner_id: int, at: datetime) -> bool:
    if gift.state == "claimed":
        return gift.learner_id == learner_id
    return gift.state == "sent" and at < valid_until(gift.send_at)


def _giver(session: Session, gift: Gift) -> str:
    """First name and initial; "" for the shop."""
    return "" if gift.order_line_id is None else short_name(session.get_one(Learner, gift.giver_id).name)


def _refusal(session: Session, gift: Gift, learner_id: int, ids: tuple[int, ...], at: datetime) -> str | None:
    if gift.giver_id == learner_id:
        return OWN_GIFT
    return HAS_ALL if set(ids) <= grants.owned_ids(session, learner_id, ids, at) else None


def _courses(session: Session, ids: tuple[int, ...]) -> tuple[GiftCourse, ...]:
    rows = {
        key: GiftCourse(slug, name)
        for key, slug, name in session.execute(
            select(Product.id, Product.slug, Product.name).where(Product.id.in_(ids))
        )
    }
    return tuple(rows[key] for key in ids)
