"""What the seats of a quote cost. Their price is that of the day on which the quote was made; tax is computed anew for
the day of supply, as the law asks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, TypedDict, Unpack

from sqlalchemy.orm import Session

from domain.checkout import seat_purchase
from domain.checkout.differences import Seen
from domain.checkout.placement import OrderRequest
from domain.checkout.priced import CheckoutPrice
from domain.pricing import quote_reader
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Line
from domain.shop_settings.shop import ShopSettings
from domain.tables import SeatQuote

# The id of a line before its contract is made.
NO_CONTRACT = 0


class _SeatNames(TypedDict):
    name: str
    contract_id: int | None


@dataclass(frozen=True)
class QuotedSeats:
    """What is quoted. `term_days`: the seats come with a contract of their own for the course `product_id`; None: with
    the contract `contract_id`, which the organisation has."""

    name: str
    quantity: int
    unit: Decimal
    contract_id: int | None = None
    product_id: int | None = None
    term_days: int | None = None


def first_price(
    session: Session, seats: QuotedSeats, billing: Mapping[str, Any], shop: ShopSettings, at: datetime
) -> CheckoutPrice:
    """The price of a new quote."""
    line = Line(seats.contract_id or NO_CONTRACT, "item", "", seats.unit, quantity=seats.quantity)
    return _price(
        session, QuoteInputs((line,), None, shop), billing, at, name=seats.name, contract_id=seats.contract_id
    )


def price_now(session: Session, quote: SeatQuote, contract_id: int | None, at: datetime) -> CheckoutPrice:
    """The price of a stored quote with the tax of now. `contract_id`: of the contract whose seats are ordered."""
    stored = quote_reader.read_inputs(quote.quote["inputs"])
    inputs = replace(stored, lines=tuple(replace(line, id=contract_id or line.id) for line in stored.lines))
    return _price(session, inputs, quote.billing, at, name=quote.name, contract_id=contract_id)


def _price(
    session: Session, inputs: QuoteInputs, billing: Mapping[str, Any], at: datetime, **about: Unpack[_SeatNames]
) -> CheckoutPrice:
    # Tax needs the address of an order alone.
    wanted = OrderRequest(learner_id=0, form_key="", seen=Seen(), lines=(), billing=billing)
    return seat_purchase.seats_price(session, inputs, wanted, at, **about)
