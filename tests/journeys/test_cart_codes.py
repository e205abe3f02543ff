"""Codes and coupons: the special offer, a cart's coupon, a line's code, and which of two wins."""

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.journeys.carts import Title, add, cookies_of, keep, kept, set_cookies, sign_in, title, told, wire_line
from tests.journeys.conftest import Visitor

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

OFFER = "SPRING15"
MINUS = "\u2212"


def tax_courses(visitor: Visitor) -> list[Title]:
    statement = """
        SELECT p.slug FROM products p JOIN categories c ON c.id = p.category_id
        WHERE c.slug = 'tax' AND kind = 'course' AND status = 'published' AND list_price > 10000 AND sale_price IS NULL
        ORDER BY p.id LIMIT 2
    """
    return [title(visitor.site, slug) for (slug,) in visitor.site.query(statement)]


def money(minor: int) -> str:
    return f"${minor // 100:,}.{minor % 100:02d}"


def total(page: Page) -> Locator:
    return page.locator(".totals__row--total dd")


def line(page: Page, one: Title) -> Locator:
    return page.locator(".line", has=page.get_by_role("heading", name=one.name))


async def use(form: Locator, label: str, code: str) -> None:
    await form.get_by_label(label).fill(code)
    await form.get_by_role("button", name="Apply").click()


async def test_the_special_offer_is_asked_for_once_shown_and_used(visitor: Visitor) -> None:
    page, (one, _) = visitor.page, tax_courses(visitor)
    await visitor.open("/")
    await expect(page.locator(".offer-strip")).to_contain_text(f"Special offer: {OFFER}")
    cookies = await cookies_of(visitor)
    assert (cookies["specialcouponcheck"], cookies["specialcouponcode"]) == ("1", OFFER)
    assert cookies["specialcouponid"].isdigit()
    await add(page, one)
    await visitor.open("/cart")
    await page.get_by_role("button", name=f"Special offer {OFFER}").click()
    off = (one.price * 15 + 50) // 100
    await expect(total(page)).to_have_text(money(one.price - off))
    await expect(page.locator(".totals__row--off")).to_have_text(f"Coupon {OFFER}{MINUS}{money(off)}")
    terms = {"discountPercentage": 15, "minimumAmount": 0, "discountProductType": "all", "discountAmount": 0}
    assert await kept(page, "couponInfo") == terms
    await page.get_by_role("button", name=f"Take off coupon {OFFER}").click()
    await expect(total(page)).to_have_text(money(one.price))
    assert await kept(page, "couponInfo") is None
    assert len([path for path in visitor.asked("fetch") if path == "/api/GetSpecialCouponDetail"]) == 1


async def test_an_offer_that_cannot_be_fetched_is_only_logged_and_tried_on_the_next_load(visitor: Visitor) -> None:
    visitor.expect("net::ERR_FAILED")
    said: list[str] = []
    visitor.page.on("console", lambda message: said.append(message.text) if message.type == "info" else None)

    async def refuse(route: Route) -> None:
        await route.abort()

    await visitor.page.route("**/GetSpecialCouponDetail", refuse)
    await visitor.open("/")
    assert (len(said), "specialcouponcheck" in await cookies_of(visitor)) == (1, False)
    await expect(visitor.page.locator(".offer-strip")).not_to_contain_text("Special offer")
    await visitor.page.unroute("**/GetSpecialCouponDetail")
    await visitor.open("/")
    assert (await cookies_of(visitor))["specialcouponcheck"] == "1"


async def test_a_coupon_that_is_refused_says_what_would_help(visitor: Visitor) -> None:
    page, (one, _) = visitor.page, tax_courses(visitor)
    await keep(visitor, "cart_products", [wire_line(one)])
    await visitor.open("/cart")
    summary = page.locator(".summary")
    await use(summary, "Coupon for the whole cart", "NO-SUCH-CODE")
    await expect(summary.get_by_role("alert")).to_contain_text("This code cannot be used.")
    await expect(summary.get_by_label("Coupon for the whole cart")).to_have_value("NO-SUCH-CODE")
    await use(summary, "Coupon for the whole cart", "BOOKS20")
    await expect(summary.get_by_text("it is for")).to_be_visible()
    await expect(total(page)).to_have_text(money(one.price))


async def test_a_guest_is_invited_to_sign_in_for_the_code_of_a_line(visitor: Visitor) -> None:
    one, _ = tax_courses(visitor)
    await keep(visitor, "cart_products", [wire_line(one)])
    await visitor.open("/cart")
    await line(visitor.page, one).locator(".line-code__question").click()
    await expect(line(visitor.page, one)).to_contain_text("Sign in to use a code on a single line.")


async def test_a_learners_code_and_coupon_meet_on_a_line_and_the_page_names_winner_and_loser(visitor: Visitor) -> None:
    page, (first, second) = visitor.page, tax_courses(visitor)
    learner = await sign_in(visitor, "winner")
    await add(page, first)
    await add(page, second)
    await visitor.open("/cart")
    summary = page.locator(".summary")
    await use(summary, "Coupon for the whole cart", OFFER)
    await expect(page.locator(".totals__row--off")).to_contain_text(f"Coupon {OFFER}")
    await line(page, first).locator(".line-code__question").click()
    await use(line(page, first), f"Code for {first.name}", "TAX25")
    with_code, with_coupon = (first.price * 75 + 50) // 100, (first.price * 85 + 50) // 100
    told_so = f"TAX25 is lower: {money(with_code)} instead of {money(with_coupon)} with {OFFER}."
    await expect(line(page, first)).to_contain_text(told_so)
    await expect(line(page, first).locator(".line__total")).to_have_text(money(with_code))
    await line(page, first).get_by_text("Why this price?").click()
    await expect(line(page, first).locator(".trail__step")).to_have_text(
        [
            f"List price{money(first.price)}",
            f"Code TAX25{MINUS}{money(first.price - with_code)}",
            f"You pay{money(with_code)}",
        ]
    )
    await expect(total(page)).to_have_text(money(with_code + (second.price * 85 + 50) // 100))
    [stored, _] = await kept(page)
    off = (first.price - with_code) / 100
    assert stored == wire_line(
        first, DiscountPrice=with_code / 100, orderDiscount=off, orderDiscountCode="TAX25", checkflag=1
    )
    assert visitor.site.dev("cart-count", str(learner)).strip() == "2"
    await page.get_by_role("button", name=f"Take off code TAX25: {first.name}").click()
    await expect(line(page, first).locator(".line__total")).to_have_text(money(with_coupon))
    await page.get_by_role("button", name=f"Remove {second.name}").click()
    await told(page, f"{second.name} remove to cart")
    await expect(total(page)).to_have_text(money(with_coupon))
    assert visitor.site.dev("cart-count", str(learner)).strip() == "1"


async def test_what_a_guest_chose_joins_the_account_and_every_line_is_told(visitor: Visitor) -> None:
    page, (first, second) = visitor.page, tax_courses(visitor)
    owned = title(visitor.site, "sql-for-spreadsheet-people")
    learner = await sign_in(visitor, "ada")
    await add(page, first)
    await visitor.context.clear_cookies()
    await page.evaluate("localStorage.clear()")
    for one in (first, second, owned):
        await add(page, one)
    assert [one["checkflag"] for one in await kept(page)] == [0, 0, 0]
    await sign_in(visitor, "ada")
    await visitor.open("/cart")
    report = page.locator(".cart-notices")
    await expect(report).to_contain_text(f"{first.name} was in your cart already")
    await expect(report).to_contain_text(f"{second.name} joined your cart")
    await expect(report).to_contain_text(f"{owned.name} was left out")
    assert [(one["ID"], one["checkflag"]) for one in await kept(page)] == [(first.id, 1), (second.id, 1), (owned.id, 2)]
    assert visitor.site.dev("cart-count", str(learner)).strip() == "2"
    await page.get_by_role("button", name=f"Remove {owned.name}").click()
    await expect(page.locator(".line__name")).to_have_text([first.name, second.name])


async def test_the_server_refuses_a_course_that_the_learner_owns(visitor: Visitor) -> None:
    owned = title(visitor.site, "sql-for-spreadsheet-people")
    await sign_in(visitor, "ada")
    await visitor.open(owned.href)
    await visitor.page.locator(".add--wide").click()
    await expect(visitor.page.get_by_role("alert").filter(has_text="own")).to_be_visible()
    assert owned.id not in [one["ID"] for one in await kept(visitor.page) or []]


async def test_a_session_that_is_no_more_signs_out_and_keeps_the_cart(visitor: Visitor) -> None:
    visitor.expect("401")
    one, _ = tax_courses(visitor)
    await keep(visitor, "cart_products", [wire_line(one)])
    info = "%7B%22accessToken%22%3A%22gone%22%2C%22user%22%3A%7B%22AAUserID%22%3A7%2C%22Email%22%3A%22x%22%7D%7D"
    await set_cookies(visitor, userInfo=info)
    await visitor.open("/cart")
    await expect(visitor.page.locator(".line__name")).to_have_text([one.name])
    assert "userInfo" not in await cookies_of(visitor)
