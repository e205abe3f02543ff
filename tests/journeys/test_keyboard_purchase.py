"""From the page of a course to its completion on a phone with a keyboard: every stop shows where the focus is, and
what changes without a new page is announced."""

import pytest
from playwright.async_api import expect

from tests.journeys.carts import find_product
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_to
from tests.journeys.identity import PASSWORD, add_account
from tests.journeys.learning.learners import Student

pytestmark = [pytest.mark.journey, pytest.mark.soak, pytest.mark.asyncio(loop_scope="session")]

COURSE, FIRST_LESSON = "clean-data-in-excel", "A short tour of a bad workbook"


async def test_a_guest_buys_and_completes_a_course_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    await buy(visitor, add_account(visitor.site, "keyboard.buyer"))
    await complete(visitor, "keyboard.buyer@example.test")


async def buy(visitor: Visitor, buyer: str) -> None:
    """From the page of the course to its first lesson."""
    page, press = visitor.page, visitor.page.keyboard.press
    heading = page.get_by_role("heading", level=1)
    await visitor.open(find_product(visitor.site, COURSE).href)
    await visitor.settled()
    await tab_to(page, "#main .add--wide")
    await press("Enter")
    await expect(page.get_by_role("status").or_(page.locator("[aria-live]")).get_by_text("1 item in")).to_be_attached()
    await tab_to(page, "#main a[href='/checkout']")
    await press("Enter")
    await expect(heading).to_have_text("Sign in")
    await visitor.settled()
    await tab_to(page, "#sign-in-name")
    await page.keyboard.type(buyer)
    await press("Tab")
    await page.keyboard.type(PASSWORD)
    await press("Enter")
    await expect(heading).to_have_text("Checkout")
    await visitor.settled()
    await tab_to(page, "#billing-country_area")
    await page.keyboard.type("Texas")
    await visitor.settled()
    await tab_to(page, ".checkout__pay button")
    await press("Enter")
    await expect(page.get_by_label("Card number")).to_be_visible()
    # The way back to the shop, and the ways to pay.
    for _ in range(2):
        await press("Tab")
    for text in ("4242424242424242", "1234", "123", "Noa"):
        await press("Tab")
        await page.keyboard.type(text)
    await press("Enter")
    await expect(page.get_by_role("status").get_by_text("your order is paid")).to_be_attached()
    await visitor.settled()
    await tab_to(page, "a[href*='lesson=next']")
    await press("Enter")
    await expect(heading).to_have_text(FIRST_LESSON)
    await visitor.settled()


async def complete(visitor: Visitor, address: str) -> None:
    """The first lesson, when all others are done."""
    page, press = visitor.page, visitor.page.keyboard.press
    [(learner_id,)] = visitor.site.query("SELECT id FROM learners WHERE email = ?", address)
    who = Student(visitor.site, learner_id, {})
    who.finish(*who.lessons(COURSE)[1:])
    await visitor.reload()
    await visitor.settled()
    await tab_to(page, ".lesson-done button")
    await press("Enter")
    await expect(page.get_by_role("status").get_by_text("You have completed this course")).to_be_attached()
