"""Lines of the cart that are gifts from the start: the checkout's form opens with them marked."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.cart import lines as cart_lines
from domain.cart.owners import RequestedLine
from domain.checkout import drafts
from domain.checkout.form_fields import CHECKED
from domain.checkout.gift_fields import chosen_name
from domain.checkout.priced import CheckoutLine
from domain.tables import CartLine, Gift, Order, OrderLine

# Each sends a mail from the shop's address to whomever the giver names.
MAX_UNPAID_A_DAY = 3
DAY = timedelta(days=1)
NO_MESSAGE = "A gift that costs nothing is sent without a message: leave it empty."
TOO_MANY = f"You can give {MAX_UNPAID_A_DAY} gifts that cost nothing a day. Give the others tomorrow."


def add(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """Put a gift in the cart, which may be something that the learner owns; None, or the refusal. What was typed at the
    checkout before stays, with the gift marked."""
    (result,) = cart_lines.add_all(session, learner_id, [RequestedLine(product_id, is_gift=True)], at)
    draft = drafts.read(session, learner_id, at)
    if result.refusal is None and draft is not None:
        drafts.store(session, learner_id, {**draft.values, chosen_name(product_id): CHECKED}, at)
    return result.refusal


def first_values(session: Session, learner_id: int) -> Mapping[str, str]:
    """The marks of gifts with which the form begins, by name of the field."""
    is_gift = (CartLine.learner_id == learner_id, CartLine.is_gift.is_(True))
    ids = session.scalars(select(CartLine.product_id).where(*is_gift))
    return {chosen_name(product_id): CHECKED for product_id in ids}


def refusals_of_unpaid(
    session: Session, learner_id: int, lines: Sequence[CheckoutLine], at: datetime
) -> Mapping[int | None, str]:
    """Product id -> why it cannot be given for nothing: whoever pays nothing writes nothing of their own to strangers,
    and to few of them."""
    unpaid = [line for line in lines if line.gift is not None and not line.total_minor]
    if not unpaid:
        return {}
    if with_message := {line.product_id: NO_MESSAGE for line in unpaid if line.gift and line.gift.get("message")}:
        return with_message
    given = select(func.count()).select_from(Gift).join(OrderLine, OrderLine.id == Gift.order_line_id)
    given = given.join(Order, Order.id == OrderLine.order_id).where(Gift.giver_id == learner_id)
    number = session.scalar(given.where(OrderLine.total_minor == 0, Order.placed_at > at - DAY)) or 0
    left = MAX_UNPAID_A_DAY - number
    return {line.product_id: TOO_MANY for line in unpaid[max(0, left) :]}
