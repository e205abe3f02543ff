"""The order of a checkout form: what is in the learner's cart, with what was typed, at the prices that were seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from domain.checkout import cart_contents, differences, form_fields, known_addresses, placement
from domain.checkout import quote as checkout_quote
from domain.checkout.cart_contents import CartContents
from domain.checkout.checkout_form import email_of
from domain.checkout.differences import Seen
from domain.checkout.form_fields import CONSENT_TEXT, Addresses, asks_consent
from domain.checkout.placement import Changed, Failed, OrderRequest, Placed
from domain.checkout.priced import CheckoutPrice
from domain.checkout.purchase_checks import order_refusals, refusals_of
from domain.errors import InvalidInput
from domain.orders.locks import lock_buyer
from domain.orders.settings import Context
from domain.shop_settings.shop import ShopSettings

TERMS = "terms"
NO_TERMS = "We need your consent to the policy. Read it, and try once more."
NEW_TERMS = "The policy has changed since this page was shown. Read it once more: your next try accepts it."


@dataclass(frozen=True)
class PlaceForm:
    """A form as it was posted. `key`: of the rendering. `values`: what was typed, by name. `service`: of the delivery,
    "" for the cheapest. `terms`: the date of the terms that the form names, "" for none."""

    key: str
    seen: Seen
    values: Mapping[str, str]
    service: str = ""
    terms: str = ""


@dataclass(frozen=True)
class PurchaseTerms:
    """`shop`: its currency and place. `date`: of the terms in force, ISO 8601."""

    shop: ShopSettings
    date: str


def place_cart(
    session: Session, learner_id: int, form: PlaceForm, terms: PurchaseTerms, context: Context
) -> Placed | Changed | Failed:
    """Place the order of a form, in a transaction that begins here. A repeated post gives the order of the first.

    The addresses of the order are those that the next checkout begins with. Raises InvalidInput for fields, and
    KeyReused for the key of an order with other contents.
    """
    learner = lock_buyer(session, learner_id)
    posted = placement.posted_digest(form.values, form.service, form.seen)
    existing = placement.placed_before(session, learner_id, form.key, posted)
    if existing is not None:
        return existing
    contents = cart_contents.read(session, learner_id, form.values, terms.shop, context.at)
    checked = cart_contents.check(contents, form.values, context.at)
    errors = dict(checked.errors) | _terms_error(form, terms.date)
    # Nothing is to be typed for an empty cart: `place` refuses it.
    if errors and contents.lines:
        raise InvalidInput(errors)

    def price(session: Session, wanted: OrderRequest, at: datetime) -> CheckoutPrice:
        return checkout_quote.price(session, wanted, terms.shop, at)

    wanted = _request(learner_id, form, contents, checked.addresses)
    placed = placement.place_first(session, learner, wanted, price, context)
    if isinstance(placed, Placed):
        values = form_fields.with_followed_areas(contents.needs, form.values)
        known_addresses.remember(session, learner_id, values, context.at)
    return placed


def refusal(
    session: Session, learner_id: int, form: PlaceForm, terms: PurchaseTerms, context: Context
) -> Changed | Failed | None:
    """What `place_cart` would refuse of products and prices just now, found by reading alone. None: nothing, or the
    learner has an order of this key or an open one, or a field is wrong; then only `place_cart` tells."""
    if placement.has_order(session, learner_id, form.key):
        return None
    contents = cart_contents.read(session, learner_id, form.values, terms.shop, context.at)
    checked = cart_contents.check(contents, form.values, context.at)
    if checked.errors or _terms_error(form, terms.date):
        return None
    if found := refusals_of(session, learner_id, contents.lines, contents.products, context.at):
        return Failed(found)
    wanted = _request(learner_id, form, contents, checked.addresses)
    quoted = checkout_quote.quote(session, wanted, contents.products, terms.shop, context.at)
    if quoted.no_delivery:
        return None
    if found := order_refusals(quoted.price, email_of(session, learner_id), context.settings):
        return Failed(found)
    changed = differences.compare(form.seen, quoted.price.parts, quoted.price.seen)
    return Changed(tuple(changed)) if changed else None


def _terms_error(form: PlaceForm, date: str) -> dict[str, str]:
    if form.terms == date:
        return {}
    return {TERMS: NEW_TERMS if form.terms else NO_TERMS}


def _request(learner_id: int, form: PlaceForm, contents: CartContents, addresses: Addresses) -> OrderRequest:
    return OrderRequest(
        learner_id=learner_id,
        form_key=form.key,
        seen=form.seen,
        lines=contents.lines,
        billing=addresses.billing,
        delivery=addresses.delivery,
        service=form.service,
        coupon_id=contents.coupon_id,
        # Without the version.
        terms_date=form.terms[:10],
        purchase_order=addresses.purchase_order,
        posted=form.values,
        products=contents.products,
        consent_text=CONSENT_TEXT if asks_consent(contents.needs, form.values) else "",
    )
