"""The hosted page: a form that works without script and keeps what was typed."""

import asyncio

import pytest

from tests.host.rendering.test_html import html_findings
from tests.standins.payments.shop import OK, RETURN
from tests.standins.payments.test_cards import card_form, debit_form


async def text_of(answer):
    return await answer.text()


async def test_the_page_shows_lines_total_shop_and_the_way_back(shop):
    session = await shop.open(4_900, 125_000)
    answer = await shop.page(f"/c/pay/{session.id}")
    page = await answer.text()
    assert answer.status == 200
    for part in (
        "Course 1",
        "$49.00",
        "Course 2",
        "$1,250.00",
        "Pay $1,299.00",
        f'href="{RETURN}"',
        "ada@example.test",
    ):
        assert part in page
    assert "<script" not in page
    assert "form-action 'self' http://localhost:8080;" in answer.headers["Content-Security-Policy"]
    assert (answer.headers["Cache-Control"], answer.headers["Content-Type"]) == ("no-store", "text/html; charset=utf-8")
    assert (await shop.page("/c/files/page.css")).headers["Content-Type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize(
    ("currency", "amount", "shown"),
    [("jpy", 4_900, "¥4,900"), ("kwd", 1_230, "KWD 1.230"), ("isk", 490_000, "ISK 4,900")],
)
async def test_amounts_are_shown_in_their_currency(shop, currency, amount, shown):
    session = await shop.open(amount, currency=currency)
    assert f"Pay {shown}" in await text_of(await shop.page(f"/c/pay/{session.id}"))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"number": ""}, "Enter the card number."),
        ({"number": "4242 4242 4242 4243"}, "Your card number is invalid."),
        ({"number": "hello"}, "Your card number is invalid."),
        ({"expiry": "13 / 34"}, "Enter the month and year on the card"),
        ({"expiry": "soon"}, "Enter the month and year on the card"),
        ({"expiry": "01 / 20"}, "expiration date is in the past."),
        ({"cvc": "12"}, "Enter the 3 digits on the back of the card."),
        ({"name": ""}, "Enter the name on the card."),
    ],
)
async def test_a_wrong_field_is_named_and_what_was_typed_stays(shop, change, text):
    session = await shop.open()
    page = await text_of(await shop.page(f"/c/pay/{session.id}", {**card_form(OK), **change}))
    (field,) = change
    assert text in page
    assert f'aria-describedby="{field}-error" autofocus' in page
    assert "<title>Error: Pay $49.00 to the shop</title>" in page
    assert ('value="Ada"' in page) == (field != "name")
    assert shop.money() == []


@pytest.mark.parametrize(
    ("form", "text"),
    [(debit_form(""), "Enter the IBAN of the account."), (debit_form("DE00"), "The IBAN you entered is invalid.")],
)
async def test_a_wrong_iban_is_named(shop, form, text):
    session = await shop.open(currency="eur")
    assert text in await text_of(await shop.page(f"/c/pay/{session.id}", form))
    assert (await shop.get(session.id)).status == "open"


async def test_without_an_address_of_the_shop_the_page_asks_for_one(shop):
    request = {"mode": "payment", "success_url": RETURN}
    price = {"currency": "usd", "unit_amount": 500, "product_data": {"name": "Course"}}
    request["line_items"] = [{"price_data": price, "quantity": 3}]
    session = await shop.api.checkout.sessions.create_async(request)
    page = await text_of(await shop.page(f"/c/pay/{session.id}", card_form(OK)))
    assert "Enter an email address" in page
    assert "Course \u00d7 3" in page
    await shop.page(f"/c/pay/{session.id}", card_form(OK, email="bob@example.test"))
    assert (await shop.get(session.id)).customer_details.email == "bob@example.test"


@pytest.mark.parametrize(("methods", "has_card", "has_debit"), [(["card"], True, False), (["sepa_debit"], False, True)])
async def test_the_page_offers_the_methods_of_the_session(shop, methods, has_card, has_debit):
    session = await shop.open(currency="eur", payment_method_types=methods)
    page = await text_of(await shop.page(f"/c/pay/{session.id}"))
    assert ('name="number"' in page, 'name="iban"' in page, 'type="radio"' in page) == (has_card, has_debit, False)


async def test_a_test_card_fills_the_fields_and_pays_nothing(shop):
    session = await shop.open()
    page = await text_of(await shop.page(f"/c/pay/{session.id}", {"fill": "4000000000009995"}))
    for part in ('value="4000 0000 0000 9995"', 'value="12 / 34"', 'value="123"', 'value="Ada Example"'):
        assert part in page
    assert (await shop.get(session.id)).payment_intent is None


async def test_a_form_of_another_site_is_refused(shop):
    session = await shop.open()
    answer = await shop.page(f"/c/pay/{session.id}", card_form(OK), Origin="http://evil.example")
    assert (answer.status, shop.money()) == (403, [])
    answer = await shop.page(f"/c/pay/{session.id}", card_form(OK), Origin=shop.origin)
    assert (answer.status, len(shop.money())) == (303, 1)


async def test_a_page_that_has_ended_says_so_and_leads_back(shop):
    paid, debited, expired = await shop.paid(), await shop.paid(card="DE89370400440532013000"), await shop.open()
    await shop.api.checkout.sessions.expire_async(expired.id)
    texts = ["was paid. You need not pay again.", "is being debited", "You were not charged."]
    for session, text in zip((paid, debited, expired), texts, strict=True):
        for path in (f"/c/pay/{session.id}", f"/c/pay/{session.id}/challenge"):
            page = await text_of(await shop.page(path))
            assert text in page
            assert f'class="pay" href="{RETURN}"' in page
    again = await shop.page(f"/c/pay/{expired.id}", card_form(OK))
    assert (again.status, "You were not charged." in await text_of(again)) == (200, True)


async def test_an_unknown_page_says_so(shop):
    for path, form in (("/c/pay/cs_test_x", None), ("/c/pay/cs_test_x", {}), ("/c/pay/cs_test_x/challenge", None)):
        answer = await shop.page(path, form)
        assert (answer.status, "This page does not exist" in await text_of(answer)) == (404, True)


async def test_a_challenge_without_a_card_leads_to_the_form(shop):
    session = await shop.open()
    for form in (None, {"answer": "pass"}):
        answer = await shop.page(f"/c/pay/{session.id}/challenge", form)
        assert (answer.status, answer.headers["Location"]) == (303, f"/c/pay/{session.id}")
    await shop.page(f"/c/pay/{session.id}", card_form("4000002500003155"))
    back = await shop.page(f"/c/pay/{session.id}")
    assert (back.status, back.headers["Location"]) == (303, f"/c/pay/{session.id}/challenge")


async def test_names_of_the_shop_are_escaped(shop):
    price = {"currency": "usd", "unit_amount": 500, "product_data": {"name": "<b>SQL</b>"}}
    session = await shop.open(line_items=[{"price_data": price, "quantity": 1}])
    assert "&lt;b&gt;SQL&lt;/b&gt;" in await text_of(await shop.page(f"/c/pay/{session.id}"))


async def test_every_page_is_valid_html(shop, tmp_path):
    opened, asked, paid, expired = await shop.open(), await shop.open(), await shop.paid(), await shop.open()
    await shop.api.checkout.sessions.expire_async(expired.id)
    await shop.page(f"/c/pay/{asked.id}", card_form("4000002500003155"))
    pages = {
        "form": await shop.page(f"/c/pay/{opened.id}"),
        "errors": await shop.page(f"/c/pay/{opened.id}", card_form("")),
        "declined": await shop.page(f"/c/pay/{opened.id}", card_form("4000000000000002")),
        "challenge": await shop.page(f"/c/pay/{asked.id}/challenge"),
        "paid": await shop.page(f"/c/pay/{paid.id}"),
        "expired": await shop.page(f"/c/pay/{expired.id}"),
        "unknown": await shop.page("/c/pay/cs_test_x"),
    }
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, answer in pages.items():
        (folder / f"{name}.html").write_text(await answer.text(), "utf-8")
    assert await asyncio.to_thread(html_findings, folder) == []


async def test_dev_calls_take_json_only(shop):
    answer = await shop.page("/dev/advance", {"seconds": "5"})
    assert answer.status == 415
