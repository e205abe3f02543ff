"""Signing in and out: with a password, by keyboard alone, with a full cart, from a page and back to it."""

import json

import pytest
from playwright.async_api import Page, expect

from tests.journeys.carts import expect_count, expect_toast, products, wire_line
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_to
from tests.journeys.identity import (
    PASSWORD,
    account_link,
    account_menu,
    add_account,
    expect_signed_in,
    expect_signed_out,
    fill_in,
    sign_in,
)

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_learner_signs_in_comes_back_to_the_page_and_signs_out(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop?level=beginner")
    await expect_signed_out(page)
    places = await main_links(page)
    assert places.keys() == {"Catalogue", "About", "For teams", "Contact"}
    await account_link(page).click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await fill_in(page, "ada", PASSWORD)
    await page.wait_for_url("**/shop?level=beginner")
    await expect(page.locator("header").get_by_role("link", name="My learning")).to_be_visible()
    # Nothing has moved: it has the place of another link.
    others = {name: place for name, place in places.items() if name != "About"}
    assert await main_links(page) == {**others, "My learning": places["About"]}
    await visitor.open("/login?returnTo=/about")
    await expect(page.get_by_role("heading", level=1)).to_have_text("You are signed in")
    await page.get_by_role("link", name="Continue").click()
    await page.wait_for_url("**/about")
    await expect_signed_in(page, "Ada Lindqvist")
    await page.get_by_role("navigation", name="Account").get_by_role("link", name="Sign out").click()
    await page.get_by_role("button", name="Sign out").click()
    await page.wait_for_url(f"http://localhost:{visitor.site.port}/")
    await expect_signed_out(page)
    assert "userInfo" not in {cookie.get("name") for cookie in await visitor.context.cookies()}


async def main_links(page: Page) -> dict[str, float]:
    """The visible main links of the header, each with the middle of its place."""
    boxes = """(links) => links.filter((link) => link.checkVisibility())
        .map((link) => [link.textContent, link.getBoundingClientRect()])
        .map(([text, { left, right }]) => [text, Math.round(left + right) / 2])"""
    # Until the font has arrived, the names have another width.
    await page.evaluate("document.fonts.ready.then(() => null)")
    return dict(await page.locator(".site-nav__main .site-nav__link").evaluate_all(boxes))


async def test_a_learner_who_owns_courses_arrives_at_them_and_finds_all_of_it_in_the_menus(
    new_visitor: NewVisitor,
) -> None:
    visitor = await new_visitor(390)
    page = visitor.page
    await visitor.open("/login")
    await fill_in(page, "ada", PASSWORD)
    await page.wait_for_url("**/user-dashboard")
    await page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("navigation", name="Main")
    for name in ("My learning", "Orders", "Certificates", "Sign out"):
        await expect(menu.get_by_role("link", name=name)).to_be_visible()
    await menu.get_by_role("link", name="Orders").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("My orders")
    await expect(page.get_by_role("link", name="Delegation That Holds")).to_be_visible()
    await page.set_viewport_size({"width": 1280, "height": 800})
    await account_link(page).click()
    await account_menu(page).get_by_role("link", name="Certificates").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("My certificates")


async def test_a_missing_and_a_wrong_password_are_reported_and_the_name_stays(visitor: Visitor) -> None:
    visitor.expect("401")
    page = visitor.page
    await visitor.open("/login")
    await visitor.settled()
    visitor.clear_requests()
    await fill_in(page, "ada", "")
    await expect(page.locator("#sign-in-password")).to_be_focused()
    await expect(page.locator("#sign-in-password")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("Enter your password.")).to_be_visible()
    assert visitor.requested("fetch") == []
    await fill_in(page, "ada", "Wrong-Horse-1")
    problem = page.get_by_role("alert").filter(has_text="Authentication failed")
    await expect(problem).to_be_visible()
    await expect(page.locator("#sign-in-name")).to_have_value("ada")
    await expect(page.locator(":focus")).to_contain_text("Authentication failed")
    await visitor.reload()
    await expect(page.locator("#sign-in-name")).to_have_value("ada")


async def test_a_learner_signs_in_and_uses_the_menu_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    page = visitor.page
    await visitor.open("/login?returnTo=/about")
    await visitor.settled()
    await tab_to(page, "#sign-in-name")
    await page.keyboard.type("ada")
    await tab_to(page, "#sign-in-password")
    await page.keyboard.type(PASSWORD)
    await tab_to(page, "main button[type=submit]")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/about")
    await page.set_viewport_size({"width": 1280, "height": 800})
    await expect_signed_in(page)
    await tab_to(page, "header a[href='/profile']")
    await page.keyboard.press("Enter")
    await expect(account_menu(page).get_by_role("link").first).to_be_focused()
    await tab_to(page, "nav[aria-label=Account] a[href='/logout']")
    await page.keyboard.press("Escape")
    await expect(account_menu(page)).to_have_count(0)
    await expect(account_link(page)).to_be_focused()


@pytest.mark.soak
async def test_a_guests_cart_joins_the_accounts_and_each_line_is_reported(visitor: Visitor) -> None:
    page = visitor.page
    first, second = products(visitor.site, "course")[:2]
    lines = json.dumps([wire_line(first), wire_line(second)])
    await visitor.open("/about")
    await page.evaluate("(lines) => localStorage.setItem('cart_products', lines)", lines)
    await sign_in(visitor, add_account(visitor.site, "chooser"), return_to="/cart")
    await expect_toast(page, "Your cart now holds what you chose before signing in: 2.")
    report = "What you chose before signing in"
    notice = page.get_by_role("main").get_by_role("status").filter(has_text=report)
    await expect(notice).to_contain_text(f"{first.name} was added to your cart.")
    await expect(notice).to_contain_text(f"{second.name} was added to your cart.")
    await expect_count(page, 2)


async def test_only_staff_enter_by_the_administrator_sign_in(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/adminlogin")
    await fill_in(page, "ada", PASSWORD)
    await page.wait_for_url("**/adminlogin?error=*")
    await expect(page.get_by_role("main").get_by_role("alert").first).to_be_visible()
    await expect(page.get_by_role("heading", name="Administrator sign-in")).to_be_visible()
    assert "userInfo" not in {cookie.get("name") for cookie in await visitor.context.cookies()}
