"""Whether an order may be placed as it is: the rules of the cart once more, and the limits of payments."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from domain import money
from domain.cart.lines import MAX_QUANTITY
from domain.cart.products import CartProduct, PurchaseContext, products, purchase_refusal
from domain.checkout.priced import CheckoutPrice, RequestedItem
from domain.display_text import money_text
from domain.learning import grants
from domain.orders.settings import OrderSettings
from domain.organisations.access import Access, access_of
from domain.text_direction import isolated

Refusals = Mapping[int | None, str]


def line_refusals(
    session: Session,
    learner_id: int,
    lines: Sequence[RequestedItem],
    at: datetime,
    by_id: Mapping[int, CartProduct] | None = None,
) -> Refusals:
    """Product id -> why it cannot be bought, a text for the learner; None: there is nothing to buy. `by_id`: the
    products, if they are at hand."""
    if by_id is None:
        by_id = products(session, [line.product_id for line in lines], learner_id)
    return refusals_of(session, learner_id, lines, by_id, at)


def refusals_of(
    session: Session, learner_id: int, lines: Sequence[RequestedItem], by_id: Mapping[int, CartProduct], at: datetime
) -> Refusals:
    """Product id -> why it cannot be bought, as `line_refusals` says it. `by_id`: the products, which were read
    before."""
    if not lines:
        return {None: "Your cart is empty."}
    ids, access = [line.product_id for line in lines], access_of(session, learner_id, at)
    owned = grants.owned_ids(session, learner_id, ids, at)
    found = {line.product_id: _refusal(line, by_id.get(line.product_id), access, owned) for line in lines}
    return {product_id: text for product_id, text in found.items() if text is not None}


def _refusal(line: RequestedItem, product: CartProduct | None, access: Access, owned: set[int]) -> str | None:
    # A gift may be something that the buyer has.
    is_owned = line.gift is None and line.product_id in owned
    refusal = purchase_refusal(PurchaseContext(product, access, is_owned=is_owned, quantity=line.quantity))
    if refusal is not None or product is None or 1 <= line.quantity <= MAX_QUANTITY:
        return refusal
    return f"You can buy {isolated(product.name)} up to {MAX_QUANTITY} times in one order."


def order_refusals(
    priced: CheckoutPrice, email: str, settings: OrderSettings, *, by_transfer: bool = False
) -> Refusals:
    """What stands against the whole order: key None. `by_transfer`: the money does not come through the gateway, so
    the gateway's largest payment is no limit."""
    if not email:
        return {None: "Add an email address to your profile first: the receipt goes there."}
    total, currency = priced.total_minor, money.currency(priced.currency)
    if 0 < total < settings.min_payment_minor:
        least = money_text(settings.min_payment_minor, currency, settings.locale)
        return {None: f"The smallest amount that can be paid is {least}. Add something to your cart."}
    largest = None if by_transfer else settings.largest_payment_minor
    if largest is not None and total > largest:
        most = money_text(largest, currency, settings.locale)
        return {None: f"At most {most} can be paid at once. Split this order into several."}
    return priced.refusals or {}
