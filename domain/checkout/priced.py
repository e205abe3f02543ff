"""What a checkout costs, frozen in minor units: the form in which an order stores it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.checkout.differences import PricedPart, Seen


@dataclass(frozen=True)
class RequestedItem:
    """A product that is to be bought. `coupon_id`: of the line's own code. `gift`: {recipient_email, message, send_at},
    None for oneself."""

    product_id: int
    quantity: int = 1
    coupon_id: int | None = None
    gift: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class CheckoutLine:
    """A line of an order to be: the columns of OrderLine by name, and two that only the comparison with the form needs.
    `reason`: why an offer on it does not hold. `offered_minor`: the total after offers, before any step of tax."""

    kind: str
    name: str
    quantity: int
    list_minor: int
    unit_minor: int
    net_minor: int
    tax_minor: int
    total_minor: int
    product_id: int | None = None
    contract_id: int | None = None
    sku: str = ""
    fulfilment: str = ""
    offer_step: str = ""
    offer_id: int | None = None
    line_code: str = ""
    cart_code: str = ""
    agent: str = ""
    steps: tuple[Mapping[str, Any], ...] = ()
    taxes: tuple[Mapping[str, Any], ...] = ()
    gift: Mapping[str, Any] | None = None
    reason: str = ""
    offered_minor: int = 0

    @property
    def price_step(self) -> str:
        """The step that made the price before tax: list, sale, or that of an offer."""
        return next((str(step["step"]) for step in reversed(self.steps) if step["step"] != "tax"), "list")


@dataclass(frozen=True)
class CheckoutPrice:
    """Lines with delivery last. `document`: inputs and output of the pricing engine as one JSON value, {} of what is
    only shown. `tax_kind`: standard | reverse_charge | none. `refusals`: product id, or None for all of it -> why it
    cannot be bought so."""

    lines: tuple[CheckoutLine, ...]
    currency: str
    price_mode: str
    subtotal_minor: int
    discount_minor: int
    delivery_minor: int
    tax_minor: int
    total_minor: int
    engine_version: int
    document: Mapping[str, Any]
    tax_place: str = ""
    tax_kind: str = "none"
    refusals: Mapping[int | None, str] | None = None

    @property
    def seen(self) -> Seen:
        """What the form shows, and sends back."""
        lines = {line.product_id: line.offered_minor for line in self.lines if line.product_id is not None}
        return Seen(lines, self.delivery_minor, self.tax_minor, self.total_minor)

    @property
    def parts(self) -> tuple[PricedPart, ...]:
        return tuple(
            PricedPart(line.product_id, line.name, line.offered_minor, line.price_step, line.reason)
            for line in self.lines
            if line.product_id is not None
        )
