"""A guest's first purchase: what they chose is in the checkout as soon as they have signed in, by the forms alone."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.journeys import carts
from tests.journeys.carts import find_product
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import PASSWORD, fill_in, forget_session, prove_account, send_account
from tests.journeys.test_checkout import BOOK, fill_address, pay

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE, OTHER = "clean-data-in-excel", "vat-at-the-border"
# The demo's restricted member may buy this one alone of them.
OF_CONTRACT = "controllers-guide-faster-close"
KEPT = re.compile(r"Your (\d+ items|item) (are|is) kept")
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


async def choose(visitor: Visitor, *slugs: str) -> None:
    """What a guest puts in the cart, and the way to the checkout."""
    page = visitor.page
    await visitor.context.add_init_script(WATCH)
    for slug in slugs:
        await carts.add(page, find_product(visitor.site, slug))
    await visitor.open("/cart")
    await page.get_by_role("link", name="Check out").first.click()
    await page.wait_for_url("**/login?returnTo=%2Fcheckout")
    await expect(page.get_by_text(KEPT)).to_be_visible()


def summary(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Your order").get_by_role("listitem")


async def expect_checkout(visitor: Visitor, *slugs: str) -> None:
    """The checkout has these lines alone, and no view on the way to it has shown an empty one."""
    page = visitor.page
    await page.wait_for_url("**/checkout")
    await expect(summary(page)).to_have_count(len(slugs))
    for slug in slugs:
        await expect(summary(page).filter(has_text=find_product(visitor.site, slug).name)).to_have_count(1)
    assert await page.evaluate("sessionStorage.getItem('empty_views')") is None


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.soak)])
async def test_a_guest_signs_in_by_the_form_and_pays(new_visitor: NewVisitor, width: int, scheme: str) -> None:
    visitor = await new_visitor(width, color_scheme=scheme)
    page, site = visitor.page, visitor.site
    await choose(visitor, COURSE, BOOK)
    await fill_in(page, "editor", PASSWORD)
    await expect_checkout(visitor, COURSE, BOOK)
    await page.get_by_label("Country or region").select_option("DE")
    await fill_address(page)
    await visitor.settled()
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await pay(visitor)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")
    # The next checkout begins with what this one was told.
    await carts.add(page, find_product(site, BOOK))
    await visitor.open("/checkout")
    await expect(page.get_by_label(re.compile("^City"))).to_have_value("Berlin")
    # What the account has and what a guest adds meanwhile come together.
    await forget_session(visitor)
    await choose(visitor, OTHER)
    await fill_in(page, "editor", PASSWORD)
    await expect_checkout(visitor, BOOK, OTHER)


async def test_a_guest_registers_by_the_forms_and_finds_the_checkout_filled(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page, address = visitor.page, "first@example.test"
    await choose(visitor, COURSE, BOOK)
    await page.get_by_role("link", name="Create an account").click()
    await send_account(page, address)
    await prove_account(visitor, address)
    await page.get_by_role("button", name="Skip for now").click()
    await expect_checkout(visitor, COURSE, BOOK)


async def test_a_restricted_member_reads_at_the_checkout_what_was_left_out_and_why(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    await choose(visitor, COURSE, OF_CONTRACT)
    await fill_in(visitor.page, "member", PASSWORD)
    await expect_checkout(visitor, OF_CONTRACT)
    left_out = visitor.page.get_by_role("listitem").filter(has_text="could not be added")
    await expect(left_out).to_have_text(
        re.compile(f"^{find_product(visitor.site, COURSE).name} could not be added: .+")
    )
