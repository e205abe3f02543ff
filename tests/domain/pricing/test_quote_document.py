"""A quote as the JSON document of an order: it comes back as it was, and its engine computes it again."""

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from domain.pricing import engine as pricing_engine
from domain.pricing import engine_versions, quote_document, quote_reader
from domain.pricing import engine_versions as pricing_engine_versions
from domain.pricing.engine_versions import UnknownEngine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Delivery, Line, Offer, OfferRef, Window
from domain.pricing.quote import Quote, Refusal, Step, StepFacts
from domain.tax.context import TaxComponent, TaxContext
from domain.tax.places import Place
from tests.domain.pricing.carts import random_carts
from tests.domain.pricing.cases import inputs
from tests.support.factories import NOON
from tests.support.shops import SHOP

MONTH = Window(NOON - timedelta(days=10), NOON + timedelta(days=20))
COUPON = OfferRef("coupon", 7)
SPRING = Offer("SPRING", "percent", Decimal("12.50"), ref=COUPON, window=MONTH)
NORTHWIND = Offer("Northwind", "price", Decimal("80.00"), ref=OfferRef("contract", 3), window=Window(NOON))
NAMED = frozenset({2, 1})
MINUS = Offer("MINUS", "amount", Decimal("10.00"), ref=OfferRef("coupon", 9), products=NAMED, once_per_order=True)
ORDER = QuoteInputs(
    lines=(
        Line(1, "course", "tax", Decimal("100.00"), Decimal("90.00"), 1, NORTHWIND, SPRING, sale_window=MONTH),
        Line(2, "item", "tax", Decimal("39.00"), quantity=3, tax_class="book", other_contracts=(NORTHWIND, SPRING)),
    ),
    coupon=MINUS,
    shop=SHOP,
    tax=TaxContext(
        Place("CA", "QC"),
        {"book": (TaxComponent("GST", Decimal("5.000"), 11), TaxComponent("QST", Decimal("9.975"), 12))},
        reverse_charge=frozenset({"service"}),
        buyer_vat_id="DE136695976",
    ),
    delivery=Delivery("Express", Decimal("0.00"), Decimal("14.90"), Decimal("75.00"), 4),
    refusals=(Refusal("code", "OLD", 1, "unusable", "This code cannot be used.", OfferRef("coupon", 8)),),
)


@pytest.fixture
def quote() -> Quote:
    return pricing_engine.price(ORDER)


def stored(inputs: QuoteInputs, quote: Quote) -> dict[str, object]:
    """As the database returns it."""
    return json.loads(json.dumps(quote_document.to_json(inputs, quote)))


def test_a_document_has_the_inputs_and_the_output(quote):
    assert quote_reader.from_json(stored(ORDER, quote)) == (ORDER, quote)


def test_every_random_cart_comes_back_and_is_computed_again():
    for cart in random_carts(240):
        of_cart = inputs(cart)
        quote = pricing_engine.price(of_cart)
        document = stored(of_cart, quote)
        assert quote_reader.from_json(document) == (of_cart, quote)
        assert pricing_engine_versions.replay(document) == quote


def test_a_document_is_computed_again_by_the_engine_that_made_it(quote, monkeypatch):
    document = stored(ORDER, quote)

    def later_engine(inputs: QuoteInputs) -> Quote:
        return replace(pricing_engine.price(inputs), total=Decimal("0.00"))

    monkeypatch.setattr(engine_versions, "ENGINES", {**engine_versions.ENGINES, 98: later_engine})
    assert pricing_engine_versions.replay(document) == quote
    assert pricing_engine_versions.replay({**document, "engine": 98}).total == 0


def test_a_document_of_an_unknown_engine_is_refused(quote):
    with pytest.raises(UnknownEngine, match=r"engine 99 is unknown to this build; it has \[1, 2\]"):
        pricing_engine_versions.replay({**stored(ORDER, quote), "engine": 99})


def test_fields_that_a_later_build_adds_have_their_defaults_in_an_older_document(quote):
    document = stored(ORDER, quote)
    del document["inputs"]["refusals"], document["inputs"]["lines"][1]["tax_class"]
    restored, _ = quote_reader.from_json(document)
    assert (restored.refusals, restored.lines[1].tax_class) == ((), "service")


def test_fields_that_only_a_later_build_knows_are_left_out_after_it_was_rolled_back(quote):
    document = stored(ORDER, quote)
    line, delivery = document["inputs"]["lines"][0], document["output"]["lines"][2]
    for part in (document["inputs"], document["inputs"]["shop"], line, document["output"], delivery["steps"][0]):
        part["later"] = {"text": "x"}
    assert quote_reader.from_json(document) == (ORDER, quote)
    assert pricing_engine_versions.replay(document) == quote


def test_every_step_names_its_offer_and_what_it_was_computed_from(quote):
    course, book, delivery = quote.lines
    assert course.steps == (
        Step("list", "", Decimal("0.00"), Decimal("100.00"), facts=StepFacts(value=Decimal("100.00"))),
        Step(
            *("sale", "", Decimal("-10.00"), Decimal("90.00")),
            facts=StepFacts(value=Decimal("90.00"), base=Decimal("100.00")),
        ),
        Step(
            *("code", "SPRING", Decimal("-11.25"), Decimal("78.75")),
            ref=COUPON,
            facts=StepFacts(percent=Decimal("12.50"), base=Decimal("90.00")),
        ),
    )
    assert [(offer.step, offer.ref) for offer in course.rejected_offers] == [
        ("organisation", OfferRef("contract", 3)),
        ("coupon", OfferRef("coupon", 9)),
    ]
    assert [(step.name, step.tax, step.facts.rate_id) for step in book.taxes] == [
        ("GST", Decimal("5.57"), 11),
        ("QST", Decimal("11.11"), 12),
    ]
    assert (delivery.total, delivery.steps[1].facts.base) == (Decimal("0.00"), Decimal("75.00"))
    assert [refusal.ref for refusal in quote.refusals] == [OfferRef("coupon", 8)]


def test_a_quote_names_its_engine_currency_place_and_kind_of_tax(quote):
    assert (quote.engine_version, quote.currency, quote.price_mode) == (2, "USD", "exclusive")
    assert (quote.place, quote.tax_kind) == (Place("CA", "QC"), "reverse_charge")
    assert [line.id for line in quote.products] == [1, 2]
    assert [line.id for line in quote.delivery_lines] == [0]
    book = quote.lines[1]
    assert (book.offered, book.net, book.tax, book.total) == (
        *(Decimal("111.35"), Decimal("111.35")),
        *(Decimal("16.68"), Decimal("128.03")),
    )
