"""A guest's first purchase: what they chose is in the checkout as soon as they have signed in, by the forms alone."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.journeys import carts
from tests.journeys.carts import find_product
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import PASSWORD, fill_in
from tests.journeys.test_checkout import BOOK, fill_address, pay

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "clean-data-in-excel"
# Notes every frame of every page of a visitor that says that nothing is there.
WATCH = """
(() => {
  const empty = /There is nothing to order|Your cart is empty/;
  const look = () => {
    const found = empty.exec(document.body?.innerText ?? '');
    if (found) sessionStorage.setItem('empty_views', `${location.pathname}: ${found[0]}`);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
})()
"""


async def choose(visitor: Visitor) -> None:
    """A course and a book in a guest's cart, and the way to the checkout."""
    page = visitor.page
    await visitor.context.add_init_script(WATCH)
    for slug in (COURSE, BOOK):
        await carts.add(page, find_product(visitor.site, slug))
    await visitor.open("/cart")
    await page.get_by_role("link", name="Check out").first.click()
    await page.wait_for_url("**/login?returnTo=%2Fcheckout")
    await expect(page.get_by_text("Your 2 items are kept")).to_be_visible()


def summary(page: Page):
    return page.get_by_role("complementary", name="Your order").get_by_role("listitem")


async def expect_both(visitor: Visitor, count: int = 2) -> None:
    """The checkout has what was chosen, and no view on the way has shown an empty one."""
    page = visitor.page
    await page.wait_for_url("**/checkout")
    await expect(summary(page)).to_have_count(count)
    for slug in (COURSE, BOOK):
        await expect(summary(page).filter(has_text=find_product(visitor.site, slug).name)).to_have_count(1)
    assert await page.evaluate("sessionStorage.getItem('empty_views')") is None


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.soak)])
async def test_a_guest_signs_in_by_the_form_and_pays(new_visitor: NewVisitor, width: int, scheme: str) -> None:
    visitor = await new_visitor(width, color_scheme=scheme)
    page = visitor.page
    await choose(visitor)
    await fill_in(page, "marketing", PASSWORD)
    await expect_both(visitor)
    await page.get_by_label("Country or region").select_option("DE")
    await fill_address(page)
    await visitor.settled()
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await pay(visitor)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")
    # The next checkout begins with what this one was told.
    await carts.add(page, find_product(visitor.site, BOOK))
    await visitor.open("/checkout")
    await expect(page.get_by_label(re.compile("^City"))).to_have_value("Berlin")
