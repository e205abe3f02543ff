"""What is printed on a quote, frozen when it is made, in the form of all documents (domain/documents/body.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from domain.checkout.form_fields import Addresses
from domain.checkout.placement import NO_COLUMNS
from domain.checkout.priced import CheckoutLine, CheckoutPrice
from domain.display_text import count_text
from domain.documents.body import Body, BodyLine, shared_body
from domain.documents.invoices import printed_line
from domain.documents.issuer import Issuer
from domain.quotes import quote_states
from domain.quotes.quote_prices import QuotedSeats
from domain.tables import OrderLine

NO_INVOICE = "This is a quote, not an invoice: nothing is to be paid before you accept it."
HOW_TO_ACCEPT = (
    "The price of a seat holds if you accept by the last day of this quote, on the page “Quotes” of your organisation."
)
TAX = "Tax is that of the day of supply. If a rate has changed by then, you see the new total before you accept."
FURTHER_SEATS = "The seats are further ones of your contract, and end with it."


@dataclass(frozen=True)
class PrintedQuote:
    """What a quote is about. `student_number` and `email`: of whoever asked."""

    seats: QuotedSeats
    addresses: Addresses
    price: CheckoutPrice
    email: str
    student_number: str
    valid_until: datetime


@dataclass(frozen=True)
class _Buyer:
    """As `Billed` has it."""

    currency: str
    price_mode: str
    tax_kind: str
    email: str
    billing: Mapping[str, Any]
    purchase_order: str
    delivery: Mapping[str, Any] | None = None


def body_of_quote(printed: PrintedQuote, number: str, at: datetime, issuer: Issuer, terms: Sequence[str]) -> Body:
    """`terms`: sentences about the terms of the shop."""
    price = printed.price
    about = (price.currency, price.price_mode, price.tax_kind, printed.email)
    buyer = _Buyer(*about, printed.addresses.billing, printed.addresses.purchase_order)
    lines = [_line(price.price_mode, line) for line in price.lines]
    body = shared_body(buyer, printed.student_number, issuer, lines)
    return {
        **body,
        "kind": "quote",
        "number": number,
        "issued_on": at.date().isoformat(),
        "valid_until": quote_states.last_day(printed.valid_until).isoformat(),
        "notes": [NO_INVOICE, HOW_TO_ACCEPT, _use_text(printed.seats), TAX, *body["notes"], *terms],
    }


def _line(price_mode: str, line: CheckoutLine) -> BodyLine:
    """As the invoice will print it."""
    columns = {name: value for name, value in vars(line).items() if name not in NO_COLUMNS}
    return printed_line(price_mode, OrderLine(**columns))


def _use_text(seats: QuotedSeats) -> str:
    """For how long the seats can be used."""
    if seats.term_days is None:
        return FURTHER_SEATS
    return f"The seats can be used for {count_text(seats.term_days)} days from the payment on."
