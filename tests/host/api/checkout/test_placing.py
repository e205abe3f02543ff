"""POST /api/checkout: one key, one order, at the prices that were seen; nothing is charged for any other."""

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select, update

from domain.tables import (
    CartLine,
    Coupon,
    Learner,
    Order,
    OrderLine,
    Payment,
    Product,
    Reservation,
    ShopItem,
)
from host.checkout.turns import CHECKOUT_TURNS, CheckoutBusy
from tests.host.api.checkout.conftest import buyer
from tests.host.api.checkout.shop import BERLIN, BOOK, CALIFORNIA, TERMS, VAT
from tests.host.api.test_openapi import described, fits
from tests.support import factories


def rows(site, table, *conditions) -> list[Any]:
    with site.db.read_session() as session:
        return list(session.scalars(select(table).where(*conditions).order_by(table.id)))


def change(site, table, values: dict[str, Any], *conditions) -> None:
    with site.db.write_session() as session:
        session.execute(update(table).where(*conditions).values(**values))


def add_code(site, code: str, **about: Any) -> None:
    with site.db.write_session() as session:
        factories.coupon(session, code, **about)


@pytest.mark.each_database
async def test_an_order_is_placed_at_the_prices_of_the_form_and_paid_at_the_gateway(selling_site, gateway, ada):
    await ada.learner.add(BOOK)
    status, result = await ada.order(BERLIN, service="Express")
    (order,) = rows(selling_site, Order)
    assert (status, result["status"], result["code"]) == (200, "success", order.code)
    assert result["redirect"].startswith(f"{gateway.origin}/c/pay/")
    assert (order.state, order.total_minor, order.delivery_minor, order.tax_minor) == ("placed", 3546, 990, 566)
    assert (order.billing, order.delivery["city"], order.terms_date) == (order.delivery, "Berlin", TERMS)
    assert order.refund_terms != {}
    (payment,) = rows(selling_site, Payment)
    assert (payment.state, payment.url, payment.amount_minor) == ("open", result["redirect"], 3546)
    assert (await ada.show())["openOrder"]["code"] == order.code


@pytest.mark.each_database
async def test_twenty_presses_are_one_order_and_one_charge(selling_site, gateway, ada):
    await ada.learner.add(VAT)
    await ada.type(CALIFORNIA)
    checkout = await ada.show()
    form = {"key": checkout["key"], "seen": checkout["seen"], "values": CALIFORNIA, "terms": TERMS}
    results = await asyncio.gather(*(ada.learner.call("checkout", **form) for _press in range(20)))
    assert [status for status, _ in results] == [200] * 20
    (order,), (payment,) = rows(selling_site, Order), rows(selling_site, Payment)
    assert {result["code"] for _, result in results} == {order.code}
    # Who did not hear of the page in time goes on at the order.
    assert {result["redirect"] for _, result in results} <= {payment.url, f"/completed/{order.code}"}
    gateway.pay(payment.session_id)
    assert [row["amount"] for row in gateway.money() if row["session"] == payment.session_id] == [8640]


async def test_the_browser_remembers_the_order(selling_site, ada):
    await ada.learner.add(VAT)
    await ada.type(CALIFORNIA)
    checkout = await ada.show()
    body = {"seen": checkout["seen"], "values": CALIFORNIA, "terms": TERMS}
    # The key may be the header that other calls use.
    headers = {**ada.learner.headers, "Idempotency-Key": checkout["key"]}
    response = await selling_site.answer("checkout", body, headers)
    assert (response.status, response.cookies["__Host-return"]["httponly"]) == (200, True)
    document = await described(selling_site)
    (content,) = document["paths"]["/api/checkout"]["post"]["responses"]["200"]["content"].values()
    assert fits(document, content["schema"], await response.json())


LIES: dict[str, tuple[dict[str, Any], int, Any]] = {
    "a lower total": ({"seen": {"lines": {"VAT": 8000}, "delivery": 0, "tax": 640, "total": 1}}, 200, "changed"),
    "a lower line": ({"seen": {"lines": {"VAT": 1}, "delivery": 0, "tax": 640, "total": 8640}}, 200, "changed"),
    "no tax": ({"seen": {"lines": {"VAT": 8000}, "delivery": 0, "tax": 0, "total": 8000}}, 200, "changed"),
    "nothing to pay": ({"seen": {"lines": {}, "delivery": 0, "tax": 0, "total": 0}}, 200, "changed"),
    "another product": (
        {"seen": {"lines": {"999999": 8000}, "delivery": 0, "tax": 640, "total": 8640}},
        200,
        "changed",
    ),
    "a product with a sign": ({"seen": {"lines": {"-1": 0}, "delivery": 0, "tax": 0, "total": 0}}, 422, ["seen"]),
    "a price less than nothing": (
        {"seen": {"lines": {}, "delivery": 0, "tax": 0, "total": -1}},
        422,
        ["seen.total"],
    ),
    "a price of its own": ({"total": 1}, 422, ["total"]),
    "somebody's coupon": ({"coupon": "THEIRS"}, 422, ["coupon"]),
    "a coupon as a field": ({"values": {**CALIFORNIA, "coupon": "THEIRS"}}, 422, ["coupon"]),
    "somebody's learner id": ({"AAUserID": 1}, 422, ["AAUserID"]),
    "no consent": ({"terms": ""}, 422, ["terms"]),
    "consent to other terms": ({"terms": "2020-01-01"}, 422, ["terms"]),
    "no name and no state": ({"values": {}}, 422, ["billing.country_area", "billing.name"]),
    "no key": ({"key": ""}, 422, ["key"]),
    "a key of nobody": ({"key": "1.1.1.1"}, 409, []),
}


@pytest.mark.parametrize(("lie", "status", "expected"), LIES.values(), ids=LIES)
async def test_a_form_that_says_something_else_places_nothing(open_checkout, lie, status, expected):
    site = await open_checkout()
    ada = buyer(site)
    course = str(await ada.learner.add(VAT))
    if "seen" in lie:
        lines = {course if name == "VAT" else name: total for name, total in lie["seen"]["lines"].items()}
        lie = {"seen": {**lie["seen"], "lines": lines}}
    got, answer = await ada.order(CALIFORNIA, **lie)
    assert got == status, answer
    assert (answer["status"] if status == 200 else sorted(answer.get("errors", {}))) == expected
    assert (rows(site, Order), rows(site, Reservation)) == ([], [])


async def test_a_key_of_another_learner_is_as_good_as_none(selling_site, ada):
    bob = buyer(selling_site, "Bob Noyce")
    await ada.learner.add(VAT)
    status, problem = await ada.order(CALIFORNIA, key=(await bob.show())["key"])
    assert (status, rows(selling_site, Order)) == (409, [])
    assert (await ada.order(CALIFORNIA, key=problem["key"]))[0] == 200


@pytest.mark.each_database
async def test_a_used_key_takes_no_other_contents_and_a_fresh_one_does(selling_site, ada):
    await ada.learner.add(VAT)
    checkout = await ada.show()
    _, first = await ada.order(CALIFORNIA, key=checkout["key"])
    other = {**CALIFORNIA, "billing.name": "Augusta Ada King"}
    status, problem = await ada.order(other, key=checkout["key"])
    assert (status, len(rows(selling_site, Order))) == (409, 1)
    status, second = await ada.order(other, key=problem["key"])
    assert (status, second["status"], second["code"] == first["code"]) == (200, "success", False)
    assert [order.state for order in rows(selling_site, Order)] == ["cancelled", "placed"]


@pytest.mark.each_database
async def test_the_same_form_again_gives_the_order_when_the_cart_is_empty_by_then(selling_site, ada):
    await ada.learner.add(VAT)
    await ada.type(CALIFORNIA)
    checkout = await ada.show()
    form = {"key": checkout["key"], "seen": checkout["seen"], "values": CALIFORNIA, "terms": TERMS}
    _, first = await ada.learner.call("checkout", **form)
    with selling_site.db.write_session() as session:
        session.query(CartLine).delete()
        session.query(Order).update({"state": "paid", "open_learner_id": None})
    status, again = await ada.learner.call("checkout", **form)
    assert (status, again) == (200, {**again, "code": first["code"], "redirect": f"/completed/{first['code']}"})


@pytest.mark.each_database
async def test_another_cart_replaces_the_open_order_and_has_its_pieces(selling_site, ada):
    """With the last five pieces: without the release of the first order, the second would find none."""
    book = await ada.learner.add(BOOK)
    await ada.learner.call(f"cart/lines/{book}", "PUT", quantity=5)
    await ada.order(BERLIN)
    await ada.learner.call(f"cart/lines/{book}", "PUT", quantity=4)
    status, _ = await ada.order(BERLIN)
    assert (status, [order.state for order in rows(selling_site, Order)]) == (200, ["cancelled", "placed"])
    assert rows(selling_site, ShopItem, ShopItem.id == book)[0].stock == 1


@pytest.mark.parametrize(
    ("sale_price", "line", "tax"),
    [(None, (10000, "list"), 800), (Decimal("70.00"), (7000, "sale"), 560)],
    ids=["sale over", "other sale"],
)
@pytest.mark.each_database
async def test_a_price_that_has_changed_is_shown_and_then_accepted(selling_site, ada, sale_price, line, tax):
    course = await ada.learner.add(VAT)
    await ada.type(CALIFORNIA)
    seen = (await ada.show())["seen"]
    change(selling_site, Product, {"sale_price": sale_price}, Product.id == course)
    status, result = await ada.order(CALIFORNIA, seen=seen)
    assert (status, result["status"], rows(selling_site, Order)) == (200, "changed", [])
    about = [(row["part"], row["beforeMinor"], row["afterMinor"], row["step"]) for row in result["differences"]]
    assert about == [("line", 8000, *line), ("tax", 640, tax, ""), ("total", 8640, line[0] + tax, "")]
    new = result["checkout"]
    assert (await ada.order(CALIFORNIA, seen=new["seen"], key=new["key"]))[1]["status"] == "success"


@pytest.mark.each_database
async def test_what_is_sold_out_meanwhile_is_refused_by_name(selling_site, ada):
    book = await ada.learner.add(BOOK)
    await ada.type(BERLIN)
    seen = (await ada.show())["seen"]
    change(selling_site, ShopItem, {"stock": 0}, ShopItem.id == book)
    status, result = await ada.order(BERLIN, seen=seen)
    assert (status, result["status"], [row["name"] for row in result["lines"]]) == (200, "failed", ["Tax tables"])
    assert result["checkout"]["lines"][0]["refusal"] == result["lines"][0]["message"]
    assert rows(selling_site, Order) == []


@pytest.mark.each_database
async def test_a_code_of_a_line_goes_from_the_cart_to_the_order(selling_site, ada):
    add_code(selling_site, "SPRING", total_limit=1)
    course = await ada.learner.add(VAT)
    await ada.learner.code(course, "SPRING")
    assert (await ada.order(CALIFORNIA))[1]["status"] == "success"
    (line,), (use,) = rows(selling_site, OrderLine), rows(selling_site, Reservation)
    assert (line.offer_step, line.line_code, line.unit_minor) == ("code", "SPRING", 7200)
    assert (use.order_id, use.expires_at) == (line.order_id, None)
    assert rows(selling_site, Coupon)[0].uses == 1


async def test_a_free_order_is_paid_at_once_and_needs_no_gateway(open_checkout):
    site = await open_checkout(PAYMENTS_API_BASE="")
    ada = buyer(site)
    add_code(site, "GIFT", value=Decimal(100))
    course = await ada.learner.add(VAT)
    await ada.learner.code(course, "GIFT")
    checkout = await ada.show()
    assert (checkout["isFree"], checkout["paymentsRefusal"]) == (True, None)
    status, result = await ada.order(CALIFORNIA)
    (order,) = rows(site, Order)
    assert (status, result["redirect"], order.state) == (200, f"/completed/{order.code}", "paid")
    assert (rows(site, Payment), rows(site, CartLine)) == ([], [])


@pytest.mark.each_database
async def test_a_gift_becomes_part_of_its_line(selling_site, ada):
    course = await ada.learner.add(VAT)
    gift = {f"gift.{course}.chosen": "yes", f"gift.{course}.recipient_email": "bob@example.test"}
    assert (await ada.order({**CALIFORNIA, **gift}))[1]["status"] == "success"
    assert rows(selling_site, OrderLine)[0].gift == {"recipient_email": "bob@example.test", "message": ""}


AMOUNTS: dict[str, tuple[dict[str, str], Decimal, str]] = {
    "too little for the gateway": (
        {"MIN_PAYMENT": "9000"},
        Decimal(80),
        "smallest amount that can be paid is $90.00",
    ),
    "too much for it": ({}, Decimal(1_000_000), "At most $999,999.99 can be paid at once"),
}


@pytest.mark.parametrize(("settings", "price", "text"), AMOUNTS.values(), ids=AMOUNTS)
async def test_amounts_that_cannot_be_paid_are_refused_with_a_sentence(open_checkout, settings, price, text):
    site = await open_checkout(**settings)
    ada = buyer(site)
    course = await ada.learner.add(VAT)
    change(site, Product, {"list_price": price, "sale_price": None}, Product.id == course)
    assert text in (await ada.show())["refusals"][0]["message"]
    status, result = await ada.order(CALIFORNIA)
    assert (status, result["status"], rows(site, Order)) == (200, "failed", [])
    assert text in result["lines"][0]["message"]


async def test_without_an_address_for_the_receipt_nothing_is_ordered(open_checkout):
    site = await open_checkout()
    ada = buyer(site)
    change(site, Learner, {"email": ""}, Learner.id == ada.learner.id)
    await ada.learner.add(VAT)
    assert "Add an email address" in (await ada.order(CALIFORNIA))[1]["lines"][0]["message"]


async def test_a_gateway_that_does_not_answer_leads_to_the_order_and_then_takes_no_more(open_checkout):
    """Nothing listens at the address: the order is placed, and the next buyer is told before they place one."""
    site = await open_checkout(PAYMENTS_API_BASE="http://127.0.0.1:9")
    ada, bob = buyer(site), buyer(site, "Bob Noyce")
    await ada.learner.add(VAT)
    await bob.learner.add(VAT)
    status, result = await ada.order(CALIFORNIA)
    assert (status, result["redirect"]) == (200, f"/completed/{result['code']}")
    status, problem = await bob.order(CALIFORNIA)
    assert (status, problem["detail"].partition(". ")[0]) == (503, "Payments cannot be taken just now")
    assert len(rows(site, Order)) == 1
    shown = await bob.show()
    assert shown["paymentsRefusal"] == problem["detail"]
    assert [field["value"] for field in shown["forms"][1]["fields"]] == ["US", "Ada Lovelace", "CA"]


async def test_past_the_limit_nothing_is_placed_and_what_was_typed_is_kept(open_checkout):
    site = await open_checkout(LIMITS="on", CHECKOUTS_PER_LEARNER_MINUTE="1")
    ada = buyer(site)
    await ada.learner.add(VAT)
    checkout = await ada.show()
    form = {"seen": checkout["seen"], "terms": ""}
    for status, name in ((422, "Ada"), (429, "Augusta")):
        values = {**CALIFORNIA, "billing.name": name}
        assert (await ada.learner.call("checkout", key=checkout["key"], values=values, **form))[0] == status
    assert (await ada.show())["forms"][1]["fields"][1]["value"] == "Augusta"


async def test_orders_are_limited_by_the_hour(open_checkout):
    site = await open_checkout(LIMITS="on", ORDERS_PER_LEARNER_HOUR="1")
    ada = buyer(site)
    await ada.learner.add(VAT)
    forms = [{**CALIFORNIA, "billing.name": name} for name in ("Ada", "Augusta")]
    assert [(await ada.order(form))[0] for form in forms] == [200, 429]
    assert len(rows(site, Order)) == 1


async def test_a_refused_form_is_no_order_and_does_not_count_as_one(open_checkout):
    site = await open_checkout(LIMITS="on", ORDERS_PER_LEARNER_HOUR="1")
    ada = buyer(site)
    await ada.learner.add(VAT)
    forms = [{**CALIFORNIA, "billing.name": name} for name in ("", "", "Ada", "Augusta")]
    assert [(await ada.order(form))[0] for form in forms] == [422, 422, 200, 429]
    assert len(rows(site, Order)) == 1


async def test_who_gets_no_turn_is_told_so_and_finds_the_form_as_it_was(open_checkout, monkeypatch):
    site = await open_checkout(CHECKOUT_CONCURRENCY="1")
    ada, turns = buyer(site), site.app[CHECKOUT_TURNS]
    await ada.learner.add(VAT)
    monkeypatch.setattr(turns, "_wait_s", 0.05)
    async with turns.turn():
        status, problem = await ada.order(CALIFORNIA)
    assert (status, problem["detail"]) == (503, str(CheckoutBusy()))
    assert (rows(site, Order), (await ada.show())["forms"][1]["fields"][1]["value"]) == ([], "Ada Lovelace")
    assert (await ada.order(CALIFORNIA))[1]["status"] == "success"


async def test_ten_buyers_of_one_turn_are_all_served(open_checkout):
    site = await open_checkout(CHECKOUT_CONCURRENCY="1")
    buyers = [buyer(site, f"Learner {number}") for number in range(10)]
    for one in buyers:
        await one.learner.add(VAT)
    results = await asyncio.gather(*(one.order(CALIFORNIA) for one in buyers))
    assert [result["status"] for _, result in results] == ["success"] * 10
    assert len({result["redirect"] for _, result in results}) == 10
