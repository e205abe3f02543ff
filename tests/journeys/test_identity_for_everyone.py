"""Every identity page and step for everyone: axe without a finding, nothing cut off, large enough to touch."""

import pytest
from playwright.async_api import Page, expect

from tests.journeys.axe import check_page, check_themes
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import (
    NEW_PASSWORD,
    PASSWORD,
    account_link,
    account_menu,
    begin_account,
    confirm_address,
    enter_code,
    fill_in,
    option,
    outbox,
    prove_password,
    sign_in,
    step,
)

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


ENTRANCES = {
    "/login": "Sign in",
    "/organization-forgot": "Back into your organisation",
    "/logout": "You are signed out",
}
# The form of /login under another title.
LIKE_LOGIN = {
    "/adminlogin": "Administrator sign-in",
    "/organization-login": "Organisation sign-in",
}
DEAD_ENDS = {
    "/additional": "Please sign in",
    "/verify": "There is nothing to go on with",
    "/email-verify/no-such-token": "Confirm your email",
    "/forget-password/no-such-token": "Forgot your password?",
}
# Those that look as another one of these.
ALIKE = ("/forget-password/no-such-token",)
USED_LINK = "This link does not work any more"


@pytest.mark.parametrize(
    "entrances", [ENTRANCES, pytest.param(LIKE_LOGIN, marks=pytest.mark.soak)], ids=["each kind", "like the sign-in"]
)
async def test_axe_finds_nothing_on_the_first_identity_pages(
    new_visitor: NewVisitor, entrances: dict[str, str]
) -> None:
    visitor = await new_visitor()
    for path, title in entrances.items():
        await visitor.open(path)
        await step(visitor.page, title)
        await check_page(visitor.page, is_dark=True)


async def test_axe_finds_nothing_on_pages_that_end_a_flow(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    visitor.expect("404|410")
    page = visitor.page
    for path, title in DEAD_ENDS.items():
        await visitor.open(path)
        await step(page, title)
        await expect(page.get_by_text(USED_LINK)).to_have_count(1 if "token" in path else 0)
        if path not in ALIKE:
            await check_page(page)
    await expect(page.locator("#forgot-name")).to_be_visible()
    await visitor.open("/verify")
    await page.locator("#main").get_by_role("link", name="Sign in").click()
    await step(page, "Sign in")


async def test_axe_finds_nothing_in_refused_forms(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    visitor.expect("401|409")
    page = visitor.page
    await visitor.open("/login?error=attemptExpired")
    await fill_in(page, "", "")
    await expect(page.locator("#sign-in-name")).to_have_attribute("aria-invalid", "true")
    await check_page(page)
    await fill_in(page, "ada", "wrong")
    await expect(page.get_by_text("Authentication failed")).to_be_visible()
    await check_page(page)
    await fill_in(page, "locked2", PASSWORD)
    await expect(page.get_by_role("button", name="Unlock my account")).to_be_visible()
    await check_page(page)
    await page.get_by_role("button", name="Unlock my account").click()
    await step(page, "Unlock your account")
    await check_page(page)


ADDED = {
    "Google Authenticator": "Set up your authenticator app",
    "Security Key or Biometric": "Add a passkey",
    "Security Question": "Set up a security question",
    "Okta Verify": "Set up the app",
    "Phone: SMS": "Confirm your phone",
}
NIGHTLY = ("Security Key or Biometric", "Security Question", "Okta Verify")


@pytest.mark.parametrize(
    "labels",
    [("Google Authenticator", "Phone: SMS"), pytest.param(NIGHTLY, marks=pytest.mark.soak)],
    ids=", ".join,
)
async def test_axe_finds_nothing_while_an_account_is_made_and_its_sign_in_methods_are_set_up(
    new_visitor: NewVisitor, labels: tuple[str, ...]
) -> None:
    visitor = await new_visitor()
    page, address = visitor.page, f"axe{len(labels)}@example.test"
    await visitor.open("/register")
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_label("First name")).to_be_focused()
    await check_page(page)
    await begin_account(visitor, address)
    await check_page(page)
    await page.locator("main input[type=password]").fill("short")
    await page.get_by_role("button", name="Save password").click()
    await expect(page.locator("main input[type=password]")).to_have_attribute("aria-invalid", "true")
    await check_page(page)
    await page.locator("main input[type=password]").fill(NEW_PASSWORD)
    await page.get_by_role("button", name="Save password").click()
    await confirm_address(visitor, address)
    await step(page, "Add another way to sign in")
    await check_page(page)
    for label in labels:
        await option(page, label).click()
        if label == "Phone: SMS":
            await page.get_by_label("Phone number").fill("+15550100077")
        if label in ("Phone: SMS", "Okta Verify"):
            await check_page(page)
            await choose_first(page)
        await step(page, ADDED[label])
        await check_page(page)
        await page.get_by_role("button", name="Choose something else").click()
        await step(page, "Add another way to sign in")


async def choose_first(page: Page) -> None:
    code = page.get_by_label("QR code")
    if await code.count():
        await code.check()
    await page.get_by_role("button", name="Continue").click()


async def test_axe_finds_nothing_in_the_steps_of_a_second_factor(new_visitor: NewVisitor) -> None:
    visitor, elsewhere = await new_visitor(), await new_visitor()
    page = visitor.page
    await prove_password(visitor, "email-mfa", PASSWORD)
    await step(page, "Check your email")
    await enter_code(page, "000000")
    await expect(page.get_by_text("Invalid code. Try again.")).to_be_visible()
    await check_page(page)
    await elsewhere.open((await outbox(visitor, "email-mfa"))["link"])
    await step(elsewhere.page, "Enter this code where you began")
    await check_page(elsewhere.page)


async def test_axe_finds_nothing_in_the_profile_the_account_menu_and_at_sign_out(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page = visitor.page
    await sign_in(visitor, "ada", return_to="/profile")
    await expect(page.get_by_label("First name")).to_be_visible()
    for opener in ("Add an address", "Add a number", "Change password"):
        await page.get_by_role("button", name=opener).click()
    await page.get_by_role("button", name="Send a code").first.click()
    await expect(page.locator("#add-email")).to_have_attribute("aria-invalid", "true")
    await check_page(page)
    await page.get_by_role("button", name="Delete my account").click()
    await page.get_by_role("button", name="Delete for good").click()
    await expect(page.locator("#delete-confirm")).to_have_attribute("aria-invalid", "true")
    await check_page(page, inside="dialog[open]")
    await visitor.open("/about")
    await account_link(page).click()
    await expect(account_menu(page).get_by_text("Ada Lindqvist")).to_be_visible()
    await check_themes(page, "header")
    for path in ("/logout", "/login", "/create-password"):
        await visitor.open(path)
        await expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
    await check_page(page)
