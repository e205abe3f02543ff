"""A course of 100.00 and a printed book of 20.00 for buyers of six kinds, by the rates of the demo: the right form,
delivery, tax and invoice, from what was typed to the printed total. What goes back of it sums to the same."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from domain import money
from domain.cart import lines as cart_lines
from domain.cart.lines import Change
from domain.checkout import cart_contents, checkout_form, drafts, purchase
from domain.checkout.checkout_form import CheckoutForm
from domain.checkout.form_fields import CHECKED, CONSENT
from domain.checkout.placement import Placed
from domain.checkout.purchase import PlaceForm, PurchaseTerms
from domain.documents.issuer import Issuer
from domain.orders.explanation.explain import explain
from domain.orders.export.export import export
from domain.orders.export.period import Period
from domain.orders.settings import Context, OrderSettings
from domain.orders.views import order as order_view
from domain.seed import tax_and_delivery
from domain.seed.prices import price
from domain.shop_settings.shop import PriceMode, ShopSettings
from domain.tables import Document, Order
from host.documents.pdf import render
from tests.domain.orders import selling
from tests.domain.orders.refunds.buying import answer, by_command
from tests.support import factories
from tests.support.factories import NOON

SETTINGS = OrderSettings(issuer=Issuer("Meridian Learning", vat_id="IE6388047V"))


@dataclass(frozen=True)
class Case:
    """`shop`: currency, country, price mode. `area`: the label of the area's field, if there is one. `taxes`: label,
    percent and amount of each rate. `printed`: on the invoice."""

    shop: tuple[str, str, PriceMode]
    typed: dict[str, str]
    area: list[str]
    taxes: tuple[tuple[str, str, int], ...]
    delivery: int
    total: int
    printed: tuple[str, ...]
    tax_kind: str = "standard"


def address(country: str, street: str, city: str, postal_code: str = "", area: str = "") -> dict[str, str]:
    fields = {"country": country, "name": "Kim Example", "street_address": street, "city": city}
    fields |= {"postal_code": postal_code, "country_area": area}
    return {f"delivery.{name}": text for name, text in fields.items() if text}


BERLIN = address("DE", "Linienstraße 1", "Berlin", "10115")
COMPANY = {"buyer": "business", "billing.company_name": "Beispiel GmbH", "billing.vat_id": "136 695 976"}
CASES = {
    "German private": Case(
        ("EUR", "IE", "exclusive"),
        BERLIN,
        [],
        (("VAT", "19", 2145), ("VAT", "7", 140)),
        1290,
        15575,
        ("VAT 19% on 112.90 21.45", "VAT 7% on 20.00 1.40", "EUR 155.75"),
    ),
    "German business": Case(
        ("EUR", "IE", "exclusive"),
        {**BERLIN, **COMPANY},
        [],
        (),
        1290,
        13290,
        ("Beispiel GmbH", "VAT id DE136695976", "Reverse charge: the customer owes the VAT", "EUR 132.90"),
        "reverse_charge",
    ),
    "Californian": Case(
        ("USD", "US", "exclusive"),
        address("US", "1 Market Street", "San Francisco", "94105", "CA"),
        ["State"],
        (("Sales tax", "7.25", 145),),
        490,
        12635,
        ("Sales tax 7.25% on 20.00 1.45", "USD 126.35"),
    ),
    "Québécois": Case(
        ("USD", "US", "exclusive"),
        address("CA", "1200 rue Sherbrooke Ouest", "Montréal", "H3A 1H6", "QC"),
        ["Province"],
        (("GST", "5", 650), ("QST", "9.975", 1097)),
        990,
        14737,
        ("GST 5% on 129.90 6.50", "QST 9.975% on 109.90 10.97", "USD 147.37"),
    ),
    "Japanese in yen": Case(
        ("JPY", "JP", "inclusive"),
        address("JP", "1-1 Chiyoda", "Chiyoda-ku", "100-0001", "Tokyo"),
        ["Prefecture"],
        (("Consumption tax", "10", 1226),),
        1490,
        13490,
        ("JPY 13,490", "Consumption tax 10% on 12,264 1,226"),
    ),
    "Kuwaiti in dinars": Case(
        ("KWD", "KW", "exclusive"),
        address("KW", "Block 2, Street 5", "Kuwait City", "13001"),
        [],
        (),
        14900,
        134900,
        ("KWD 134.900",),
        "none",
    ),
}


def fill(session, shop: ShopSettings, books: int = 1) -> int:
    """The learner, with both in their cart."""
    tax_and_delivery.add(session, shop.currency)
    category, currency = factories.category(session).id, shop.currency
    course = factories.course(session, category, list_price=price("100", currency), sale_price=None)
    detail = {"fulfilment": "shipped", "tax_class": "book", "weight_g": 300, "stock": 5}
    about = {"list_price": price("20", currency), "sale_price": None}
    book = factories.item(session, category, "the-book", detail=detail, **about)
    learner = factories.learner(session)
    for product in (course, book):
        assert cart_lines.add(session, learner.id, product.id, NOON) is None
    assert cart_lines.change(session, learner.id, book.id, Change(quantity=books), NOON) is None
    return learner.id


def form_of(session, learner_id: int, typed: dict[str, str], shop: ShopSettings) -> CheckoutForm:
    """The form, filled in."""
    drafts.store(session, learner_id, cart_contents.known_values(typed), NOON)
    return checkout_form.read(session, learner_id, shop, SETTINGS, NOON)


def buy(session, learner_id: int, typed: dict[str, str], form: CheckoutForm, shop: ShopSettings) -> Order:
    """Orders at the prices that the form shows, with the consent that it asks for, and pays."""
    asks = any(field.name == CONSENT for group in form.groups for field in group.fields)
    values = {**typed, CONSENT: CHECKED} if asks else typed
    posted = PlaceForm("key", form.quoted.price.seen, values, "", "2026-01-01")
    result = purchase.place_cart(
        session, learner_id, posted, PurchaseTerms(shop, "2026-01-01"), Context(NOON, SETTINGS)
    )
    assert isinstance(result, Placed), result
    order, at = session.get_one(Order, result.order_id), NOON + timedelta(minutes=5)
    paid = selling.snapshot(order, currency=order.currency, paid_at=at)
    assert selling.apply(session, order, paid, at=at) == "settled"
    return order


def printed(session, order: Order) -> str:
    body = session.scalars(select(Document.body).where(Document.order_id == order.id)).one()
    return " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(render(body))).pages).split())


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_form_the_tax_and_the_invoice_are_those_of_the_buyer(session, case):
    code, country, mode = case.shop
    shop = ShopSettings(money.currency(code), country, "", mode)
    learner_id = fill(session, shop)
    form = form_of(session, learner_id, case.typed, shop)
    fields = [field for group in form.groups for field in group.fields]
    assert [field.label for field in fields if field.name == "delivery.country_area"] == case.area
    assert form.errors == {}
    order = buy(session, learner_id, case.typed, form, shop)
    view = order_view.order_view(session, learner_id, order.code, NOON, SETTINGS)
    assert (order.tax_kind, order.delivery_minor, order.total_minor) == (case.tax_kind, case.delivery, case.total)
    assert sorted((tax.label, tax.percent, tax.tax) for tax in view.taxes) == sorted(case.taxes)
    assert order.billing.get("vat_checked") == ("format" if case.tax_kind == "reverse_charge" else None)
    text = printed(session, order)
    assert [part for part in case.printed if part not in text] == []
    assert explain(session, order.code).differences == ()


def sums(bodies: list[dict]) -> tuple[int, int, dict[str, int]]:
    """The sums of documents: total, tax, and the tax of each rate."""
    by_rate: dict[str, int] = {}
    for line in [line for body in bodies for line in body["lines"]]:
        for tax in line["taxes"]:
            by_rate[tax["label"]] = by_rate.get(tax["label"], 0) + tax["minor"]
    return sum(body["total_minor"] for body in bodies), sum(body["tax_minor"] for body in bodies), by_rate


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_one_of_three_then_a_line_then_all_go_back_to_the_minor_unit(session, case):
    code, country, mode = case.shop
    shop = ShopSettings(money.currency(code), country, "", mode)
    learner_id = fill(session, shop, books=3)
    order = buy(session, learner_id, case.typed, form_of(session, learner_id, case.typed, shop), shop)
    for units in ({2: 1}, {1: None}, {}):
        by_command(session, order, units=units)
        answer(session, order, "succeeded")
    assert (order.state, order.refunded_minor) == ("refunded", order.total_minor)
    documents = session.scalars(select(Document).order_by(Document.id)).all()
    assert [row.kind for row in documents] == ["invoice", *["credit_note"] * 3]
    invoice, *notes = [row.body for row in documents]
    assert sums(notes) == sums([invoice])
    rows: list = []
    agreement = export(session, "documents", Period(), rows.append)
    assert (agreement.is_right, agreement.documents[code]) == (True, 0)
    assert sum(Decimal(row[10]) for row in rows[1:]) == 0
    assert explain(session, order.code).differences == ()
