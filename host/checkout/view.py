"""The checkout as its page, its call and its plain form show it."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from aiohttp import web
from markupsafe import Markup

from domain import money
from domain.checkout import checkout_form, differences
from domain.checkout.checkout_form import CheckoutForm
from domain.checkout.form_fields import BUYER, OTHER_BILLING, FormField, FormGroup
from domain.documents import tax_sums
from domain.money import Currency
from domain.postal_addresses import countries as address_countries
from domain.shop_settings.shop import ShopSettings
from domain.text_direction import isolated
from host.api.cart_schemas import refusal_fields
from host.api.checkout.address_form import OptionSchema
from host.api.checkout.checkout_schemas import Checkout
from host.app_keys import DATABASE, SETTINGS
from host.auth.form_keys import FORM_KEYS
from host.checkout import order_terms
from host.checkout.line_view import line_fields
from host.checkout.paying import PaymentsUnavailable
from host.messaging.payment_gateway import HOST_GATEWAY
from host.rendering.templates import SelectOptions
from host.site_state import SITE

PURPOSE: Final = "checkout"
# Parts of an address on which other fields or the tax depend.
_CHANGING = (".country", ".country_area", ".chosen", ".vat_id")


async def checkout_of(
    app: web.Application, learner_id: int, at: datetime, errors: Mapping[str, str] | None = None
) -> Checkout:
    """`checkout_fields` as the model of the calls."""
    return checkout_model(await checkout_fields(app, learner_id, at, errors))


def checkout_model(fields: Mapping[str, Any]) -> Checkout:
    """The checkout of these `checkout_fields`, with the countries to choose from."""
    return Checkout.model_validate({**fields, "countries": country_options()})


async def checkout_fields(
    app: web.Application, learner_id: int, at: datetime, errors: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The learner's cart and draft, priced now, with a new key: the members of Checkout as its JSON has them, without
    the countries, which are the same for everybody. `errors`: by name of the field, of a form that was refused; without
    them fields show what is wrong in what was typed. Raises ServiceUnavailable."""
    settings = app[SETTINGS]
    form = await app[DATABASE].read_inline(
        checkout_form.read, learner_id, settings.shop, order_terms.payable_settings(settings), at
    )
    is_free = form.quoted.price.total_minor == 0
    can_pay = is_free or app[HOST_GATEWAY].is_available
    return {
        "key": app[FORM_KEYS].create(PURPOSE, learner_id, at),
        **_form(form, {**form.errors, **(errors or {})}),
        **_amounts(form, at, settings.shop),
        "terms": _terms(app),
        "isFree": is_free,
        "reservedMinutes": int(settings.orders.first_reservation.total_seconds() // 60),
        "paymentsRefusal": None if can_pay else str(PaymentsUnavailable()),
    }


@lru_cache(1)
def country_options() -> list[OptionSchema]:
    """All countries to choose from, for everybody alike: validated and made HTML once."""
    return [OptionSchema(value=code, label=name) for code, name in address_countries.countries().items()]


def country_select_options(chosen: str) -> Markup:
    """The options of a plain form's country, which is required."""
    return _country_options().html(chosen, is_required=True)


@lru_cache(1)
def _country_options() -> SelectOptions:
    return SelectOptions(address_countries.countries().items())


def _form(form: CheckoutForm, errors: Mapping[str, str]) -> dict[str, Any]:
    return {
        "forms": [_group(group, errors, form.warnings) for group in form.groups],
        "services": [_service(form, service) for service in form.quoted.services],
        "openOrder": None if form.open_order is None else _open_order(form),
    }


def _group(group: FormGroup, errors: Mapping[str, str], warnings: Mapping[str, str]) -> dict[str, Any]:
    fields = [_field(field, errors.get(field.name), warnings.get(field.name)) for field in group.fields]
    return {"group": group.name, "legend": group.legend, "productId": group.product_id, "fields": fields}


def _field(field: FormField, error: str | None, warning: str | None) -> dict[str, Any]:
    is_country = field.name.endswith(".country")
    changes = field.name in (BUYER, OTHER_BILLING) or field.name.endswith(_CHANGING)
    options = [] if is_country else [vars(option) for option in field.options]
    about = {"kind": "country" if is_country else field.kind, "options": options, "changesForm": changes}
    return {**vars(field), **about, "error": error, "warning": None if error else warning}


def _service(form: CheckoutForm, service: Any) -> dict[str, Any]:
    days = f"{service.days_min} to {service.days_max}" if service.days_min != service.days_max else service.days_min
    unit = "working day" if service.days_max == 1 else "working days"
    return {
        "name": service.service,
        "label": service.service,
        "priceMinor": service.price_minor,
        "listMinor": service.list_price_minor,
        "freeFromMinor": service.free_from_minor,
        "days": f"{days} {unit}",
        "isChosen": service == form.quoted.chosen,
    }


def _open_order(form: CheckoutForm) -> dict[str, Any]:
    order = form.open_order
    assert order is not None  # noqa: S101 the caller has looked
    return {
        "code": order.code,
        "names": list(order.names),
        "totalMinor": order.total_minor,
        "currency": order.currency,
        "placedAt": _json_time(order.placed_at),
        "reservedUntil": None if order.reserved_until is None else _json_time(order.reserved_until),
        "href": f"/completed/{order.code}?back=1",
    }


def _json_time(at: datetime) -> str:
    """As the model writes it."""
    return at.isoformat().replace("+00:00", "Z")


def _amounts(form: CheckoutForm, at: datetime, shop: ShopSettings) -> dict[str, Any]:
    price, refusals = form.quoted.price, form.quoted.quote.refusals
    names = {line.product_id: line.name for line in price.lines}
    return {
        "lines": [line_fields(form, line, at, shop) for line in price.lines if line.product_id is not None],
        "taxes": _taxes(form),
        "totals": _totals(form, shop.currency),
        "seen": differences.to_json(price.seen),
        "refusals": [
            {"productId": product_id, "name": names.get(product_id, "") if product_id else "", "message": message}
            for product_id, message in form.refusals.items()
        ],
        "refusedOffers": [refusal_fields(refusal) for refusal in refusals if refusal.line_id is None],
    }


def _taxes(form: CheckoutForm) -> list[dict[str, Any]]:
    """One row a rate; of lines without tax there is none."""
    lines = [(line.net_minor, tax_sums.line_taxes(line.taxes)) for line in form.quoted.price.lines if line.taxes]
    sums = tax_sums.sums_by_rate(lines, "")
    return [
        {"label": row.label, "percent": row.percent, "baseMinor": row.net_minor, "taxMinor": row.tax_minor}
        for row in sums
    ]


def _totals(form: CheckoutForm, currency: Currency) -> dict[str, Any]:
    price = form.quoted.price
    return {
        "subtotalMinor": price.subtotal_minor,
        "discountMinor": price.discount_minor,
        "deliveryMinor": price.delivery_minor,
        "taxMinor": price.tax_minor,
        "removedTaxMinor": money.to_minor(form.quoted.quote.removed_tax, currency),
        "totalMinor": price.total_minor,
        "currency": price.currency,
        "priceMode": price.price_mode,
        "taxKind": price.tax_kind,
        "place": price.tax_place,
        # An advertised price that contains the tax is the same everywhere.
        "missingArea": form.missing_area if price.price_mode == "exclusive" and price.total_minor else "",
    }


def _terms(app: web.Application) -> dict[str, str]:
    policy = order_terms.policy(app[SITE].state)
    text = f"By placing the order you accept the {isolated(policy.title)}."
    return {"text": text, "href": policy.href, "date": policy.date}
