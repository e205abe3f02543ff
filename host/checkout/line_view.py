"""A line of the checkout as its page shows it."""

from datetime import datetime
from typing import Any

from domain.checkout import gift_fields
from domain.checkout.checkout_form import CheckoutForm
from domain.checkout.priced import CheckoutLine
from domain.shop_settings.shop import ShopSettings
from host.api.cart_schemas import facts, lowest_before, refusal_fields, rejected_offer_fields, step_fields


def line_fields(form: CheckoutForm, line: CheckoutLine, at: datetime, shop: ShopSettings) -> dict[str, Any]:
    """The members of CheckoutLineSchema, of a line with a product."""
    currency = shop.currency
    quote, product = form.quoted.quote, form.products[line.product_id or 0]
    priced = next(row for row in quote.products if row.id == product.id)
    return {
        **facts(product),
        "quantity": line.quantity,
        "listMinor": line.list_minor,
        "lowestBefore": lowest_before(product, at, shop),
        "unitMinor": line.unit_minor,
        "offeredMinor": line.offered_minor,
        "taxMinor": line.tax_minor,
        "totalMinor": line.total_minor,
        "steps": [step_fields(step, currency) for step in priced.steps if step.step != "tax"],
        "rejectedOffers": [rejected_offer_fields(offer, currency) for offer in priced.rejected_offers],
        "refusedOffers": [refusal_fields(refusal) for refusal in quote.refusals if refusal.line_id == product.id],
        "refusal": form.refusals.get(product.id),
        "gift": _gift(line),
        "canBeGift": gift_fields.can_be_gift(product),
    }


def _gift(line: CheckoutLine) -> dict[str, str] | None:
    if line.gift is None:
        return None
    day = str(line.gift.get("send_at", "")).partition("T")[0]
    return {"recipientEmail": line.gift["recipient_email"], "message": line.gift["message"], "sendAt": day}
