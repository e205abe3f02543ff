"""A guest's cart: filled in two tabs, stored, cleared, and never broken by what a browser holds."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.journeys.carts import (
    CLEAR_QUESTION,
    Product,
    add,
    add_button,
    cart_link,
    expect_count,
    expect_toast,
    in_cart_link,
    line_names,
    money,
    products,
    set_cookies,
    store,
    stored,
    toasts,
    total,
    wire_line,
)
from tests.journeys.conftest import NewVisitor, Visitor, hydrated
from tests.journeys.test_accessibility import SHIFTS
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


def courses(visitor: Visitor) -> list[Product]:
    return products(visitor.site, "course")


async def ask_to_clear(page: Page) -> None:
    await page.get_by_role("button", name="Clear cart").click()
    await expect(page.get_by_role("dialog", name=CLEAR_QUESTION)).to_be_visible()


async def test_a_cart_is_filled_in_two_tabs_survives_a_reload_and_is_cleared(visitor: Visitor) -> None:
    first, second = courses(visitor)[:2]
    page, other = visitor.page, await visitor.context.new_page()
    await other.goto("/shop")
    await hydrated(other)
    await add(page, first)
    await expect_count(other, 1)
    await add(other, second)
    await expect_count(page, 2)
    assert await stored(page) == [wire_line(first), wire_line(second)]
    await page.bring_to_front()
    await visitor.open("/cart")
    await expect(line_names(page)).to_have_text([first.name, second.name])
    await visitor.reload()
    await expect_count(page, 2)
    await ask_to_clear(page)
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_role("button", name="Clear cart")).to_be_focused()
    await expect_count(page, 2)
    await ask_to_clear(page)
    await page.get_by_role("dialog").get_by_role("button", name="Clear cart").click()
    await expect(page.get_by_role("status").filter(has_text="2 items removed.")).to_be_visible()
    await expect(page.get_by_role("button", name="Undo")).to_be_focused()
    await expect(toasts(page).filter(has_text="removed")).to_have_count(0)
    await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await expect_count(other, 0)
    assert await stored(page) is None
    assert [path for path in visitor.requested("fetch") if "AAUserCourse" in path] == []


@pytest.mark.soak
async def test_a_shop_item_is_counted_up_and_down(visitor: Visitor) -> None:
    page, item = visitor.page, products(visitor.site, "item")[0]
    await visitor.open(item.href)
    more = page.get_by_role("button", name=f"One more of {item.name}")
    await more.click()
    await more.click()
    await add_button(page).click()
    await expect_toast(page, f"{item.name} added to cart")
    await expect_count(page, 3)
    await page.get_by_role("link", name="About", exact=True).first.click()
    await expect(page.get_by_role("heading", level=1, name=re.compile("^About "))).to_be_visible()
    await page.go_back()
    # What is in the cart is counted there; the link to it adds nothing.
    counter = page.get_by_role("group", name=f"Quantity of {item.name}")
    await expect(counter.locator("output")).to_have_text("3")
    await more.click()
    await expect_count(page, 4)
    await cart_link(page).click()
    panel = page.get_by_role("dialog", name="Your cart")
    await panel.get_by_role("button", name=f"One less of {item.name}").click()
    await expect_toast(page, f"Decrement Quantity For {item.name}")
    await expect(total(panel)).to_have_text(money(3 * item.price))
    assert await stored(page) == [wire_line(item, orderQuantity=3)]


async def test_a_line_is_removed_and_restored_saved_for_later_and_moved_back(visitor: Visitor) -> None:
    first, second = courses(visitor)[:2]
    await store(visitor, "cart_products", [wire_line(first), wire_line(second)])
    await visitor.open("/cart")
    page = visitor.page
    await page.get_by_role("button", name=f"Remove {first.name}").click()
    await expect_toast(page, f"{first.name} remove to cart")
    await expect(line_names(page)).to_have_text([second.name])
    await page.get_by_role("button", name="Undo").click()
    await expect(line_names(page)).to_have_text([first.name, second.name])
    await page.get_by_role("button", name=f"Save for later: {first.name}").click()
    await expect(line_names(page)).to_have_text([second.name])
    await visitor.reload()
    await page.get_by_role("button", name=f"Move to cart: {first.name}").click()
    await expect_count(page, 2)
    assert (await stored(page, "saved_for_later"), await stored(page)) == (None, [wire_line(second), wire_line(first)])


async def test_the_panel_closes_when_the_page_changes(visitor: Visitor) -> None:
    course = courses(visitor)[0]
    await store(visitor, "cart_products", [wire_line(course)])
    await visitor.open("/shop")
    page = visitor.page
    await cart_link(page).click()
    panel = page.get_by_role("dialog", name="Your cart")
    await panel.get_by_role("link", name=course.name).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(course.name)
    await expect(panel).to_have_count(0)


async def test_what_is_in_the_cart_has_a_link_to_it_that_adds_nothing(visitor: Visitor) -> None:
    page, item = visitor.page, products(visitor.site, "item")[0]
    await visitor.open(item.href)
    # The second press of a double click does not leave the page.
    await add_button(page).dblclick()
    await expect_toast(page, f"{item.name} added to cart")
    await expect(in_cart_link(page)).to_be_focused()
    assert await stored(page) == [wire_line(item)]
    await expect(toasts(page)).to_have_count(0)
    await in_cart_link(page).click()
    await expect(line_names(page)).to_have_text([item.name])
    await expect(toasts(page)).to_have_count(0)
    assert await stored(page) == [wire_line(item)]


async def test_an_unreadable_cart_is_discarded_with_one_toast(visitor: Visitor) -> None:
    await store(visitor, "cart_products", "[" * 5000)
    await visitor.open("/cart")
    await expect_toast(visitor.page, "Your saved cart could not be read. What was damaged has been left out.")
    await expect(visitor.page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
    await visitor.open("/shop")
    await visitor.settled()
    assert await stored(visitor.page) is None
    await expect(toasts(visitor.page)).to_have_count(0)


async def test_a_damaged_cart_loses_what_is_damaged_and_costs_what_the_shop_says(visitor: Visitor) -> None:
    course = courses(visitor)[0]
    false = wire_line(course, Name="<b>Free</b>", Price=0.01, orderQuantity=1)
    await store(visitor, "cart_products", [false, {"ID": "x"}])
    await visitor.open("/cart")
    page = visitor.page
    await expect(line_names(page)).to_have_text([course.name])
    await expect(total(page)).to_have_text(money(course.price))
    await expect(page.get_by_text(re.compile(r"was \$0\.01"))).to_be_visible()
    assert await stored(page) == [wire_line(course)]


async def cached_bytes(visitor: Visitor, path: str) -> bytes:
    """The page as it comes from the cache; the first request may still get a stream."""

    async def body_if_cached() -> bytes | None:
        answer = await visitor.context.request.get(path)
        return await answer.body() if answer.headers.get("x-cache") == "hit" else None

    body: bytes = await until(body_if_cached)
    return body


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_a_full_cart_changes_no_byte_of_a_cached_page_and_moves_nothing(
    new_visitor: NewVisitor, width: int
) -> None:
    plain, owner = await new_visitor(), await new_visitor(width, reduced_motion="no-preference")
    await owner.context.add_init_script(SHIFTS)
    course = courses(owner)[0]
    await store(owner, "cart_products", [wire_line(course, orderQuantity=12)])
    await set_cookies(owner, Stunum="S-ADA2-LQ27")
    for path in ("/", "/shop", course.href):
        assert await cached_bytes(plain, path) == await cached_bytes(owner, path)
        await owner.open(path)
        await expect_count(owner.page, 12)
        await expect(owner.page.get_by_text("Invited by Ada L.")).to_be_visible()
        assert await owner.page.evaluate("self.shifts") == [], path


async def test_a_cart_whose_prices_cannot_be_checked_says_so_and_recovers(visitor: Visitor) -> None:
    visitor.expect("503")
    course = courses(visitor)[0]
    await store(visitor, "cart_products", [wire_line(course)])
    page, unavailable = visitor.page, {"status": 503, "body": "{}"}
    await page.route("**/api/cart/quote", lambda route: route.fulfill(**unavailable))
    await visitor.open("/cart")
    await expect(page.get_by_text("Prices could not be checked")).to_be_visible()
    await expect(total(page)).to_have_text(money(course.price))
    await page.unroute("**/api/cart/quote")
    await page.get_by_role("button", name="Check again").click()
    await expect(page.get_by_text("Prices could not be checked")).to_have_count(0)
