"""The hosted page of the stand-in gateway: without script, by keyboard, in both themes and at both widths."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import stripe
from playwright.async_api import expect

from tests.journeys import axe
from tests.journeys.conftest import NewVisitor, Visitor
from tests.support.servers import PaymentsServer

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def payments() -> Iterator[PaymentsServer]:
    server = PaymentsServer()
    server.start()
    yield server
    server.close()


def open_session(payments: PaymentsServer, back: str, name: str = "SQL for Analysts") -> Any:
    client = stripe.StripeClient(payments.key, base_addresses={"api": payments.origin})
    price: Any = {"currency": "usd", "unit_amount": 4_900, "product_data": {"name": name}}
    return client.v1.checkout.sessions.create(
        {
            "mode": "payment",
            "line_items": [{"price_data": price, "quantity": 1}],
            "success_url": back,
            "cancel_url": back,
            "customer_email": "ada@example.test",
        }
    )


async def type_card(visitor: Visitor, number: str) -> None:
    for label, text in (
        ("Card number", number),
        ("Expiration", "12/34"),
        ("Security code", "123"),
        ("Name on card", "Ada"),
    ):
        await visitor.page.get_by_label(label).fill(text)


async def test_a_card_is_declined_then_challenged_then_pays_without_script(
    payments: PaymentsServer, new_visitor: NewVisitor
) -> None:
    visitor = await new_visitor(390, java_script_enabled=False)
    page, back = visitor.page, f"http://localhost:{visitor.site.port}/about"
    await page.goto(open_session(payments, back).url)
    await type_card(visitor, "4000 0000 0000 0002")
    await page.get_by_role("button", name="Pay $49.00").click()
    await expect(page.get_by_role("alert")).to_have_text("Your card was declined. You have not been charged.")
    await expect(page.get_by_label("Card number")).to_be_focused()
    await expect(page.get_by_label("Name on card")).to_have_value("Ada")
    async with page.expect_navigation():
        await page.get_by_role("button", name="4000 0025 0000 3155").click()
    await page.get_by_role("button", name="Pay $49.00").click()
    await page.get_by_role("button", name="Complete authentication").click()
    await expect(page).to_have_url(back)
    assert [entry["amount"] for entry in payments.money()] == [4_900]


async def test_the_keyboard_reaches_everything_and_pays(payments: PaymentsServer, new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page, back = visitor.page, f"http://localhost:{visitor.site.port}/about"
    await page.goto(open_session(payments, back).url)
    for expected in ("Back to the shop", "Card"):
        await page.keyboard.press("Tab")
        focused = page.locator(":focus")
        label = focused if expected != "Card" else page.locator("label[for=method-card]")
        await expect(label).to_contain_text(expected)
    for text in ("4242424242424242", "1234", "123", "Ada"):
        await page.keyboard.press("Tab")
        await page.keyboard.type(text)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(back)


@pytest.mark.soak
async def test_axe_finds_nothing_on_any_of_its_pages(payments: PaymentsServer, new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(bypass_csp=True)
    page = visitor.page
    session = open_session(payments, f"http://localhost:{visitor.site.port}/about", "Antidisestablishmentarianism" * 8)
    await page.goto(session.url)
    await page.get_by_text("Test cards and accounts").click()
    await axe.check_themes(page)
    for width in axe.WIDTHS:
        await page.set_viewport_size({"width": width, "height": 800})
        assert await page.evaluate(axe.OVERFLOW) <= 0
        assert await page.evaluate(axe.SMALL_TARGETS) == []
    await page.get_by_role("button", name="Pay $49.00").click()
    await expect(page).to_have_title(re.compile("^Error: "))
    await axe.check_themes(page)
    await page.get_by_text("SEPA direct debit").click()
    await axe.check_themes(page)
    await page.get_by_text("Card", exact=True).click()
    await page.get_by_text("Test cards and accounts").click()
    async with page.expect_navigation():
        await page.get_by_role("button", name="4000 0025 0000 3155").click()
    await page.get_by_role("button", name="Pay $49.00").click()
    await expect(page.get_by_role("heading", name="Confirm this payment")).to_be_visible()
    await axe.check_themes(page)
    payments.call("/dev/advance", {"seconds": 86_400})
    await page.reload()
    await expect(page.get_by_role("heading", name="This page has expired")).to_be_visible()
    await axe.check_themes(page)
