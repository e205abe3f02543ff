"""A learner's cart and wishlist: stored with the account, the same in every browser."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from host.cli import price
from tests.journeys.carts import (
    add,
    add_button,
    expect_count,
    expect_toast,
    line_names,
    products,
    sign_in,
    store,
    stored,
    total,
)
from tests.journeys.conftest import NewVisitor, Visitor
from tests.support.site import Site

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


def set_price(site: Site, slug: str, amount: str) -> None:
    site.command(price, slug, amount)


def saved_lines(page: Page) -> Locator:
    return page.get_by_role("region", name="Saved for later")


async def test_quantities_and_saved_lines_are_the_accounts(new_visitor: NewVisitor) -> None:
    visitor, elsewhere = await new_visitor(), await new_visitor()
    page, site = visitor.page, visitor.site
    course, item = products(site, "course")[0], products(site, "item")[0]
    await sign_in(visitor, "collector")
    await add(page, course)
    await visitor.open(item.href)
    await page.get_by_role("button", name=f"One more of {item.name}").click()
    await add_button(page).click()
    await expect_toast(page, f"{item.name} added to cart")
    await visitor.open("/cart")
    await page.get_by_role("button", name=f"Save for later: {course.name}").click()
    await expect(saved_lines(page)).to_contain_text(course.name)
    # A press is shown before the account has it.
    await visitor.settled()
    await sign_in(elsewhere, "collector")
    await elsewhere.open("/shop")
    await expect_count(elsewhere.page, 2)
    await elsewhere.open("/cart")
    await expect(saved_lines(elsewhere.page)).to_contain_text(course.name)
    await elsewhere.page.get_by_role("button", name=f"Move to cart: {course.name}").click()
    await expect_count(elsewhere.page, 3)
    await elsewhere.page.get_by_role("button", name=f"One less of {item.name}").click()
    await expect_toast(elsewhere.page, f"Decrement Quantity For {item.name}")
    await expect_count(elsewhere.page, 2)
    await elsewhere.settled()
    await visitor.open("/cart")
    await expect(line_names(page)).to_have_text([course.name, item.name])
    assert {line["ID"]: line["orderQuantity"] for line in await stored(page)} == {course.id: 1, item.id: 1}


async def test_a_price_change_is_shown_until_it_is_dismissed(visitor: Visitor) -> None:
    page, site = visitor.page, visitor.site
    course = products(site, "course")[1]
    await sign_in(visitor, "watcher")
    await add(page, course)
    await visitor.settled()
    try:
        set_price(site, course.slug, "1.00")
        # The cart is compared on every load of any page.
        await visitor.open("/about")
        await visitor.open("/cart")
        await expect(page.get_by_text(f"{course.name}: $1.00, was ${course.price / 100:,.2f}.")).to_be_visible()
        await expect(total(page)).to_have_text("$1.00")
        await page.get_by_role("status").get_by_role("button").click()
        await visitor.settled()
        await visitor.reload()
        await expect(line_names(page)).to_have_text([course.name])
        await expect(page.get_by_text("A price has changed")).to_have_count(0)
    finally:
        set_price(site, course.slug, f"{course.price / 100:.2f}")


async def test_a_guests_wishlist_joins_the_account_and_leaves_the_browser(visitor: Visitor) -> None:
    page = visitor.page
    first, second = products(visitor.site, "course")[:2]
    await sign_in(visitor, "dreamer")
    await visitor.open(first.href)
    await page.get_by_role("button", name="Add to wishlist").click()
    await expect_toast(page, f"{first.name} added to your wishlist")
    assert await stored(page, "wishlist_products") is None
    await visitor.settled()
    await store(visitor, "wishlist_products", [{"ID": second.id, "Name": second.name, "Price": second.major + 10}])
    await visitor.open("/wishlist")
    to_cart = page.get_by_role("button", name=re.compile("^Move to cart: "))
    await expect(to_cart).to_have_count(2)
    await expect(page.get_by_role("listitem").filter(has_text=second.name)).to_contain_text("$10.00 less than when you")
    assert await stored(page, "wishlist_products") is None
    await page.get_by_role("button", name=f"Move to cart: {first.name}").click()
    await expect_toast(page, f"{first.name} added to cart")
    await expect(to_cart).to_have_count(1)
    await expect_count(page, 1)
    await page.get_by_role("button", name=f"Remove {second.name}").click()
    await expect(page.get_by_role("heading", name="Nothing on your wishlist yet")).to_be_visible()
