"""Every identity page and step for everyone: axe without a finding, nothing cut off, large enough to touch."""

import pytest
from playwright.async_api import Page, expect

from tests.journeys.axe import violations
from tests.journeys.conftest import Arrive, Visitor
from tests.journeys.identity import (
    PASSWORD,
    begin_account,
    fill_in,
    give_code,
    option,
    outbox,
    prove_password,
    register,
    sign_in,
    step,
)
from tests.journeys.test_accessibility import BEYOND, THEMES, TOUCH, WIDTHS

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def look(page: Page) -> None:
    """As it stands, on a phone and on a desk, by day and by night."""
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 800})
        assert await page.evaluate(BEYOND) <= 0, width
        assert await page.evaluate(TOUCH) == [], width
        for theme in THEMES:
            await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert await violations(page) == [], f"{page.url}, {width} px, {theme}"


async def still(arrive: Arrive) -> Visitor:
    return await arrive(reduced_motion="reduce")


PAGES = {
    "/login": "Sign in",
    "/adminlogin": "Administrator sign-in",
    "/organization-login": "Organisation sign-in",
    "/organization-forgot": "Back into your organisation",
    "/logout": "You are signed out",
    "/additional": "Please sign in",
    "/profile": "Please sign in",
    "/verify": "There is nothing to go on with",
    "/email-verify/no-such-token": "Confirm your e-mail",
    "/forget-password/no-such-token": "Forgotten your password?",
}


@pytest.mark.parametrize("path", PAGES)
async def test_axe_finds_nothing_on_a_page_to_begin_with(arrive: Arrive, path: str) -> None:
    visitor = await still(arrive)
    visitor.expect("404|410")
    await visitor.open(path)
    await step(visitor.page, PAGES[path])
    await look(visitor.page)


async def test_axe_finds_nothing_in_refused_forms(arrive: Arrive) -> None:
    visitor = await still(arrive)
    visitor.expect("401|409")
    page = visitor.page
    await visitor.open("/login?error=attemptExpired")
    await fill_in(page, "", "")
    await expect(page.locator("#sign-in-name")).to_have_attribute("aria-invalid", "true")
    await look(page)
    await fill_in(page, "ada", "wrong")
    await expect(page.get_by_text("Authentication failed")).to_be_visible()
    await look(page)
    await fill_in(page, "locked2", PASSWORD)
    await expect(page.get_by_role("button", name="Unlock my account")).to_be_visible()
    await look(page)
    await page.get_by_role("button", name="Unlock my account").click()
    await step(page, "Unlock your account")
    await look(page)


async def test_axe_finds_nothing_while_an_account_is_made(arrive: Arrive) -> None:
    visitor = await still(arrive)
    page, address = visitor.page, "axe@example.test"
    await visitor.open("/register")
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_label("First name")).to_be_focused()
    await look(page)
    await begin_account(visitor, address)
    await look(page)
    await option(page, "Password").click()
    await page.locator("main input[type=password]").fill("short")
    await page.get_by_role("button", name="Save password").click()
    await expect(page.locator("main input[type=password]")).to_have_attribute("aria-invalid", "true")
    await look(page)


ADDED = {
    "Google Authenticator": "Set up your authenticator app",
    "Security Key or Biometric": "Add a passkey",
    "Security Question": "Set up a security question",
    "Okta Verify": "Set up the app",
    "Phone: SMS": "Confirm your phone",
}


async def test_axe_finds_nothing_in_any_way_that_is_set_up(arrive: Arrive) -> None:
    visitor = await still(arrive)
    page = visitor.page
    await register(visitor, "ways@example.test")
    await look(page)
    for label, title in ADDED.items():
        await option(page, label).click()
        if label == "Phone: SMS":
            await page.get_by_label("Phone number").fill("+15550100077")
        if label in ("Phone: SMS", "Okta Verify"):
            await look(page)
            await answer_choice(page)
        await step(page, title)
        await look(page)
        await page.get_by_role("button", name="Choose something else").click()
        await step(page, "Protect your account")


async def answer_choice(page: Page) -> None:
    code = page.get_by_label("QR code")
    if await code.count():
        await code.check()
    await page.get_by_role("button", name="Continue").click()


async def test_axe_finds_nothing_on_the_way_through_a_second_proof(arrive: Arrive) -> None:
    visitor, elsewhere = await still(arrive), await still(arrive)
    page = visitor.page
    await prove_password(visitor, "email-mfa", PASSWORD)
    await step(page, "Check your e-mail")
    await give_code(page, "000000")
    await expect(page.get_by_text("Invalid code. Try again.")).to_be_visible()
    await look(page)
    await elsewhere.open((await outbox(visitor, "email-mfa"))["link"])
    await step(elsewhere.page, "Enter this code where you began")
    await look(elsewhere.page)


async def test_axe_finds_nothing_in_the_profile_and_what_opens_there(arrive: Arrive) -> None:
    visitor = await still(arrive)
    page = visitor.page
    await sign_in(visitor, "ada", return_to="/profile")
    await expect(page.get_by_label("First name")).to_be_visible()
    for opener in ("Add an address", "Add a number", "Change password"):
        await page.get_by_role("button", name=opener).click()
    await page.get_by_role("button", name="Send a code").first.click()
    await expect(page.locator("#add-email")).to_have_attribute("aria-invalid", "true")
    await look(page)
    await page.get_by_role("button", name="Delete my account").click()
    await page.get_by_role("button", name="Delete for good").click()
    await expect(page.locator("#delete-confirm")).to_have_attribute("aria-invalid", "true")
    await look(page)


async def test_axe_finds_nothing_in_the_menu_and_on_the_way_out(arrive: Arrive) -> None:
    visitor = await still(arrive)
    page = visitor.page
    await sign_in(visitor, "ada")
    await page.locator(".account-corner .own-link").click()
    await expect(page.locator(".account-menu__who strong")).to_have_text("Ada Lindqvist")
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert await violations(page) == [], theme
    for path in ("/logout", "/login", "/create-password"):
        await visitor.open(path)
        await look(page)
