"""Signing in and out: with a password, by keyboard alone, with a full cart, from a page and back to it."""

import json

import pytest
from playwright.async_api import expect

from tests.journeys.carts import expect_count, told, wire_line
from tests.journeys.conftest import Arrive, Visitor, path_of
from tests.journeys.focus import tab_to
from tests.journeys.identity import PASSWORD, expect_signed_in, expect_signed_out, fill_in, sign_in
from tests.journeys.test_account_lists import sold

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_learner_signs_in_comes_back_to_the_page_and_signs_out(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop?level=beginner")
    await expect_signed_out(page)
    await page.locator(".account-corner .own-link").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await fill_in(page, "ada", PASSWORD)
    await page.wait_for_url("**/shop?level=beginner")
    await expect_signed_in(page, "Ada Lindqvist")
    await page.get_by_role("navigation", name="Account").get_by_role("link", name="Sign out").click()
    await page.get_by_role("button", name="Sign out").click()
    await page.wait_for_url(f"http://localhost:{visitor.site.port}/")
    await expect_signed_out(page)
    assert "userInfo" not in {one.get("name") for one in await visitor.context.cookies()}


async def test_a_wrong_password_is_told_and_the_name_stays(visitor: Visitor) -> None:
    visitor.expect("401")
    page = visitor.page
    await visitor.open("/login")
    await fill_in(page, "ada", "Wrong-Horse-1")
    await expect(page.get_by_role("alert").filter(has_text="Authentication failed")).to_be_visible()
    await expect(page.locator("#sign-in-name")).to_have_value("ada")
    await expect(page.locator(".form-problem")).to_be_focused()
    await page.reload(wait_until="networkidle")
    await expect(page.locator("#sign-in-name")).to_have_value("ada")


async def test_what_is_missing_is_told_at_the_field_without_asking_the_host(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/login")
    visitor.forget()
    await fill_in(page, "ada", "")
    await expect(page.locator("#sign-in-password")).to_be_focused()
    await expect(page.locator("#sign-in-password")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("Enter your password.")).to_be_visible()
    assert visitor.asked("fetch") == []


async def test_signing_in_leads_to_no_other_site(visitor: Visitor) -> None:
    await visitor.open("/login?returnTo=//example.com/")
    await fill_in(visitor.page, "ada", PASSWORD)
    await visitor.page.wait_for_url(f"http://localhost:{visitor.site.port}/")
    await expect_signed_in(visitor.page)


@pytest.mark.parametrize("width", [390, 1280])
async def test_a_learner_signs_in_by_keyboard_alone(arrive: Arrive, width: int) -> None:
    visitor = await arrive(width)
    page = visitor.page
    await visitor.open("/login?returnTo=/about")
    await tab_to(page, "#sign-in-name")
    await page.keyboard.type("ada")
    await tab_to(page, "#sign-in-password")
    await page.keyboard.type(PASSWORD)
    await tab_to(page, "main button[type=submit]")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/about")
    await expect_signed_in(page)


async def test_the_menu_of_the_account_opens_and_closes_by_keyboard(visitor: Visitor) -> None:
    page = visitor.page
    await sign_in(visitor, "ada")
    await tab_to(page, ".account-corner .own-link")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("navigation", name="Account").get_by_role("link").first).to_be_focused()
    await tab_to(page, ".account-menu a[href='/logout']")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("navigation", name="Account")).to_have_count(0)
    await expect(page.locator(".account-corner .own-link")).to_be_focused()


async def test_signed_in_already_the_page_says_so(visitor: Visitor) -> None:
    await sign_in(visitor, "ada")
    await visitor.open("/login?returnTo=/about")
    await expect(visitor.page.get_by_role("heading", level=1)).to_have_text("You are signed in")
    await visitor.page.get_by_role("link", name="Continue").click()
    await visitor.page.wait_for_url("**/about")


async def test_a_guests_cart_joins_the_accounts_and_each_line_is_told(visitor: Visitor) -> None:
    page = visitor.page
    first, second = sold(visitor.site, "course")[:2]
    lines = json.dumps([wire_line(first), wire_line(second)])
    await visitor.open("/about")
    await page.evaluate("(lines) => localStorage.setItem('cart_products', lines)", lines)
    await sign_in(visitor, "marketing", return_to="/cart")
    await told(page, "Your cart now holds what you chose before signing in: 2.")
    notice = page.locator(".cart-notices")
    await expect(notice).to_contain_text(f"{first.name} joined your cart.")
    await expect(notice).to_contain_text(f"{second.name} joined your cart.")
    await expect_count(page, 2)


async def test_only_staff_enter_by_the_staff_door(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/adminlogin")
    await fill_in(page, "ada", PASSWORD)
    await expect(page.locator(".form-problem")).to_be_visible()
    assert path_of(page.url).startswith("/adminlogin?error=")
    await expect(page.get_by_role("heading", name="Administrator sign-in")).to_be_visible()
    assert "userInfo" not in {one.get("name") for one in await visitor.context.cookies()}
