"""POST /api/checkout in shops of other currencies, modes of tax and countries."""

import pytest

from domain.account import purchases
from domain.checkout.form_fields import CONSENT, CONSENT_TEXT, NO_CONSENT
from domain.tables import Order, OrderEvent, Payment
from tests.host.api.checkout.conftest import buyer
from tests.host.api.checkout.shop import BERLIN, BOOK, CALIFORNIA, VAT
from tests.host.api.checkout.test_placing import rows

PARIS = {"billing.name": "Ada", "billing.country": "FR"}
SHOPS: dict[str, tuple[dict[str, str], dict[str, int]]] = {
    "yen": ({"CURRENCY": "JPY"}, {"subtotal": 80, "tax": 6, "removedTax": 0, "total": 86}),
    "dinar": ({"CURRENCY": "KWD"}, {"subtotal": 80000, "tax": 6400, "removedTax": 0, "total": 86400}),
    "tax inside": (
        {"PRICES_INCLUDE_TAX": "on", "SHOP_REGION": "CA"},
        {"subtotal": 8000, "tax": 593, "removedTax": 0, "total": 8000},
    ),
    "the tax of home taken out": (
        {"PRICES_INCLUDE_TAX": "on", "SHOP_COUNTRY": "DE"},
        {"subtotal": 8000, "tax": 0, "removedTax": 1277, "total": 6723},
    ),
}


@pytest.mark.parametrize(("settings", "expected"), SHOPS.values(), ids=SHOPS)
async def test_every_currency_and_mode_charges_what_was_shown(open_checkout, settings, expected):
    site = await open_checkout(**settings)
    ada = buyer(site)
    await ada.learner.add(VAT)
    typed = PARIS if expected["tax"] == 0 else CALIFORNIA
    _, checkout = await ada.type(typed)
    assert {name: checkout["totals"][f"{name}Minor"] for name in expected} == expected
    status, result = await ada.order({**typed, CONSENT: "yes"} if typed == PARIS else typed)
    (order,), (payment,) = rows(site, Order), rows(site, Payment)
    assert (status, result["redirect"], order.total_minor) == (200, payment.url, expected["total"])


async def test_a_buyer_in_the_union_orders_digital_goods_with_the_consent_to_begin_at_once(open_checkout):
    site = await open_checkout(SHOP_COUNTRY="DE")
    ada = buyer(site)
    await ada.learner.add(VAT)
    _, checkout = await ada.type(PARIS)
    (box,) = [field for group in checkout["forms"] if group["group"] == "withdrawal" for field in group["fields"]]
    assert (box["name"], box["kind"], box["value"], box["error"]) == (CONSENT, "checkbox", "", None)
    status, refused = await ada.order(PARIS)
    assert (status, refused["errors"], rows(site, Order)) == (422, {CONSENT: NO_CONSENT}, [])
    status, placed = await ada.order({**PARIS, CONSENT: "yes"})
    (order,), events = rows(site, Order), rows(site, OrderEvent)
    assert (status, placed["code"]) == (200, order.code)
    assert [(event.kind, event.actor, event.facts.get("text")) for event in events[:2]] == [
        ("place", "learner", None),
        ("withdrawal_consent", "learner", CONSENT_TEXT),
    ]
    _, shown = await ada.learner.get(f"orders/{order.code}")
    assert f"(text of {CONSENT_TEXT})" in shown["events"][1]["text"]
    with site.db.read_session() as session:
        exported = session.execute(purchases.order_events(ada.learner.id)).all()
    assert [tuple(row)[1::2] for row in exported[:2]] == [("place", None), ("withdrawal_consent", CONSENT_TEXT)]
    # The next order needs a consent of its own.
    _, checkout = await ada.type(PARIS)
    assert checkout["forms"][-1]["fields"][0]["value"] != "yes"


async def test_nobody_outside_the_union_and_no_buyer_of_goods_alone_is_asked_for_the_consent(open_checkout):
    site = await open_checkout(SHOP_COUNTRY="DE")
    ada = buyer(site)
    await ada.learner.add(VAT)
    assert (await ada.order(CALIFORNIA))[0] == 200
    bob = buyer(site, "Bob Byte")
    await bob.learner.add(BOOK)
    assert (await bob.order(BERLIN))[0] == 200
    kinds = {event.kind for event in rows(site, OrderEvent)}
    assert "withdrawal_consent" not in kinds
