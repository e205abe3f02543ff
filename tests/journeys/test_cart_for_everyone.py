"""The cart and the wishlist by keyboard alone, for screen readers, on narrow screens and in the dark."""

import pytest
from playwright.async_api import Page, expect

from tests.journeys.axe import violations
from tests.journeys.carts import CLEAR_QUESTION, Title, add, expect_count, keep, title, told, wire_line
from tests.journeys.conftest import Arrive, Visitor
from tests.journeys.test_accessibility import BEYOND, THEMES, TOUCH, WIDTHS, tab_to

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


def titles(visitor: Visitor) -> list[Title]:
    """Two courses and a shop item that cost something."""
    statement = """
        SELECT slug FROM products WHERE status = 'published' AND list_price > 0 AND sale_price IS NULL
        ORDER BY kind = 'item', id
    """
    slugs = [slug for (slug,) in visitor.site.query(statement)]
    return [title(visitor.site, slug) for slug in (*slugs[:2], slugs[-1])]


async def fill(visitor: Visitor) -> list[Title]:
    found = titles(visitor)
    await keep(visitor, "cart_products", [wire_line(one, orderQuantity=1 + (one is found[2])) for one in found])
    await keep(visitor, "saved_for_later", [wire_line(found[0])])
    await keep(visitor, "wishlist_products", [{"ID": one.id, "Name": one.name, "Price": 9999} for one in found])
    return found


async def plain(page: Page) -> None:
    """Everything that opens on the page is open."""
    await expect(page.locator(".line__picture.skeleton, .wish__skeleton")).to_have_count(0)
    await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")


async def opened_panel(page: Page) -> None:
    await page.locator(".cart-button").click()
    await expect(page.get_by_role("dialog", name="Your cart").locator(".line__picture.skeleton")).to_have_count(0)


async def asked(page: Page) -> None:
    await page.get_by_role("button", name="Clear cart").click()
    await expect(page.get_by_role("dialog", name=CLEAR_QUESTION)).to_be_visible()


STATES = {
    "a full cart": ("/cart", plain),
    "the question": ("/cart", asked),
    "the panel": ("/shop", opened_panel),
    "a wishlist": ("/wishlist", plain),
}


@pytest.mark.parametrize("name", STATES)
async def test_axe_finds_nothing_and_nothing_is_cut_off(arrive: Arrive, name: str) -> None:
    visitor = await arrive(reduced_motion="reduce")
    path, open_all = STATES[name]
    await fill(visitor)
    await visitor.open(path)
    await open_all(visitor.page)
    for width in (320, *WIDTHS):
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        assert await visitor.page.evaluate(BEYOND) <= 0, width
        assert await visitor.page.evaluate(TOUCH) == [], width
        for theme in THEMES:
            await visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert await violations(visitor.page) == [], f"{width} px, {theme}"


@pytest.mark.parametrize("path", ["/cart", "/wishlist"])
async def test_axe_finds_nothing_in_an_empty_list(arrive: Arrive, path: str) -> None:
    visitor = await arrive(390, reduced_motion="reduce")
    await visitor.open(path)
    await expect(visitor.page.locator(".empty-list")).to_be_visible()
    assert await violations(visitor.page) == []


@pytest.mark.parametrize("width", WIDTHS)
async def test_a_cart_is_filled_looked_at_and_cleared_by_keyboard_alone(arrive: Arrive, width: int) -> None:
    visitor = await arrive(width)
    page = visitor.page
    await visitor.open("/shop")
    await tab_to(page, ".add--card")
    await page.keyboard.press("Enter")
    await expect_count(page, 1)
    await tab_to(page, ".add--card")
    await page.keyboard.press("Space")
    await expect_count(page, 2)
    await expect(page.locator("[aria-live=polite]").filter(has_text="2 items in your cart")).to_have_count(1)
    await page.locator(".skip-link").focus()
    await tab_to(page, ".cart-button")
    await page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Your cart")
    await expect(panel).to_be_visible()
    await tab_to(page, "dialog .line__action")
    await page.keyboard.press("Enter")
    await expect(panel.locator(".line")).to_have_count(1)
    await expect(panel.get_by_role("alert").filter(has_text="remove to cart")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    await expect(page.locator(".cart-button")).to_be_focused()
    await visitor.open("/cart")
    await tab_to(page, ".cart-page__head .line__action")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name=CLEAR_QUESTION)).to_be_visible()
    await tab_to(page, ".button--danger")
    await page.keyboard.press("Enter")
    await expect(page.locator(".empty-list")).to_be_visible()
    await expect_count(page, 0)


async def test_focus_is_not_lost_when_a_line_goes(visitor: Visitor) -> None:
    first, *_ = await fill(visitor)
    await visitor.open("/cart")
    await visitor.page.get_by_role("button", name=f"Remove {first.name}").first.click()
    await expect(visitor.page.get_by_role("button", name="Undo")).to_be_focused()


async def test_a_toast_over_the_panel_can_be_closed(visitor: Visitor) -> None:
    first, *_ = await fill(visitor)
    page = visitor.page
    await visitor.open("/shop")
    await opened_panel(page)
    await page.get_by_role("button", name=f"Remove {first.name}").click()
    await told(page, f"{first.name} remove to cart")
    await page.locator(".Toastify__toast").click()
    await expect(page.locator(".Toastify__toast")).to_have_count(0)
    await expect(page.get_by_role("dialog", name="Your cart")).to_be_visible()


async def test_without_script_nothing_offers_what_would_not_work(arrive: Arrive) -> None:
    visitor = await arrive(java_script_enabled=False)
    for path in ("/shop", titles(visitor)[0].href):
        await visitor.open(path)
        for selector in (".add", ".wish-button"):
            await expect(visitor.page.locator(selector).first).to_be_hidden()


async def test_a_wish_is_kept_told_cheaper_and_moved_to_the_cart(visitor: Visitor) -> None:
    page, (one, *_) = visitor.page, titles(visitor)
    await page.goto(one.href, wait_until="networkidle")
    await page.get_by_role("button", name="Add to wishlist").click()
    await told(page, f"{one.name} added to your wishlist")
    await expect(page.get_by_role("button", name="On your wishlist")).to_have_attribute("aria-pressed", "true")
    await page.evaluate(
        "localStorage.setItem('wishlist_products', localStorage.wishlist_products.replace(/\"Price\":/, '\"Price\":1'))"
    )
    await visitor.open("/wishlist")
    await expect(page.locator(".wish")).to_contain_text("less than when you wished for it")
    await page.get_by_role("button", name=f"Move to cart: {one.name}").click()
    await told(page, f"{one.name} added to cart")
    await expect(page.get_by_role("heading", name="Nothing on your wishlist yet")).to_be_visible()
    await expect_count(page, 1)


async def test_the_pages_wait_for_the_authentication_check(visitor: Visitor) -> None:
    html = await (await visitor.context.request.get("/cart")).text()
    assert "Loading your page" in html
    assert "Your cart" not in html
    await add(visitor.page, titles(visitor)[0])
    await visitor.open("/cart")
    await expect(visitor.page.locator(".loading-view")).to_have_count(0)
    await expect(visitor.page.locator(".line")).to_have_count(1)
