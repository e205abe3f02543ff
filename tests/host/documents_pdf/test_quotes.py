"""The file of a quote: what it prints, and that it is no invoice."""

from dataclasses import replace
from io import BytesIO

from pypdf import PdfReader

from domain.documents.issuer import Issuer
from host.documents.pdf import render
from tests.domain.quotes.world import ask_quote, build
from tests.domain.seats.test_seat_orders import ADDRESS, CONTEXT

ISSUER = Issuer("Meridian Learning", ("12 Harbour Street", "Boston"), "IE6388047V", "ML-", "en-GB", "IE")
IN_GB = replace(CONTEXT, settings=replace(CONTEXT.settings, issuer=ISSUER))


def printed(body) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(render(body))).pages)


def test_a_quote_prints_buyer_seats_total_its_last_day_and_that_it_is_no_invoice(session):
    quote = ask_quote(session, build(session), IN_GB, values={**ADDRESS, "billing.purchase_order": "PO-7"})
    text = printed(quote.body)
    for words in (
        "Quote Billed to Northwind 1 Main Street",
        "Number ML-Q2026-000001",
        "Date 1 March 2026",
        "Valid until 31 March 2026",
        "Your order number PO-7",
        "Seats: Vat 10 99.00",
        "Total USD 990.00",
        "This is a quote, not an invoice: nothing is to be paid before you accept it.",
        "The seats can be used for 365 days from the payment on.",
        "Our terms: Refund and cancellation policy, as of 2026-01-01.",
        "VAT id IE6388047V",
    ):
        assert words in text, (words, text)
    assert "Paid on" not in text
    assert PdfReader(BytesIO(render(quote.body))).metadata.title == "Quote ML-Q2026-000001"


def test_equal_quotes_are_equal_bytes(session):
    body = ask_quote(session, build(session), IN_GB).body
    assert render(body) == render({**body})
