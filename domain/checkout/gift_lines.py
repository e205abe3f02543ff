"""Lines of the cart that are gifts from the start: the checkout's form opens with them marked."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import cart
from domain.cart import RequestedLine
from domain.checkout import drafts
from domain.checkout.form_fields import CHECKED
from domain.checkout.gift_fields import chosen_name
from domain.tables import CartLine


def add(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """Put a gift in the cart, which may be something that the learner owns; None, or the refusal. What was typed at the
    checkout before stays, with the gift marked."""
    (result,) = cart.add_all(session, learner_id, [RequestedLine(product_id, is_gift=True)], at)
    draft = drafts.read(session, learner_id, at)
    if result.refusal is None and draft is not None:
        drafts.store(session, learner_id, {**draft.values, chosen_name(product_id): CHECKED}, at)
    return result.refusal


def first_values(session: Session, learner_id: int) -> Mapping[str, str]:
    """The marks of gifts with which the form begins, by name of the field."""
    is_gift = (CartLine.learner_id == learner_id, CartLine.is_gift.is_(True))
    ids = session.scalars(select(CartLine.product_id).where(*is_gift))
    return {chosen_name(product_id): CHECKED for product_id in ids}
