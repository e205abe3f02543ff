"""What a learner orders from the checkout: the lines of their cart, as gifts where the form says so."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.orm import Session

from domain.cart.cart_coupon import coupon_of
from domain.cart.owners import Owner
from domain.cart.products import CartProduct, products
from domain.cart.promises import with_promises
from domain.checkout import form_fields, gift_fields
from domain.checkout.form_fields import CONSENT, Addresses, CheckoutNeeds, FormGroup
from domain.checkout.priced import RequestedItem
from domain.checkout.quote import SHIPPED
from domain.database.prepared_select import PreparedSelect, row_type
from domain.shop_settings.shop import ShopSettings
from domain.tables import CartLine, TaxRate
from domain.tax import vat_ids
from domain.tax.territories import has_whole_areas

# The name of the chosen delivery service, beside those of the fields.
SERVICE = "service"


@dataclass(frozen=True)
class CartContents:
    """`lines`: what is in the cart and not saved for later, the oldest first. `coupon_id`: of the whole cart."""

    lines: tuple[RequestedItem, ...]
    products: Mapping[int, CartProduct]
    coupon_id: int | None
    needs: CheckoutNeeds

    @property
    def sold(self) -> tuple[CartProduct, ...]:
        """The products in the order of the lines."""
        return tuple(self.products[line.product_id] for line in self.lines if line.product_id in self.products)


@dataclass(frozen=True)
class CheckedCart:
    """`errors`, `warnings`: by name of the field; `addresses` as of form_fields.CheckedForm."""

    addresses: Addresses
    errors: Mapping[str, str]
    warnings: Mapping[str, str]


_LINES = PreparedSelect(
    select(*CartLine.__table__.c)
    .where(CartLine.learner_id == bindparam("learner"), CartLine.is_saved.is_(False))
    .order_by(CartLine.added_at, CartLine.id),
    row_type(CartLine)._make,
)
_rates = TaxRate.__table__.c
# How many rates hold in a country, and one area and one postal code that they name, "" for none.
_MOST: list[Any] = [func.count(_rates.id), func.max(_rates.region), func.max(_rates.postal_from)]
_NAMED_BY_RATES = PreparedSelect(
    select(*_MOST)
    .where(_rates.country == bindparam("country"), _rates.starts_on <= bindparam("on"))
    .where(or_(_rates.ends_on.is_(None), _rates.ends_on >= bindparam("on"))),
    tuple,
)


def read(
    session: Session, learner_id: int, values: Mapping[str, str], shop: ShopSettings, at: datetime
) -> CartContents:
    """The learner's cart with what was typed at the checkout."""
    rows = _LINES.all(session, learner=learner_id)
    by_id = with_promises(products(session, [row.product_id for row in rows], learner_id), rows, at)
    lines = tuple(_line(row, by_id.get(row.product_id), values) for row in rows)
    is_shipped = any(product.fulfilment == SHIPPED for product in by_id.values())
    regional, postal = _where_tax_differs(session, form_fields.countries_of(values, shop.country), at.date())
    has_digital = any(product.fulfilment != SHIPPED for product in by_id.values())
    needs = CheckoutNeeds(
        is_shipped,
        shop.country,
        regional.__contains__,
        asks_consent=has_digital and shop.follows_union_rules,
        has_postal_rates=postal.__contains__,
    )
    return CartContents(lines, by_id, coupon_of(session, Owner(learner_id), at), needs)


def _line(row: Any, product: CartProduct | None, values: Mapping[str, str]) -> RequestedItem:
    if product is None:
        return RequestedItem(row.product_id, row.quantity, row.coupon_id)
    # A line of an older build may have several of what is bought once.
    quantity = 1 if product.is_bought_once else row.quantity
    return RequestedItem(row.product_id, quantity, row.coupon_id, gift_fields.gift_of(product, values))


def _where_tax_differs(session: Session, countries: Iterable[str], on: date) -> tuple[set[str], set[str]]:
    """The countries in which tax depends on the area, and those in which it depends on the postal code."""
    regional, postal = set(), set()
    for country in countries:
        [(rates, area, postal_code)] = _NAMED_BY_RATES.all(session, country=country, on=on)
        if area or (rates and has_whole_areas(country)):
            regional.add(country)
        if postal_code:
            postal.add(country)
    return regional, postal


def groups(contents: CartContents, values: Mapping[str, str]) -> tuple[FormGroup, ...]:
    """The whole form: of buyer and addresses, then one group for each line that can be a gift."""
    gifts = [gift_fields.group(product, values) for product in contents.sold if gift_fields.can_be_gift(product)]
    return (*form_fields.groups(contents.needs, values), *gifts)


def check(contents: CartContents, values: Mapping[str, str], at: datetime) -> CheckedCart:
    """The addresses as far as they are right, and all errors of the form."""
    checked = form_fields.check(contents.needs, values, vat_ids.check)
    gift_errors = gift_fields.errors(contents.sold, values, at.date())
    return CheckedCart(checked.addresses, {**checked.errors, **gift_errors}, checked.warnings)


def known_values(values: Mapping[str, str]) -> dict[str, str]:
    """The values as a draft stores them, the chosen service among them, without the consent: it is given with the press
    that orders. Raises InvalidInput: errors by name."""
    asked = {name: value for name, value in values.items() if name != CONSENT}
    return form_fields.known_values(asked, lambda name: name == SERVICE or gift_fields.is_name(name))
