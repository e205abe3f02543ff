"""The shop for visitors whose browser runs no script."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests.journeys.carts import CLEAR_QUESTION, add_button, products
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import PASSWORD, add_account

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_browse_filter_turn_the_page_open_and_go_back(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(java_script_enabled=False)
    page = visitor.page
    await visitor.open("/")
    await page.locator("header").get_by_role("link", name="Catalogue").click()
    filters = page.get_by_role("navigation", name="Filters")
    await filters.locator("a[href='/shop?kind=course']").click()
    await expect(filters.locator("[aria-current=true]")).to_contain_text("Course")
    # While the page still loads its links move: a click would miss.
    await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Next").press("Enter")
    await expect(page.get_by_text(re.compile(r"page 2\b"))).to_be_visible()
    card = page.locator("main a[href^='/course-details']").first
    name = await card.inner_text()
    await card.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(name)
    await expect(page.locator("#reviews").get_by_role("listitem").first).to_be_visible()
    await page.go_back()
    await expect(page.get_by_text(re.compile(r"page 2\b"))).to_be_visible()


async def test_the_menu_opens_and_closes_on_a_narrow_screen(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390, java_script_enabled=False)
    await visitor.open("/shop")
    menu = visitor.page.get_by_role("navigation", name="Main")
    await expect(menu).to_be_hidden()
    await visitor.page.get_by_role("button", name="Menu").click()
    await expect(menu).to_be_visible()
    await menu.get_by_role("link", name="About").click()
    await expect(visitor.page).to_have_url(re.compile("/about$"))


async def test_the_contact_form_keeps_what_was_typed_and_then_sends_it(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(java_script_enabled=False)
    visitor.expect(r"(Failed to load resource: .*422|status 422).*/contact")
    page = visitor.page
    await visitor.open("/contact")
    # Both pass the browser's own checks.
    await page.get_by_label("Name").fill("   ")
    await page.get_by_label("Email").fill("ada@localhost")
    await page.get_by_label("Subject").fill("Where is “my” <receipt>?")
    await page.get_by_label("Message").fill("It has not come.\nYours, Ada 🎓")
    await page.get_by_role("button", name="Send message").click()
    await expect(page.locator("#contact-name-error")).to_have_text("Enter your name.")
    await expect(page.locator("#contact-email-error")).to_contain_text("name@example.com")
    await expect(page.get_by_label("Subject")).to_have_value("Where is “my” <receipt>?")
    await expect(page.get_by_label("Message")).to_have_value("It has not come.\nYours, Ada 🎓")
    await page.get_by_label("Name").fill("Ada")
    # The site is shared: other journeys send messages too.
    address = f"ada-{uuid4().hex}@example.test"
    await page.get_by_label("Email").fill(address)
    await page.get_by_role("button", name="Send message").click()
    await expect(page.get_by_role("status")).to_contain_text("Thank you")
    rows = visitor.site.query("SELECT name, message FROM contact_messages WHERE email = ?", address)
    assert [(name, message.replace("\r\n", "\n")) for name, message in rows] == [
        ("Ada", "It has not come.\nYours, Ada 🎓")
    ]


async def test_a_guest_chooses_signs_in_and_fills_the_cart(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(java_script_enabled=False)
    visitor.expect(r"(Failed to load resource: .*422|status 422).*/cart")
    page, (course, *_), (book, *_) = visitor.page, products(visitor.site, "course"), products(visitor.site, "item")
    await visitor.open("/checkout")
    await expect(page.get_by_role("link", name="Create an account")).to_have_attribute(
        "href", "/register?returnTo=%2Fcheckout"
    )
    await expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_have_attribute(
        "href", re.compile("returnTo=%2Fcheckout")
    )
    await visitor.open("/shop")
    await page.get_by_role("button", name="Add to cart").first.click()
    await expect(page).to_have_url(re.compile(r"/cart\?kept=\d+\*1$"))
    await visitor.open(course.href)
    await add_button(page).click()
    await expect(page).to_have_url(re.compile(rf"/cart\?kept=\d+\*1\.{course.id}\*1$"))
    kept = page.get_by_role("region", name="Kept for your cart")
    names = await kept.get_by_role("link").all_inner_texts()
    assert (len(names), names[1]) == (2, course.name)
    await page.get_by_role("link", name="Sign in to use your cart").click()
    await page.get_by_label("Username").fill(add_account(visitor.site, "plain.buyer"))
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page).to_have_url(re.compile("/cart$"))
    await expect(page.get_by_role("region", name="Items").get_by_role("heading", level=3)).to_have_text(names)
    await visitor.open(book.href)
    await add_button(page).click()
    quantity = page.get_by_label(f"Quantity of {book.name}")
    await quantity.fill("3")
    # What is typed while the next page comes is lost with this one.
    async with page.expect_navigation():
        await page.get_by_role("button", name="Update").click()
    await expect(quantity).to_have_value("3")
    coupon = page.get_by_label("Coupon for the whole cart")
    await coupon.fill("nobody")
    await coupon.press("Enter")
    await expect(page).to_have_title(re.compile("^Error: "))
    await expect(coupon).to_have_accessible_description(re.compile("This code cannot be used"))
    await expect(coupon).to_be_focused()
    await coupon.fill("SPRING15")
    await coupon.press("Enter")
    await expect(page.get_by_role("button", name="Remove coupon SPRING15")).to_be_visible()
    await page.get_by_role("button", name=f"Save for later {course.name}").click()
    await expect(page.get_by_role("region", name="Saved for later")).to_contain_text(course.name)
    await page.get_by_role("button", name="Clear cart").click()
    await expect(page.get_by_role("heading", name=CLEAR_QUESTION)).to_be_visible()
    await page.get_by_role("button", name="Clear cart").first.click()
    await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await expect(page.get_by_role("region", name="Saved for later")).to_contain_text(course.name)
