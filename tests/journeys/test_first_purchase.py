"""A guest's first purchase: what they chose is in the checkout as soon as they have signed in, by the forms alone."""

import re
from datetime import UTC, datetime
from typing import Literal

import pytest
from playwright.async_api import Locator, Page, expect
from sqlalchemy import select

from domain.cart import lines as cart_lines
from domain.tables import Learner, Membership
from tests.journeys import carts, orders
from tests.journeys.carts import find_product
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import (
    NEW_PASSWORD,
    PASSWORD,
    add_account,
    fill_in,
    forget_session,
    outbox,
    prove_account,
    send_account,
    step,
)
from tests.journeys.test_checkout import BOOK, fill_address, pay
from tests.support import factories
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE, OTHER = "clean-data-in-excel", "vat-at-the-border"
FIRST_LESSON = "A short tour of a bad workbook"
# Restricted members of the demo may buy this one alone of them.
OF_CONTRACT = "controllers-guide-faster-close"
CARD = {"Card number": "4242424242424242", "Expiration": "12/34", "Security code": "123", "Name on card": "Nora"}
KEPT = re.compile(r"Your (\d+ items|item) (are|is) kept")
PLACE = "(element) => element.getBoundingClientRect().top + scrollY"
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
# Notes how far below the header the notice about the cart stood: it is gone after seconds.
WATCH_NOTICE = """
(() => {
  const look = () => {
    const notices = [...document.querySelectorAll('.Toastify__toast')];
    const notice = notices.find((one) => one.textContent.includes('Your cart now holds what you chose'));
    const header = document.querySelector('.site-header');
    if (!notice || !header) return;
    const room = notice.getBoundingClientRect().top - header.getBoundingClientRect().bottom;
    const known = sessionStorage.getItem('room_above_notice') ?? '-10000';
    sessionStorage.setItem('room_above_notice', Math.max(room, Number(known)));
    requestAnimationFrame(look);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
})()
"""


async def choose(visitor: Visitor, *slugs: str) -> None:
    """What a guest puts in the cart, and the way to the checkout."""
    page = visitor.page
    for script in (WATCH, WATCH_NOTICE):
        await visitor.context.add_init_script(script)
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


async def expect_uncovered_header(page: Page) -> None:
    """The notice that the cart was taken over stays below the header."""

    async def is_below_the_header() -> bool:
        return bool(await page.evaluate("Number(sessionStorage.getItem('room_above_notice') ?? -1) >= 0"))

    await until(is_below_the_header)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.soak)])
async def test_a_guest_signs_in_by_the_form_and_pays(new_visitor: NewVisitor, width: int, scheme: str) -> None:
    visitor = await new_visitor(width, color_scheme=scheme)
    page, site = visitor.page, visitor.site
    buyer = add_account(site, f"first.buyer.{width}")
    await choose(visitor, COURSE, BOOK)
    await fill_in(page, buyer, PASSWORD)
    await expect_checkout(visitor, COURSE, BOOK)
    await expect_uncovered_header(page)
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
    await fill_in(page, buyer, PASSWORD)
    await expect_checkout(visitor, BOOK, OTHER)


async def test_a_guest_registers_by_the_forms_and_finds_the_checkout_filled(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page, address = visitor.page, "first@example.test"
    await choose(visitor, COURSE, BOOK)
    await page.get_by_role("link", name="Create an account").click()
    await send_account(page, address)
    await prove_account(visitor, address)
    await expect_checkout(visitor, COURSE, BOOK)


async def test_the_total_of_five_items_is_in_view_before_anything_is_scrolled(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(1280)
    learner_id, token = orders.new_learner(visitor.site, "five")
    with orders.writing(visitor.site) as session:
        for product in carts.products(visitor.site, "course")[:5]:
            assert cart_lines.add(session, learner_id, product.id, datetime.now(UTC)) is None
    await orders.sign_in(visitor, token)
    await visitor.open("/checkout")
    await expect(summary(visitor.page)).to_have_count(5)
    await expect(visitor.page.locator(".totals__row--total").last).to_be_in_viewport(ratio=1)


class Hand:
    """Counts what a person does: presses, and fields that they fill in."""

    def __init__(self, page: Page):
        self.page, self.presses, self.fields = page, 0, 0

    async def press(self, role: Literal["button", "link"], name: str) -> None:
        self.presses += 1
        await self.page.get_by_role(role, name=re.compile(f"^{name}")).first.click()

    async def type(self, label: str, text: str) -> None:
        self.fields += 1
        await self.page.get_by_label(label).fill(text)


async def test_a_new_buyer_is_in_the_first_lesson_after_seven_presses_and_ten_fields(new_visitor: NewVisitor) -> None:
    """The way from the page of a course that costs something, without an account: each press and each field costs
    buyers."""
    visitor = await new_visitor()
    page, hand, address = visitor.page, Hand(visitor.page), "quick@example.test"
    await visitor.open(find_product(visitor.site, COURSE).href)
    await hand.press("button", "Buy now")
    await hand.press("link", "Create an account")
    await hand.type("First name", "Nora")
    await hand.type("Last name", "Neu")
    await hand.type("Email", address)
    await hand.press("button", "Create account")
    await step(page, "Choose a password")
    hand.fields += 1
    await page.locator("main input[type=password]").fill(NEW_PASSWORD)
    await hand.press("button", "Save password")
    await step(page, "Confirm your email")
    await hand.type("Enter code", (await outbox(visitor, address))["code"])
    await expect_checkout(visitor, COURSE)
    await expect(page.get_by_label("Full name")).to_have_value("Nora Neu")
    hand.fields += 1
    await page.get_by_label("State").select_option("TX")
    await visitor.settled()
    await hand.press("button", "Pay")
    for label, text in CARD.items():
        await hand.type(label, text)
    await hand.press("button", "Pay")
    await hand.press("link", "Go to the course")
    await expect(page.get_by_role("heading", level=1)).to_have_text(FIRST_LESSON)
    assert (hand.presses, hand.fields) == (7, 10)


@pytest.mark.soak
@pytest.mark.parametrize("width", [390, 1280])
async def test_what_is_in_the_cart_takes_the_place_of_both_buttons(new_visitor: NewVisitor, width: int) -> None:
    visitor = await new_visitor(width)
    page, below = visitor.page, visitor.page.locator(".wishlist-button")
    await visitor.open(find_product(visitor.site, COURSE).href)
    await expect(page.get_by_role("button", name="Buy now")).to_be_visible()
    place = await below.evaluate(PLACE)
    await carts.add_button(page).first.click()
    await expect(page.get_by_role("button", name="Buy now")).to_have_count(0)
    await expect(page.get_by_role("link", name="Check out").first).to_be_visible()
    assert await below.evaluate(PLACE) == place


def new_member(site: Site, login: str) -> str:
    """An account of its own in the organisation of the demo's restricted member, as restricted as they are."""
    learner_id, _ = orders.new_learner(site, add_account(site, login))
    with orders.writing(site) as session:
        of_demo = session.scalars(select(Membership).join(Learner).where(Learner.subject == "member")).one()
        factories.member(session, learner_id, of_demo.organisation_id, is_restricted=of_demo.is_restricted)
    return login


async def test_a_restricted_member_reads_at_the_checkout_what_was_left_out_and_why(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    await choose(visitor, COURSE, OF_CONTRACT)
    await fill_in(visitor.page, new_member(visitor.site, "restricted.buyer"), PASSWORD)
    await expect_checkout(visitor, OF_CONTRACT)
    left_out = visitor.page.get_by_role("listitem").filter(has_text="could not be added")
    await expect(left_out).to_have_text(
        re.compile(f"^{find_product(visitor.site, COURSE).name} could not be added: .+")
    )
