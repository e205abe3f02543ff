"""A guest's cart: filled in two tabs, kept, cleared, and never broken by what a browser holds."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.journeys.carts import (
    CLEAR_QUESTION,
    add,
    expect_count,
    keep,
    kept,
    set_cookies,
    title,
    told,
    wire_line,
)
from tests.journeys.conftest import Arrive, Visitor
from tests.journeys.test_accessibility import SHIFTS, WIDTHS
from tests.site import running
from tests.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


def courses(visitor: Visitor) -> list[str]:
    """Slugs of courses that cost something and are not on sale."""
    statement = """
        SELECT slug FROM products
        WHERE kind = 'course' AND status = 'published' AND list_price > 0 AND sale_price IS NULL ORDER BY id LIMIT 3
    """
    return [slug for (slug,) in visitor.site.query(statement)]


async def question(page: Page) -> None:
    await page.get_by_role("button", name="Clear cart").click()
    await expect(page.get_by_role("dialog", name=CLEAR_QUESTION)).to_be_visible()


async def test_a_cart_is_filled_in_two_tabs_kept_over_a_reload_and_cleared(visitor: Visitor) -> None:
    first, second = (title(visitor.site, slug) for slug in courses(visitor)[:2])
    page, other = visitor.page, await visitor.context.new_page()
    await other.goto("/shop", wait_until="networkidle")
    await add(page, first)
    await expect_count(other, 1)
    await add(other, second)
    await expect_count(page, 2)
    assert await kept(page) == [wire_line(first), wire_line(second)]
    await page.goto("/cart", wait_until="networkidle")
    await expect(page.locator(".line__name")).to_have_text([first.name, second.name])
    await page.reload(wait_until="networkidle")
    await expect_count(page, 2)
    await question(page)
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("button", name="Clear cart")).to_be_focused()
    await expect_count(page, 2)
    await question(page)
    await page.get_by_role("dialog").get_by_role("button", name="Clear cart").click()
    await told(page, f"{first.name} remove to cart")
    await told(page, f"{second.name} remove to cart")
    await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await expect_count(other, 0)
    assert await kept(page) is None
    assert [one for one in visitor.asked("fetch") if "AAUserCourse" in one] == []


async def test_adding_a_course_again_changes_nothing_but_says_so(visitor: Visitor) -> None:
    one = title(visitor.site, courses(visitor)[0])
    await add(visitor.page, one)
    await visitor.page.locator(".add--wide").click()
    await expect(visitor.page.locator(".Toastify__toast")).to_have_count(2)
    assert await kept(visitor.page) == [wire_line(one)]


async def test_a_shop_item_is_counted_up_and_down(visitor: Visitor) -> None:
    statement = """
        SELECT slug FROM products JOIN shop_items USING (id)
        WHERE status = 'published' AND sale_price IS NULL AND stock IS NULL LIMIT 1
    """
    [(slug,)] = visitor.site.query(statement)
    page, one = visitor.page, title(visitor.site, slug)
    await page.goto(one.href, wait_until="networkidle")
    more = page.get_by_role("button", name=f"One more of {one.name}")
    await more.click()
    await more.click()
    await page.locator(".add--wide").click()
    await told(page, f"{one.name} added to cart")
    await page.get_by_role("link", name="About", exact=True).first.click()
    await page.wait_for_url("**/about")
    await page.go_back()
    await expect(page.locator(".item-box .stepper__number")).to_have_text("1")
    await page.locator(".add--wide").click()
    await expect_count(page, 4)
    await page.locator(".cart-button").click()
    panel = page.get_by_role("dialog", name="Your cart")
    await panel.get_by_role("button", name=f"One less of {one.name}").click()
    await told(page, f"Decrement Quantity For {one.name}")
    await expect(panel.locator(".totals__row--total dd")).to_have_text(f"${3 * one.price / 100:,.2f}")
    assert await kept(page) == [wire_line(one, orderQuantity=3)]


async def test_what_was_removed_can_be_put_back_where_it_stood(visitor: Visitor) -> None:
    first, second = (title(visitor.site, slug) for slug in courses(visitor)[:2])
    await keep(visitor, "cart_products", [wire_line(first), wire_line(second)])
    await visitor.open("/cart")
    page = visitor.page
    await page.get_by_role("button", name=f"Remove {first.name}").click()
    await told(page, f"{first.name} remove to cart")
    await expect(page.locator(".line__name")).to_have_text([second.name])
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".line__name")).to_have_text([first.name, second.name])


async def test_a_line_is_saved_for_later_and_comes_back(visitor: Visitor) -> None:
    one = title(visitor.site, courses(visitor)[0])
    await keep(visitor, "cart_products", [wire_line(one)])
    await visitor.open("/cart")
    page = visitor.page
    await page.get_by_role("button", name=f"Save for later: {one.name}").click()
    await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await page.reload(wait_until="networkidle")
    await page.get_by_role("button", name=f"Move to cart: {one.name}").click()
    await expect_count(page, 1)
    assert (await kept(page, "saved_for_later"), await kept(page)) == (None, [wire_line(one)])


async def test_the_panel_closes_when_the_page_changes(visitor: Visitor) -> None:
    one = title(visitor.site, courses(visitor)[0])
    await keep(visitor, "cart_products", [wire_line(one)])
    await visitor.open("/shop")
    page = visitor.page
    await page.locator(".cart-button").click()
    panel = page.get_by_role("dialog", name="Your cart")
    await panel.get_by_role("link", name=one.name).click()
    await expect(page.locator(".course-hero__title")).to_have_text(one.name)
    await expect(panel).to_have_count(0)


HOSTILE = {
    "no JSON": "{not json",
    "a word": '"cart"',
    "an object": '{"ID": 1}',
    "endless": "[" * 5000,
    "script for a name": '[{"ID": {"a": 1}, "Name": "<img src=x onerror=alert(1)>", "Price": 1}]',
    "no prices": '[{"ID": 1, "Name": "A", "Price": "1e999"}, {"ID": 2, "Name": "B", "Price": -5}]',
    "too many": "[" + ",".join(['{"ID": -1}'] * 5000) + "]",
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_no_cart_of_ours_can_be_is_discarded_with_a_toast(visitor: Visitor, name: str) -> None:
    await keep(visitor, "cart_products", HOSTILE[name])
    for path in ("/cart", "/shop"):
        await visitor.open(path)
        if path == "/cart":
            await told(visitor.page, "Your saved cart could not be read. What was damaged has been left out.")
            await expect(visitor.page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    assert await kept(visitor.page) is None
    await expect(visitor.page.locator(".Toastify__toast")).to_have_count(0)


async def test_what_can_be_read_of_a_damaged_cart_stays_and_costs_what_the_shop_says(visitor: Visitor) -> None:
    one = title(visitor.site, courses(visitor)[0])
    false = wire_line(one, Name="<b>Free</b>", Price=0.01, orderQuantity=1)
    await keep(visitor, "cart_products", [false, {"ID": "x"}])
    await visitor.open("/cart")
    page = visitor.page
    await expect(page.locator(".line__name")).to_have_text([one.name])
    await expect(page.locator(".totals__row--total dd")).to_have_text(f"${one.price / 100:,.2f}")
    await expect(page.get_by_text(re.compile(r"was \$0\.01"))).to_be_visible()
    assert await kept(page) == [wire_line(one)]


async def is_kept(visitor: Visitor, path: str) -> bool:
    return (await visitor.context.request.get(path)).headers.get("x-cache") == "kept"


@pytest.mark.parametrize("width", WIDTHS)
async def test_a_full_cart_changes_no_byte_of_a_kept_page_and_moves_nothing(arrive: Arrive, width: int) -> None:
    with running(PAGE_CACHE="on", LIMITS="off") as site:
        plain, owner = await arrive(width, site=site), await arrive(width, site=site)
        await owner.context.add_init_script(SHIFTS)
        one = title(site, courses(owner)[0])
        await keep(owner, "cart_products", [wire_line(one, orderQuantity=12)])
        await set_cookies(owner, Stunum="S-ADA2-LQ27")
        for path in ("/", "/shop", one.href):
            # The first who asks may get a stream while the page is finished for everybody else.
            await until(lambda path=path: is_kept(plain, path))
            answers = [await visitor.context.request.get(path) for visitor in (plain, owner)]
            assert [answer.headers.get("x-cache", "") for answer in answers] == ["kept", "kept"]
            assert await answers[0].body() == await answers[1].body()
            await owner.open(path)
            await expect_count(owner.page, 12)
            await expect(owner.page.get_by_text("Invited by Ada L.")).to_be_visible()
            assert await owner.page.evaluate("self.shifts") == [], path
        for one_of in (plain, owner):
            await one_of.leave()


async def test_a_cart_whose_prices_cannot_be_checked_says_so_and_recovers(visitor: Visitor) -> None:
    visitor.expect("503")
    one = title(visitor.site, courses(visitor)[0])
    await keep(visitor, "cart_products", [wire_line(one)])
    page, away = visitor.page, {"status": 503, "body": "{}"}
    await page.route("**/api/cart/quote", lambda route: route.fulfill(**away))
    await visitor.open("/cart")
    await expect(page.get_by_text("Prices could not be checked")).to_be_visible()
    await expect(page.locator(".totals__row--total dd")).to_have_text(f"${one.price / 100:,.2f}")
    await page.unroute("**/api/cart/quote")
    await page.get_by_role("button", name="Check again").click()
    await expect(page.get_by_text("Prices could not be checked")).to_have_count(0)
