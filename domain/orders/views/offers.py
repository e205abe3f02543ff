"""Offers that did not lower a price, from the quote that the order has stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from domain.money import Currency, to_minor
from domain.orders.views.records import UnusedOfferView
from domain.pricing.quote import DELIVERY_ID

Json = Mapping[str, Any]


@dataclass(frozen=True)
class UnusedOffers:
    """`by_line`: of one line, by the id of its product, DELIVERY_ID for the delivery. `of_cart`: of all lines."""

    by_line: Mapping[int, tuple[UnusedOfferView, ...]]
    of_cart: tuple[UnusedOfferView, ...]

    def of_product(self, product_id: int | None) -> tuple[UnusedOfferView, ...]:
        return self.by_line.get(DELIVERY_ID if product_id is None else product_id, ())


def unused_offers(quote: Json, currency: Currency) -> UnusedOffers:
    """The offers that an order did not use, from its column `quote` (domain/pricing/quote_document.py)."""
    output = quote.get("output", {})
    by_line: dict[int, list[UnusedOfferView]] = {
        int(line["id"]): [_rejected(offer, currency) for offer in line.get("rejected_offers", ())]
        for line in output.get("lines", ())
    }
    of_cart = []
    for refusal in output.get("refusals", ()):
        offer = UnusedOfferView(refusal["step"], refusal["name"], None, refusal["message"])
        if refusal["line_id"] is None:
            of_cart.append(offer)
        else:
            by_line.setdefault(int(refusal["line_id"]), []).append(offer)
    return UnusedOffers({product_id: tuple(offers) for product_id, offers in by_line.items()}, tuple(of_cart))


def _rejected(offer: Json, currency: Currency) -> UnusedOfferView:
    total = to_minor(Decimal(offer["total"]), currency)
    return UnusedOfferView(offer["step"], offer["name"], total, offer["message"])
