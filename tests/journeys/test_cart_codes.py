"""Codes and coupons: the special offer, a cart's coupon, a line's code, and which of two wins."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.journeys.carts import (
    Product,
    add,
    add_button,
    cookies_of,
    expect_toast,
    find_product,
    line_names,
    line_of,
    money,
    set_cookies,
    sign_in,
    store,
    stored,
    total,
    wire_line,
)
from tests.journeys.conftest import Visitor
from tests.journeys.learning.learners import SQL, student
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

OFFER = "SPRING15"
MINUS = "\u2212"


def tax_courses(visitor: Visitor) -> list[Product]:
    statement = """
        SELECT p.slug FROM products p JOIN categories c ON c.id = p.category_id
        WHERE c.slug = 'tax' AND kind = 'course' AND status = 'published' AND list_price > 100000 AND sale_price IS NULL
        ORDER BY p.id LIMIT 2
    """
    return [find_product(visitor.site, slug) for (slug,) in visitor.site.query(statement)]


def coupon_row(page: Page) -> Locator:
    return summary(page).locator("dl > div", has_text=re.compile("^Coupon"))


def summary(page: Page) -> Locator:
    return page.get_by_role("region", name="Summary")


def line_price(page: Page, product: Product) -> Locator:
    """What the line costs now: the first thing of it that is printed bold."""
    return line_of(page, product).locator("p strong").first


async def use(form: Locator, label: str, code: str) -> None:
    await form.get_by_label(label).fill(code)
    await form.get_by_role("button", name="Apply", exact=True).click()


async def test_the_special_offer_is_fetched_once_shown_and_applied(visitor: Visitor) -> None:
    page, (course, _) = visitor.page, tax_courses(visitor)
    await visitor.open("/")
    await expect(page.get_by_role("complementary", name="News")).to_contain_text(f"Special offer: {OFFER}")
    cookies = await cookies_of(visitor)
    assert (cookies["specialcouponcheck"], cookies["specialcouponcode"]) == ("1", OFFER)
    assert cookies["specialcouponid"].isdigit()
    await add(page, course)
    await visitor.open("/cart")
    await page.get_by_role("button", name=f"Special offer {OFFER}").click()
    off = (course.price * 15 + 50) // 100
    await expect(total(page)).to_have_text(money(course.price - off))
    await expect(coupon_row(page)).to_have_text(f"Coupon {OFFER}{MINUS}{money(off)}")
    terms = {"discountPercentage": 15, "minimumAmount": 0, "discountProductType": "all", "discountAmount": 0}
    assert await stored(page, "couponInfo") == terms
    await page.get_by_role("button", name=f"Remove coupon {OFFER}").click()
    await expect(total(page)).to_have_text(money(course.price))
    assert await stored(page, "couponInfo") is None
    assert len([path for path in visitor.requested("fetch") if path == "/api/GetSpecialCouponDetail"]) == 1


async def test_a_guest_is_told_why_a_coupon_is_refused_and_what_a_line_code_needs(visitor: Visitor) -> None:
    page, (course, _) = visitor.page, tax_courses(visitor)
    await store(visitor, "cart_products", [wire_line(course)])
    await visitor.open("/cart")
    await use(summary(page), "Coupon for the whole cart", "NO-SUCH-CODE")
    await expect(summary(page).get_by_role("alert")).to_contain_text("This code cannot be used.")
    await expect(summary(page).get_by_label("Coupon for the whole cart")).to_have_value("NO-SUCH-CODE")
    await use(summary(page), "Coupon for the whole cart", "BOOKS20")
    await expect(summary(page).get_by_text("it is for")).to_be_visible()
    await expect(total(page)).to_have_text(money(course.price))
    await line_of(page, course).locator("summary", has_text="Use a code").click()
    await expect(line_of(page, course)).to_contain_text("Sign in to use a code on a single line.")


async def test_of_a_line_code_and_a_coupon_the_better_one_counts_and_the_page_says_so(visitor: Visitor) -> None:
    page, (first, second) = visitor.page, tax_courses(visitor)
    learner = await sign_in(visitor, "winner")
    await add(page, first)
    await add(page, second)
    await visitor.open("/cart")
    await use(summary(page), "Coupon for the whole cart", OFFER)
    await expect(coupon_row(page)).to_contain_text(f"Coupon {OFFER}")
    await line_of(page, first).locator("summary", has_text="Use a code").click()
    await use(line_of(page, first), f"Code for {first.name}", "TAX25")
    with_code, with_coupon = (first.price * 75 + 50) // 100, (first.price * 85 + 50) // 100
    explanation = f"TAX25 is lower: {money(with_code)} instead of {money(with_coupon)} with {OFFER}."
    await expect(line_of(page, first)).to_contain_text(explanation)
    await expect(line_price(page, first)).to_have_text(money(with_code))
    await line_of(page, first).get_by_text("Why this price?").click()
    await expect(line_of(page, first).locator("dl > div")).to_have_text(
        [
            f"List price{money(first.price)}",
            f"Code TAX25{MINUS}{money(first.price - with_code)}",
            f"You pay{money(with_code)}",
        ]
    )
    await expect(total(page)).to_have_text(money(with_code + (second.price * 85 + 50) // 100))
    [line, _] = await stored(page)
    off = (first.price - with_code) / 100
    assert line == wire_line(
        first, DiscountPrice=with_code / 100, orderDiscount=off, orderDiscountCode="TAX25", checkflag=1
    )
    assert visitor.site.dev("cart-count", str(learner)).strip() == "2"
    await page.get_by_role("button", name=f"Remove code TAX25: {first.name}").click()
    await expect(line_price(page, first)).to_have_text(money(with_coupon))
    await page.get_by_role("button", name=f"Remove {second.name}").click()
    await expect_toast(page, f"{second.name} remove to cart")
    await expect(total(page)).to_have_text(money(with_coupon))
    await until(lambda: visitor.site.dev("cart-count", str(learner)).strip() == "1")


async def test_a_guests_lines_join_the_account_and_each_is_reported(visitor: Visitor) -> None:
    page, (first, second) = visitor.page, tax_courses(visitor)
    owned = find_product(visitor.site, SQL)
    learner = student(visitor.site, "joiner", SQL).id
    await sign_in(visitor, "joiner")
    await add(page, first)
    await visitor.context.clear_cookies()
    await page.evaluate("localStorage.clear()")
    for course in (first, second, owned):
        await add(page, course)
    assert [line["checkflag"] for line in await stored(page)] == [0, 0, 0]
    await sign_in(visitor, "joiner")
    await visitor.open("/cart")
    report = page.get_by_role("main").get_by_role("status").filter(has_text="What you chose before signing in")
    await expect(report).to_contain_text(f"{first.name} was in your cart already")
    await expect(report).to_contain_text(f"{second.name} was added to your cart")
    await expect(report).to_contain_text(f"{owned.name} could not be added")
    assert [(line["ID"], line["checkflag"]) for line in await stored(page)] == [
        (first.id, 1),
        (second.id, 1),
        (owned.id, 2),
    ]
    assert visitor.site.dev("cart-count", str(learner)).strip() == "2"
    await page.get_by_role("button", name=f"Remove {owned.name}").click()
    await expect(line_names(page)).to_have_text([first.name, second.name])
    await visitor.open(owned.href)
    await expect(page.get_by_role("link", name=f"Go to course: {owned.name}")).to_be_visible()
    await expect(add_button(page)).to_have_count(0)
    assert owned.id not in [line["ID"] for line in await stored(page)]


async def test_an_ended_session_signs_out_and_leaves_the_cart(visitor: Visitor) -> None:
    visitor.expect("401")
    course, _ = tax_courses(visitor)
    await store(visitor, "cart_products", [wire_line(course)])
    info = "%7B%22accessToken%22%3A%22gone%22%2C%22user%22%3A%7B%22AAUserID%22%3A7%2C%22Email%22%3A%22x%22%7D%7D"
    await set_cookies(visitor, userInfo=info)
    await visitor.open("/cart")
    await expect(line_names(visitor.page)).to_have_text([course.name])

    async def is_signed_out() -> bool:
        return "userInfo" not in await cookies_of(visitor)

    await until(is_signed_out)
