"""Pages that the browser translates: a translator changes the texts, and React goes on with the page."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from playwright.async_api import expect

from domain.cart import lines as cart_lines
from domain.route_rows import area_pages, table
from domain.tables import Product
from tests.journeys import carts, orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import sign_in
from tests.journeys.learning.learners import SQL, Student, lesson_path, student
from tests.journeys.test_checkout import fill_address
from tests.journeys.test_checkout_changes import HOSTED, PAY, change, choose_germany, stock_of_one
from tests.journeys.test_payment_page import type_card
from tests.journeys.translator import IS_TRANSLATED, TRANSLATOR
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

BROKEN = "Something went wrong on this page"


async def translated(new_visitor: NewVisitor) -> Visitor:
    visitor = await new_visitor()
    await visitor.context.add_init_script(TRANSLATOR)
    return visitor


async def open_translated(visitor: Visitor, path: str) -> None:
    await visitor.open(path)
    await visitor.page.wait_for_function(IS_TRANSLATED)


async def test_lists_and_the_cart_stay_right_while_they_are_translated(new_visitor: NewVisitor, site: Site) -> None:
    visitor = await translated(new_visitor)
    page = visitor.page
    await open_translated(visitor, "/shop")
    filters = page.get_by_role("navigation", name="Filters")
    await filters.get_by_role("listitem").get_by_role("link").first.click()
    await expect(filters.locator("[aria-current=true]").first).to_be_visible()
    await expect(page.locator("main .card").first).to_be_visible()
    item, course = carts.products(site, "item")[0], carts.products(site, "course")[0]
    await carts.store(visitor, "cart_products", [carts.wire_line(item), carts.wire_line(course)])
    await open_translated(visitor, "/cart")
    await expect(carts.total(page).first).to_have_text(carts.money(item.price + course.price))
    await page.get_by_role("button", name=f"One more of {item.name}").click()
    await expect(page.locator(".cart-page__count")).to_have_text("3 items")
    await expect(carts.total(page).first).to_have_text(carts.money(2 * item.price + course.price))
    await page.get_by_role("button", name=f"Remove {course.name}").click()
    await expect(carts.line_names(page)).to_have_text([item.name])
    await expect(carts.total(page).first).to_have_text(carts.money(2 * item.price))


async def test_lessons_and_the_checkout_keep_what_is_typed_while_they_are_translated(
    new_visitor: NewVisitor, site: Site
) -> None:
    visitor = await translated(new_visitor)
    page = visitor.page
    who = student(site, "tolga", SQL)
    await who.sign_in(visitor)
    await read_a_lesson(visitor, who)
    await answer_a_quiz(visitor, who)
    await carts.add(page, carts.products(site, "item")[0])
    await until(lambda: site.query("SELECT id FROM cart_lines WHERE learner_id = ?", who.id) != [])
    await open_translated(visitor, "/checkout")
    name = page.get_by_label(re.compile("^Full name")).first
    await name.fill("Tolga")
    await page.get_by_label("Country or region").first.select_option("DE")
    await expect(page.get_by_text("VAT")).not_to_have_count(0)
    await expect(name).to_have_value("Tolga")


@pytest.mark.soak
async def test_a_translated_checkout_says_what_it_refuses_and_goes_on(new_visitor: NewVisitor, site: Site) -> None:
    """An incomplete form, a price that has changed, and a card that is declined."""
    visitor = await translated(new_visitor)
    visitor.expect("409|422")
    page = visitor.page
    learner_id, token = orders.new_learner(site, "tamar")
    await orders.sign_in(visitor, token)
    with stock_of_one(site) as book_id:
        with orders.writing(site) as session:
            assert cart_lines.add(session, learner_id, book_id, datetime.now(UTC)) is None
        await open_translated(visitor, "/checkout")
        await choose_germany(visitor)
        await page.get_by_label("Full name").fill("Tamar")
        await page.get_by_role("button", name=PAY).last.click()
        refused = page.get_by_role("alert").filter(has_text="things need correcting")
        await expect(refused.get_by_role("listitem").filter(has_text=re.compile("^City: "))).to_have_count(1)
        await expect(page.get_by_label("Full name")).to_have_value("Tamar")
        await fill_address(page)
        await visitor.settled()
        change(site, Product, {"list_price": Decimal("21.00"), "sale_price": None}, Product.id == book_id)
        await page.get_by_role("button", name=PAY).last.click()
        differences = page.get_by_role("region", name="Prices have changed since you saw them")
        await expect(differences).to_contain_text("$21.00")
        await expect(refused).to_have_count(0)
        await page.get_by_role("button", name="Order at these prices").click()
        await expect(page).to_have_url(HOSTED)
    await type_card(visitor, "4000 0000 0000 0002")
    await page.get_by_role("button", name=PAY).click()
    await expect(page.get_by_role("alert")).to_have_text("Your card was declined. You have not been charged.")
    await page.get_by_role("link", name="Back to").click()
    await expect(page.locator("main font").first).to_be_attached()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Your order is not paid yet")
    await page.get_by_role("button", name="Go on to payment").click()
    await expect(page).to_have_url(HOSTED)


async def read_a_lesson(visitor: Visitor, who: Student) -> None:
    page = visitor.page
    first, second = who.lessons()[:2]
    await open_translated(visitor, lesson_path(first.id))
    await page.get_by_role("button", name="Mark as done").click()
    await until(lambda: first.id in who.done())
    await page.get_by_role("link", name=re.compile(f"{second.title}$")).last.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(second.title)


async def answer_a_quiz(visitor: Visitor, who: Student) -> None:
    page = visitor.page
    lesson = who.lessons(kind="quiz")[0]
    number = next(question.id for question in who.quiz(lesson.id).questions if question.kind == "number")
    await open_translated(visitor, lesson_path(lesson.id))
    field = page.locator(f"#quiz-{number}")
    await field.fill("7")
    await page.locator(".quiz button[type=submit]").click()
    await expect(page.get_by_role("alert")).to_contain_text("not answered yet")
    await expect(field).to_have_value("7")


def shop_addresses(site: Site) -> list[str]:
    """The addresses of all pages of the shop: with a shop item, and codes and tokens that nothing has."""
    [(item,)] = site.query("SELECT min(id) FROM products WHERE kind = 'item' AND status = 'published'")
    known = {"shop-details": str(item)}
    pages = [page for page in table() if page.served]
    return [re.sub(r"{\w+}", known.get(page.id, "no-such"), page.path) for page in pages]


def area_addresses(area: str) -> list[str]:
    rows = [page for page in area_pages() if page.served and page.area.id == area]
    return [re.sub(r"{\w+}", "1", page.path) for page in rows]


@pytest.mark.soak
@pytest.mark.parametrize(("who", "area"), [("ada", "learner"), ("admin", "admin"), ("owner", "organisation")])
async def test_every_page_is_shown_while_it_is_translated(
    new_visitor: NewVisitor, site: Site, who: str, area: str
) -> None:
    visitor = await translated(new_visitor)
    # Addresses with an id that nothing has, and mail links that have been used.
    visitor.expect("40[134]|410")
    pages = {"learner": shop_addresses(site), "admin": area_addresses("admin")}
    pages["organisation"] = [*area_addresses("organization"), *area_addresses("verify-certificate")]
    home = {"learner": "/profile", "admin": "/admin", "organisation": "/organization"}[area]
    await sign_in(visitor, who, return_to=home, area=area)
    for path in pages[area]:
        await open_translated(visitor, path)
        await expect(visitor.page.get_by_role("heading", level=1)).to_have_count(1)
        await expect(visitor.page.get_by_text(BROKEN)).to_have_count(0)
