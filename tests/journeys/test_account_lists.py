"""A learner's cart and wishlist: kept by the account, the same in every browser."""

import subprocess
import sys

import pytest
from playwright.async_api import expect

from host.settings import ROOT
from tests.journeys.carts import Title, add, expect_count, keep, kept, sign_in, title, told
from tests.journeys.conftest import Arrive, Visitor
from tests.site import Site

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


def sold(site: Site, kind: str) -> list[Title]:
    """What costs something, is not on sale, and is always in stock."""
    statement = """
        SELECT slug FROM products LEFT JOIN shop_items USING (id)
        WHERE kind = ? AND status = 'published' AND list_price > 0 AND sale_price IS NULL AND stock IS NULL
        ORDER BY products.id DESC
    """
    return [title(site, slug) for (slug,) in site.query(statement, kind)]


def set_price(site: Site, slug: str, amount: str) -> None:
    command = [sys.executable, "-m", "host", "price", slug, amount]
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True, capture_output=True, timeout=30)


async def test_quantities_and_saved_lines_are_the_accounts(arrive: Arrive) -> None:
    visitor, elsewhere = await arrive(), await arrive()
    page, site = visitor.page, visitor.site
    course, item = sold(site, "course")[0], sold(site, "item")[0]
    await sign_in(visitor, "collector")
    await add(page, course)
    await page.goto(item.href, wait_until="networkidle")
    await page.get_by_role("button", name=f"One more of {item.name}").click()
    await page.locator(".add--wide").click()
    await told(page, f"{item.name} added to cart")
    await visitor.open("/cart")
    await page.get_by_role("button", name=f"Save for later: {course.name}").click()
    await expect(page.locator(".saved")).to_contain_text(course.name)
    await sign_in(elsewhere, "collector")
    await elsewhere.open("/shop")
    await expect_count(elsewhere.page, 2)
    await elsewhere.open("/cart")
    await expect(elsewhere.page.locator(".saved")).to_contain_text(course.name)
    await elsewhere.page.get_by_role("button", name=f"Move to cart: {course.name}").click()
    await expect_count(elsewhere.page, 3)
    await elsewhere.page.get_by_role("button", name=f"One less of {item.name}").click()
    await told(elsewhere.page, f"Decrement Quantity For {item.name}")
    await expect_count(elsewhere.page, 2)
    await visitor.open("/cart")
    await expect_count(page, 2)
    assert {line["ID"]: line["orderQuantity"] for line in await kept(page)} == {course.id: 1, item.id: 1}


async def test_a_price_that_changed_since_the_last_look_is_told_until_it_was_read(visitor: Visitor) -> None:
    page, site = visitor.page, visitor.site
    one = sold(site, "course")[1]
    slug = one.href.partition("=")[2]
    await sign_in(visitor, "watcher")
    await add(page, one)
    try:
        set_price(site, slug, "1.00")
        # Another page learns of it first: the account is joined on every load.
        await visitor.open("/about")
        await visitor.open("/cart")
        told_so = f"{one.name}: $1.00, was ${one.price / 100:,.2f}."
        await expect(page.locator(".cart-notices")).to_contain_text(told_so)
        await expect(page.locator(".totals__row--total dd")).to_have_text("$1.00")
        await page.get_by_role("button", name="Got it").click()
        await page.reload(wait_until="networkidle")
        await expect(page.locator(".line")).to_have_count(1)
        await expect(page.locator(".cart-notices .notice")).to_have_count(0)
    finally:
        set_price(site, slug, f"{one.price / 100:.2f}")


async def test_a_guests_wishes_join_the_account_and_leave_the_browser(visitor: Visitor) -> None:
    page = visitor.page
    first, second = sold(visitor.site, "course")[:2]
    await sign_in(visitor, "dreamer")
    await page.goto(first.href, wait_until="networkidle")
    await page.get_by_role("button", name="Add to wishlist").click()
    await told(page, f"{first.name} added to your wishlist")
    assert await kept(page, "wishlist_products") is None
    await keep(visitor, "wishlist_products", [{"ID": second.id, "Name": second.name, "Price": second.major + 10}])
    await visitor.open("/wishlist")
    await expect(page.locator(".wish")).to_have_count(2)
    await expect(page.locator(".wish", has_text=second.name)).to_contain_text("$10.00 less than when you wished for it")
    assert await kept(page, "wishlist_products") is None
    await page.get_by_role("button", name=f"Move to cart: {first.name}").click()
    await told(page, f"{first.name} added to cart")
    await expect(page.locator(".wish")).to_have_count(1)
    await expect_count(page, 1)
    await page.get_by_role("button", name=f"Remove {second.name}").click()
    await expect(page.get_by_role("heading", name="Nothing on your wishlist yet")).to_be_visible()
