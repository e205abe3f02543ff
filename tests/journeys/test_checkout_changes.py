"""Coupon, price and stock that change between the page of the checkout and the press of the button: nothing is ordered
or charged, each difference is named, and nothing that was typed is lost. With script and without."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select, update

from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart.owners import Owner
from domain.tables import Coupon, Product, ShopItem
from tests.journeys import orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.test_checkout import fill_address
from tests.support import factories
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

BOOK, COURSE = "thirteen-weeks-of-cash", "cross-border-vat"
PAY, HOSTED = re.compile("^Pay "), re.compile(r"/c/pay/")


def fill_cart(site: Site, learner_id: int, code: str) -> None:
    """Book and course, and a coupon of its own for the whole cart."""
    now = datetime.now(UTC)
    with orders.writing(site) as session:
        factories.coupon(session, code, value=Decimal(10))
        ids = session.scalars(select(Product.id).where(Product.slug.in_((BOOK, COURSE))))
        assert [cart_lines.add(session, learner_id, product_id, now) for product_id in ids] == [None, None]
        assert cart_codes.set_on_cart(session, Owner(learner_id), code, (), now, orders.SHOP) is None


def change(site: Site, table: Any, values: dict[str, Any], *conditions: Any) -> None:
    with orders.writing(site) as session:
        session.execute(update(table).where(*conditions).values(**values))


@contextmanager
def stock_of_one(site: Site) -> Iterator[int]:
    """The book's id; afterwards it is for sale as before, at its former price."""
    with orders.writing(site) as session:
        book = session.scalars(select(Product).where(Product.slug == BOOK)).one()
        before = book.list_price, book.sale_price, session.get_one(ShopItem, book.id).stock
    change(site, ShopItem, {"stock": 1}, ShopItem.id == book.id)
    try:
        yield book.id
    finally:
        change(site, Product, {"list_price": before[0], "sale_price": before[1]}, Product.id == book.id)
        change(site, ShopItem, {"stock": before[2]}, ShopItem.id == book.id)


def orders_of(site: Site, learner_id: int) -> list[str]:
    return [state for (state,) in site.query("SELECT state FROM orders WHERE learner_id = ? ORDER BY id", learner_id)]


async def expect_what_was_typed(page: Page) -> None:
    await expect(page.get_by_label("Country or region")).to_have_value("DE")
    await expect(page.get_by_label(re.compile("^City"))).to_have_value("Berlin")


async def choose_germany(visitor: Visitor) -> None:
    page = visitor.page
    await page.get_by_label("Country or region").select_option("DE")
    if not visitor.has_script:
        async with page.expect_navigation():
            await page.get_by_role("button", name="Update the form (Delivery address)").click()
    await expect(page.get_by_label(re.compile("^Postal code"))).to_be_visible()


async def expect_stored(visitor: Visitor, learner_id: int) -> None:
    """With script the page stores what is typed a moment later, and shows the prices of that time."""
    if visitor.has_script:
        drafts = 'SELECT "values" FROM checkout_drafts WHERE learner_id = ?'
        await until(lambda: any("Berlin" in values for (values,) in visitor.site.query(drafts, learner_id)))
        await visitor.settled()


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
async def test_nothing_is_ordered_before_each_change_was_seen(new_visitor: NewVisitor, has_script: bool) -> None:
    visitor = await new_visitor(390, java_script_enabled=has_script)
    site, page, name = visitor.site, visitor.page, f"change{int(has_script)}"
    visitor.expect(r"(status|Failed to load resource.*) (of )?(409|422)|409|422")
    learner_id, token = orders.new_learner(site, name)
    code = f"JOURNEY{int(has_script)}"
    fill_cart(site, learner_id, code)
    await orders.sign_in(visitor, token)
    with stock_of_one(site) as book_id:
        await visitor.open("/checkout")
        await choose_germany(visitor)
        await fill_address(page)
        await expect_stored(visitor, learner_id)
        await expect(page.get_by_text(f"Coupon {code}").first).to_be_attached()

        change(site, Coupon, {"state": "ended"}, Coupon.display_code == code)
        change(site, Product, {"list_price": Decimal("21.00"), "sale_price": None}, Product.id == book_id)
        await page.get_by_role("button", name=PAY).last.click()
        differences = page.get_by_role("region", name="Prices have changed since you saw them")
        await expect(differences).to_contain_text("Nothing was ordered and nothing was charged")
        rows = differences.get_by_role("listitem")
        await expect(rows.filter(has_text="Thirteen Weeks of Cash")).to_contain_text("$21.00")
        await expect(rows.filter(has_text=f"The code {code} can no longer be used")).to_have_count(2)
        await expect(rows.filter(has_text=re.compile("^Total"))).to_have_count(1)
        await expect(rows).to_have_count(4)
        await expect_what_was_typed(page)
        assert orders_of(site, learner_id) == []

        change(site, ShopItem, {"stock": 0}, ShopItem.id == book_id)
        await page.get_by_role("button", name=PAY).last.click()
        await expect(page.get_by_role("alert").filter(has_text="is sold out")).to_be_visible()
        await expect_what_was_typed(page)
        assert orders_of(site, learner_id) == []

        change(site, ShopItem, {"stock": 1}, ShopItem.id == book_id)
        await page.get_by_role("button", name=PAY).last.click()
        await expect(page).to_have_url(HOSTED)
        assert orders_of(site, learner_id) == ["placed"]
        total = site.query("SELECT total_minor FROM orders WHERE learner_id = ?", learner_id)[0][0]
        await expect(page.get_by_role("button", name=f"Pay ${total / 100:,.2f}")).to_be_visible()
