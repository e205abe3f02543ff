"""GET and PUT /api/checkout: the form for what was typed so far, and what the order costs by it."""

import pytest

from tests.host.api.checkout.shop import BERLIN, BOOK, CALIFORNIA, VAT
from tests.host.api.test_openapi import described, fits


def names(checkout) -> list[str]:
    return [field["name"] for group in checkout["forms"] for field in group["fields"]]


def values(checkout) -> dict[str, str]:
    return {field["name"]: field["value"] for group in checkout["forms"] for field in group["fields"]}


def errors(checkout) -> dict[str, str]:
    fields = [field for group in checkout["forms"] for field in group["fields"]]
    return {field["name"]: field["error"] for field in fields if field["error"]}


def amounts(checkout) -> dict[str, int]:
    return {name.removesuffix("Minor"): value for name, value in checkout["totals"].items() if name.endswith("Minor")}


async def test_the_first_form_asks_for_what_a_private_person_must_say(ada):
    course = await ada.learner.add(VAT)
    checkout = await ada.show()
    assert names(checkout) == [
        "buyer",
        "billing.country",
        "billing.name",
        "billing.country_area",
        f"gift.{course}.chosen",
    ]
    assert (values(checkout)["billing.country"], checkout["services"], checkout["openOrder"]) == ("US", [], None)
    line = checkout["lines"][0]
    assert (line["listMinor"], line["unitMinor"], line["offeredMinor"], line["refusal"]) == (10000, 8000, 8000, None)
    assert [(step["step"], step["total"]) for step in line["steps"]] == [("list", 10000), ("sale", 8000)]
    assert checkout["seen"] == {"lines": {str(course): 8000}, "delivery": 0, "tax": 0, "total": 8000}
    assert (checkout["refusals"], checkout["isFree"], checkout["paymentsRefusal"]) == ([], False, None)


@pytest.mark.each_database
async def test_what_was_typed_prices_the_order_anew_and_is_there_again(ada):
    await ada.learner.add(VAT)
    status, checkout = await ada.type(CALIFORNIA)
    assert (status, amounts(checkout)["tax"], amounts(checkout)["total"]) == (200, 640, 8640)
    assert checkout["taxes"] == [{"label": "Tax", "percent": "8", "baseMinor": 8000, "taxMinor": 640}]
    assert values(await ada.show()) | CALIFORNIA == values(checkout)


async def test_the_service_that_is_chosen_is_paid_and_the_cheapest_before(ada):
    await ada.learner.add(BOOK)
    _, checkout = await ada.type(BERLIN)
    assert [(row["name"], row["priceMinor"], row["days"], row["isChosen"]) for row in checkout["services"]] == [
        ("Standard", 490, "1 to 3 working days", True),
        ("Express", 990, "1 working day", False),
    ]
    assert amounts(checkout) == {
        "subtotal": 1990,
        "discount": 0,
        "delivery": 490,
        "tax": 471,
        "removedTax": 0,
        "total": 2951,
    }
    _, express = await ada.type(BERLIN, "Express")
    assert amounts(express)["delivery"] == 990
    assert [row["isChosen"] for row in (await ada.show())["services"]] == [False, True]


WRONG = {
    "a postal code": ({**BERLIN, "delivery.postal_code": "1"}, "delivery.postal_code", "in the form"),
    "a country without delivery": ({**BERLIN, "delivery.country": "FR"}, "delivery.country", "France"),
    "an unknown country": ({**BERLIN, "delivery.country": "ZZ"}, "delivery.country", "Choose a country."),
    "a business of an unknown country": ({"buyer": "business", "delivery.country": "ZZ"}, "delivery.country", "Choose"),
    "a VAT id": ({**BERLIN, "buyer": "business", "billing.vat_id": "DE1"}, "billing.vat_id", "Check this VAT id"),
}


@pytest.mark.parametrize(("typed", "field", "text"), WRONG.values(), ids=WRONG)
async def test_what_is_wrong_is_named_at_its_field_and_stored_all_the_same(ada, typed, field, text):
    await ada.learner.add(BOOK)
    status, checkout = await ada.type(typed)
    assert (status, list(errors(checkout))) == (200, [field])
    assert text in errors(checkout)[field]
    shown = values(await ada.show())
    assert shown | {name: value for name, value in typed.items() if name in shown} == shown
    assert checkout["seen"]["lines"] != {}


UNKNOWN = {
    "an unknown name": ({"billing.price": "1"}, "billing.price"),
    "the price of a line": ({"lines.1.price": "0"}, "lines.1.price"),
    "a text without end": ({"billing.name": "a" * 1001}, "billing.name"),
    "half a character": ({"billing.name": "\ud800"}, "billing.name"),
}


@pytest.mark.parametrize(("typed", "field"), UNKNOWN.values(), ids=UNKNOWN)
async def test_what_no_form_can_send_is_refused_and_not_stored(ada, typed, field):
    await ada.learner.add(VAT)
    await ada.type(CALIFORNIA)
    status, problem = await ada.type(typed)
    assert (status, list(problem["errors"])) == (422, [field])
    assert values(await ada.show())["billing.name"] == "Ada Lovelace"


async def test_a_gift_has_fields_of_its_own(ada):
    course = await ada.learner.add(VAT)
    prefix = f"gift.{course}"
    _, checkout = await ada.type({**CALIFORNIA, f"{prefix}.chosen": "yes"})
    assert [name for name in names(checkout) if name.startswith("gift")] == [
        f"{prefix}.chosen",
        f"{prefix}.recipient_email",
        f"{prefix}.message",
        f"{prefix}.send_at",
    ]
    typed = {f"{prefix}.chosen": "yes", f"{prefix}.recipient_email": "nobody", f"{prefix}.send_at": "2020-01-01"}
    status, checkout = await ada.type({**CALIFORNIA, **typed})
    assert (status, sorted(errors(checkout))) == (200, [f"{prefix}.recipient_email", f"{prefix}.send_at"])
    good = {f"{prefix}.recipient_email": "bob@example.test", f"{prefix}.send_at": "", f"{prefix}.message": "Enjoy"}
    _, checkout = await ada.type({**CALIFORNIA, **typed, **good})
    assert checkout["lines"][0]["gift"] == {"recipientEmail": "bob@example.test", "message": "Enjoy", "sendAt": ""}


async def test_an_empty_cart_cannot_be_ordered(ada):
    checkout = await ada.show()
    assert [(row["productId"], row["message"]) for row in checkout["refusals"]] == [(None, "Your cart is empty.")]
    assert (checkout["lines"], checkout["totals"]["totalMinor"]) == ([], 0)


async def test_without_both_halves_of_a_sign_in_there_is_no_checkout(selling_site, ada):
    for headers in ({}, ada.learner.bearer, ada.learner.cookie):
        for method, body in (("GET", None), ("PUT", {"values": {}}), ("POST", {})):
            assert (await selling_site.call("checkout", body, headers, method=method))[0] == 401


async def test_the_checkout_is_as_the_document_describes_it(selling_site, ada):
    await ada.learner.add(VAT)
    document = await described(selling_site)
    (content,) = document["paths"]["/api/checkout"]["get"]["responses"]["200"]["content"].values()
    assert fits(document, content["schema"], await ada.show())
    _, problem = await ada.order({"billing.country": "ZZ"})
    assert fits(document, {"$ref": "#/components/schemas/Problem"}, problem)


@pytest.mark.each_database
async def test_the_page_has_what_the_call_returns(ada):
    """The page makes its JSON without the model of the call."""
    course = await ada.learner.add(VAT)
    await ada.learner.add(BOOK)
    gift = {f"gift.{course}.chosen": "yes", f"gift.{course}.recipient_email": "eve@example.test"}
    status, placed = await ada.order(
        {**BERLIN, "buyer": "business", "billing.vat_id": "DE136695976", "delivery.company_name": "L", **gift}
    )
    assert (status, placed["status"]) == (200, "success")
    await ada.learner.add(VAT)
    called = await ada.show()
    page = await (await ada.learner.site.get("/data/checkout", **ada.learner.headers)).json()
    assert called["openOrder"]["code"] == placed["code"]
    assert {**page["props"]["checkout"], "key": ""} == {**called, "key": ""}
