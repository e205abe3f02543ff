"""An order from the page after paying to its receipt: with script and without, and for everyone."""

import re

import pytest
from playwright.async_api import expect

from tests.journeys import axe, orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.test_payment_page import type_card

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE, OTHER_COURSE, BOOK = "sql-for-spreadsheet-people", "cross-border-vat", "honest-numbers"
PAID = "Thank you: your order is paid"
# Shown for an order that was placed in the database: no page to pay on was opened for it.
NO_PAGE = "Your order is placed, but you cannot pay it yet"


async def pay(visitor: Visitor, card: str) -> None:
    await type_card(visitor, card)
    await visitor.page.get_by_role("button", name=re.compile("^Pay ")).click()


async def test_an_order_is_paid_after_a_declined_card_and_its_files_are_there(visitor: Visitor) -> None:
    learner_id, token = orders.new_learner(visitor.site, "orla")
    with orders.writing(visitor.site) as session:
        code = orders.place(session, learner_id, COURSE, BOOK).code
    await orders.sign_in(visitor, token)
    page = visitor.page
    await visitor.open(f"/completed/{code}")
    await expect(page.get_by_role("heading", level=1)).to_have_text(NO_PAGE)
    await page.get_by_role("button", name="Go on to payment").click()
    await pay(visitor, "4000 0000 0000 0002")
    await expect(page.get_by_role("alert")).to_have_text("Your card was declined. You have not been charged.")
    await pay(visitor, "4242 4242 4242 4242")
    await page.wait_for_url(f"**/completed/{code}")
    await expect(page.get_by_role("heading", level=1)).to_have_text(PAID)
    await page.get_by_role("link", name="See the whole order").click()
    await expect(page.get_by_role("heading", name=f"Order {code}")).to_be_visible()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="honest-numbers.pdf").click()
    assert (await (await download.value).path()).read_bytes().startswith(b"%PDF-1.4")


@pytest.mark.soak
async def test_without_script_an_order_is_paid_too(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, java_script_enabled=False)
    learner_id, token = orders.new_learner(visitor.site, "nora")
    with orders.writing(visitor.site) as session:
        code = orders.place(session, learner_id, COURSE).code
    await orders.sign_in(visitor, token)
    page = visitor.page
    await page.goto(f"/completed/{code}?n=12")
    await page.get_by_role("button", name="Go on to payment").click()
    await pay(visitor, "4242 4242 4242 4242")
    await expect(page.get_by_role("heading", level=1)).to_have_text(PAID)
    await page.get_by_role("link", name="See the whole order").click()
    await expect(page.get_by_role("heading", name=f"Order {code}")).to_be_visible()
    await page.context.clear_cookies(name="userInfo")
    await page.reload()
    await expect(page.get_by_role("heading", name="Sign in to see this order")).to_be_visible()
    await page.locator("#no-script").get_by_role("link", name="Sign in").click()
    await page.wait_for_url(f"**/login?returnTo=%2Forder%2F{code}")


# test_order_states.py has these pages in two states that show more.
@pytest.mark.soak
async def test_the_pages_of_orders_are_for_everyone(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(bypass_csp=True)
    learner_id, token = orders.new_learner(visitor.site, "axel")
    with orders.writing(visitor.site) as session:
        paid = orders.place(session, learner_id, COURSE, BOOK)
        orders.pay(session, paid)
        unpaid = orders.place(session, learner_id, OTHER_COURSE).code
    await orders.sign_in(visitor, token)
    visitor.expect("404")
    headings = {
        f"/order/{paid.code}": f"Order {paid.code}",
        f"/order/{unpaid}": f"Order {unpaid}",
        f"/completed/{paid.code}": PAID,
        f"/completed/{unpaid}": NO_PAGE,
        "/order/NOBODY": "404 Page not found: /order/NOBODY",
    }
    for path, heading in headings.items():
        await visitor.open(path)
        await expect(visitor.page.get_by_role("heading", level=1)).to_have_text(heading)
        await axe.check_page(visitor.page)
