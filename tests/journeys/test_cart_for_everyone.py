"""The cart and the wishlist by keyboard alone, for screen readers, on narrow screens and in the dark."""

import pytest
from playwright.async_api import Page, expect

from tests.journeys.axe import WIDTHS, check_page
from tests.journeys.carts import (
    CLEAR_QUESTION,
    Product,
    add,
    cart_lines,
    cart_link,
    expect_count,
    expect_toast,
    products,
    store,
    toasts,
    wire_line,
)
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_to

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

SKELETONS = "main .skeleton, dialog .skeleton"


async def fill(visitor: Visitor) -> list[Product]:
    """Two courses and a shop item in the cart and on the wishlist, the first course saved for later too."""
    chosen = [*products(visitor.site, "course")[-2:], products(visitor.site, "item")[0]]
    await store(
        visitor, "cart_products", [wire_line(product, orderQuantity=1 + (product is chosen[2])) for product in chosen]
    )
    await store(visitor, "saved_for_later", [wire_line(chosen[0])])
    await store(
        visitor, "wishlist_products", [{"ID": product.id, "Name": product.name, "Price": 9999} for product in chosen]
    )
    return chosen


async def open_details(page: Page) -> None:
    await expect(page.get_by_role("button", name="Remove ").first).to_be_visible()
    await expect(page.locator(SKELETONS)).to_have_count(0)
    await page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")


async def open_panel(page: Page) -> None:
    await cart_link(page).click()
    await expect(page.get_by_role("dialog", name="Your cart").get_by_role("listitem")).to_have_count(3)
    await expect(page.locator(SKELETONS)).to_have_count(0)


async def ask_to_clear(page: Page) -> None:
    await page.get_by_role("button", name="Clear cart").click()
    await expect(page.get_by_role("dialog", name=CLEAR_QUESTION)).to_be_visible()


async def test_axe_finds_nothing_and_nothing_is_cut_off(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page, widths = visitor.page, (320, *WIDTHS)
    await visitor.open("/wishlist")
    await expect(page.get_by_role("heading", name="Nothing on your wishlist yet")).to_be_visible()
    await check_page(page, (390,))
    await visitor.open("/cart")
    await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await check_page(page, (390,))
    await fill(visitor)
    await visitor.open("/cart")
    await open_details(page)
    await check_page(page, widths)
    await ask_to_clear(page)
    await check_page(page, widths, "dialog[open]")
    await visitor.open("/wishlist")
    await open_details(page)
    await check_page(page, widths)
    await visitor.open("/shop")
    await open_panel(page)
    await check_page(page, widths, "dialog[open]")


async def test_a_cart_is_filled_viewed_and_cleared_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    page = visitor.page
    add_to_cart = "main button[aria-label^='Add to cart']"
    await visitor.open("/shop")
    await visitor.settled()
    await tab_to(page, add_to_cart)
    await page.keyboard.press("Enter")
    await expect_count(page, 1)
    await tab_to(page, add_to_cart)
    await page.keyboard.press("Space")
    await expect_count(page, 2)
    await expect(page.locator("[aria-live=polite]").filter(has_text="2 items in your cart")).to_have_count(1)
    await page.get_by_role("link", name="Skip to content").focus()
    await tab_to(page, "header a[href='/cart']")
    await page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Your cart")
    await expect(panel).to_be_visible()
    await tab_to(page, "dialog button[aria-label^='Remove ']")
    await page.keyboard.press("Enter")
    await expect(panel.get_by_role("listitem")).to_have_count(1)
    await expect(panel.get_by_role("alert").filter(has_text="remove to cart")).to_be_visible()
    # The focus is not lost with the line that had it.
    await expect(panel.get_by_role("button", name="Undo")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    await expect(cart_link(page)).to_be_focused()
    await page.keyboard.press("Enter")
    await panel.get_by_role("button", name="Close the cart").press("Enter")
    await expect(panel).to_have_count(0)
    await expect(cart_link(page)).to_be_focused()
    await page.set_viewport_size({"width": 1280, "height": 800})
    await visitor.open("/cart")
    await visitor.settled()
    await expect(page.get_by_role("button", name="Clear cart")).to_be_visible()
    await page.locator("h1").focus()
    await tab_to(page, "main button")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name=CLEAR_QUESTION)).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("dialog").get_by_role("button", name="Clear cart")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await expect_count(page, 0)


async def test_a_toast_over_the_panel_can_be_closed(visitor: Visitor) -> None:
    first, *_ = await fill(visitor)
    page = visitor.page
    await visitor.open("/shop")
    await open_panel(page)
    await page.get_by_role("button", name=f"Remove {first.name}").click()
    await expect_toast(page, f"{first.name} remove to cart")
    await toasts(page).click()
    await expect(toasts(page)).to_have_count(0)
    await expect(page.get_by_role("dialog", name="Your cart")).to_be_visible()


async def test_without_script_nothing_offers_what_would_not_work(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(java_script_enabled=False)
    for path in ("/shop", products(visitor.site, "course")[0].href):
        await visitor.open(path)
        await expect(visitor.page.get_by_role("button", name="Add to cart").first).to_be_visible()
        for button in await visitor.page.get_by_text("Add to wishlist").all():
            await expect(button).to_be_hidden()


async def test_a_wishlist_item_is_stored_shown_cheaper_and_moved_to_the_cart(visitor: Visitor) -> None:
    page, course = visitor.page, products(visitor.site, "course")[0]
    await visitor.open(course.href)
    await page.get_by_role("button", name="Add to wishlist").click()
    await expect_toast(page, f"{course.name} added to your wishlist")
    await expect(page.get_by_role("button", name="On your wishlist")).to_have_attribute("aria-pressed", "true")
    await page.evaluate(
        "localStorage.setItem('wishlist_products', localStorage.wishlist_products.replace(/\"Price\":/, '\"Price\":1'))"
    )
    await visitor.open("/wishlist")
    await expect(page.get_by_role("listitem").filter(has_text=course.name)).to_contain_text("less than when you")
    await page.get_by_role("button", name=f"Move to cart: {course.name}").click()
    await expect_toast(page, f"{course.name} added to cart")
    await expect(page.get_by_role("heading", name="Nothing on your wishlist yet")).to_be_visible()
    await expect_count(page, 1)


async def test_the_pages_wait_for_the_authentication_check(visitor: Visitor) -> None:
    html = await (await visitor.context.request.get("/cart")).text()
    markup = html.partition('<section class="no-script"')[0]
    assert "Loading your page" in markup
    assert "Your cart" not in markup
    await add(visitor.page, products(visitor.site, "course")[0])
    await visitor.open("/cart")
    await expect(visitor.page.get_by_text("Loading your page")).to_have_count(0)
    await expect(cart_lines(visitor.page)).to_have_count(1)
