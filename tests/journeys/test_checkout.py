"""From the cart to a paid order at the stand-in gateway, with script and without."""

import asyncio
import re
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from pypdf import PdfReader

from tests.host.rendering.test_html import html_findings
from tests.journeys import axe
from tests.journeys.carts import find_product, sign_in
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_to
from tests.journeys.identity import outbox
from tests.journeys.markup import save
from tests.journeys.orders import writing
from tests.support import factories
from tests.support.faults.books import book_differences, unconfirmed
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

BOOK = "the-calm-month-end"
ADDRESS = {"Full name": "Ada Lovelace", "Address": "Linienstraße 1", "Postal code": "10115", "City": "Berlin"}


async def put_in_cart(visitor: Visitor, name: str) -> int:
    """Signed in with a book in the cart; the learner's number."""
    learner_id = await sign_in(visitor, name)
    await visitor.page.goto(find_product(visitor.site, BOOK).href)
    if visitor.has_script:
        await visitor.hydrated()
    await visitor.page.get_by_role("button", name="Add to cart", exact=True).click()
    await until(lambda: visitor.site.query("SELECT id FROM cart_lines WHERE learner_id = ?", learner_id) != [])
    return learner_id


async def fill_address(page: Page) -> None:
    for label, text in ADDRESS.items():
        await page.get_by_label(re.compile(f"^{label}")).fill(text)
    # A field that is left is stored at once.
    await page.keyboard.press("Tab")


async def pay(visitor: Visitor) -> None:
    page = visitor.page
    for label, text in (("Card number", "4242424242424242"), ("Expiration", "12/34"), ("Security code", "123")):
        await page.get_by_label(label).fill(text)
    await page.get_by_label("Name on card").fill("Ada")
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await expect(page).to_have_url(re.compile(r"/completed/[0-9A-Z]{20}"))


def orders(site: Site, learner_id: int) -> list[tuple[str, int]]:
    return site.query("SELECT state, total_minor FROM orders WHERE learner_id = ?", learner_id)


@pytest.mark.parametrize(("width", "scheme"), [pytest.param(1280, "light", marks=pytest.mark.soak), (390, "dark")])
async def test_a_book_is_ordered_and_paid_with_script(
    new_visitor: NewVisitor, tmp_path: Path, width: int, scheme: str
) -> None:
    visitor = await new_visitor(width, color_scheme=scheme)
    page = visitor.page
    learner_id = await put_in_cart(visitor, f"emmy-{scheme}")
    await visitor.open("/checkout")
    # The country first: its fields, its delivery and its tax follow, and the focus stays.
    await page.get_by_label("Country or region").focus()
    await page.get_by_label("Country or region").select_option("DE")
    await expect(page.get_by_label(re.compile("^Postal code"))).to_be_visible()
    await expect(page.get_by_label("Country or region")).to_be_focused()
    await expect(page.get_by_text("VAT 7")).to_be_visible()
    visitor.expect("422")
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await expect(page.get_by_role("alert", name=re.compile("3 things need"))).to_be_focused()
    await axe.check_page(page)
    await save(page, tmp_path, "checkout")
    await fill_address(page)
    await visitor.settled()
    await page.reload()
    await visitor.hydrated()
    await expect(page.get_by_label(re.compile("^City"))).to_have_value("Berlin")
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await pay(visitor)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")
    assert [state for state, _ in orders(visitor.site, learner_id)] == ["paid"]
    await save(page, tmp_path, "completed")
    assert await asyncio.to_thread(html_findings, tmp_path) == []


async def test_a_course_is_bought_from_the_shop_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page = visitor.page
    learner_id = await sign_in(visitor, "maryam")
    # Only courses have a level; the first of these is not free.
    await visitor.open("/shop?level=beginner&sort=price-high")
    await visitor.settled()
    await tab_to(page, "#main .card .add")
    await page.keyboard.press("Enter")
    await until(lambda: visitor.site.query("SELECT id FROM cart_lines WHERE learner_id = ?", learner_id) != [])
    await visitor.open("/cart")
    await visitor.settled()
    await tab_to(page, "#main a[href='/checkout']")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_visible()
    await expect(page.get_by_label("Country or region")).to_be_visible()
    for selector, text in (("#billing-name", "Maryam M"), ("#billing-country_area", "Texas")):
        await tab_to(page, selector)
        await page.keyboard.type(text)
    await visitor.settled()
    await tab_to(page, ".checkout__pay button")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Card number")).to_be_visible()
    # The way back to the shop, and the ways to pay.
    for _ in range(2):
        await page.keyboard.press("Tab")
    for text in ("4242424242424242", "1234", "123", "Maryam"):
        await page.keyboard.press("Tab")
        await page.keyboard.type(text)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/completed/[0-9A-Z]{20}"))
    await until(lambda: [state for state, _ in orders(visitor.site, learner_id)] == ["paid"])


async def add_from_the_shop(visitor: Visitor, learner_id: int) -> str:
    """The first course of a list in the cart, without script; its name."""
    page = visitor.page
    await page.goto("/shop?level=advanced&sort=price-high")
    await page.locator("#main .card .add").first.click()
    await expect(page.get_by_role("heading", name="Your cart", level=1)).to_be_visible()
    [(name,)] = visitor.site.query(
        "SELECT name FROM products p JOIN cart_lines l ON l.product_id = p.id WHERE kind = 'course' AND learner_id = ?",
        learner_id,
    )
    return str(name)


async def use_code(page: Page, name: str, code: str) -> None:
    await page.get_by_text(f"Use a code for {name}").click()
    field = page.get_by_label(f"Code for {name}", exact=True)
    await field.fill(code)
    await field.press("Enter")
    await expect(page.get_by_role("button", name=re.compile(f"code {code}"))).to_be_visible()


async def test_from_the_shop_to_the_invoice_without_script(new_visitor: NewVisitor, tmp_path: Path) -> None:
    """A course with a code and a printed book: cart and checkout are for everyone, and all that follows is there. The
    pages of the order are for everyone in test_order_states.py."""
    visitor = await new_visitor(390, java_script_enabled=False)
    reader = (await new_visitor(bypass_csp=True)).page
    page, site, code = visitor.page, visitor.site, "NOSCRIPT15"
    with writing(site) as session:
        factories.coupon(session, code, value=Decimal(15))
    learner_id = await put_in_cart(visitor, "sophie")
    course = await add_from_the_shop(visitor, learner_id)
    await use_code(page, course, code)
    await axe.check_without_script(page, reader)
    await save(page, tmp_path, "cart")
    await page.get_by_role("link", name="Check out").click()
    await expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_visible()
    await page.get_by_label("Country or region").select_option("DE")
    # What is typed while the next page comes is lost with this one.
    async with page.expect_navigation():
        await page.get_by_role("button", name="Update the form (Delivery address)").click()
    await expect(page.get_by_label("Country or region")).to_have_value("DE")
    await fill_address(page)
    await axe.check_without_script(page, reader)
    await save(page, tmp_path, "checkout")
    await page.get_by_role("button", name=re.compile("^Pay")).click()
    await pay(visitor)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Thank you: your order is paid")
    await page.get_by_role("link", name="See the whole order").click()
    await expect(page.get_by_role("heading", name=re.compile("^Order "), level=1)).to_be_visible()
    async with page.expect_download() as download:
        await page.get_by_role("link", name=re.compile(r"^Invoice .*\(PDF\)")).click()
    text = PdfReader(await (await download.value).path()).pages[0].extract_text()
    assert [part for part in (course, code, "VAT 7%", "Ada Lovelace") if part not in text.replace("\n", " ")] == []
    owned = "SELECT count(*) FROM enrolments e JOIN products p ON p.id = e.product_id WHERE learner_id = ? AND name = ?"
    assert site.query(owned, learner_id, course) == [(1,)]
    [(order_code, address)] = site.query("SELECT code, email FROM orders WHERE learner_id = ?", learner_id)
    await until(lambda: order_code not in unconfirmed(site))
    assert order_code in (await outbox(visitor, address))["subject"]
    assert await asyncio.to_thread(book_differences, site, order_code) == []
    assert await asyncio.to_thread(html_findings, tmp_path) == []
