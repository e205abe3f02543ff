"""Back in: a new password by mail, a locked account opened, and what was begun found again or begun anew."""

import pytest
from playwright.async_api import expect

from tests.journeys.conftest import NewVisitor, Visitor, hydrated
from tests.journeys.identity import (
    MORE_IS_WANTED,
    NEW_PASSWORD,
    PASSWORD,
    begin_account,
    enter_code,
    expect_signed_in,
    fill_in,
    let_expire,
    option,
    outbox,
    password_restored,
    step,
)

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def ask_for_mail(visitor: Visitor, name: str) -> dict[str, str]:
    """From /forgot to the mail that leads on."""
    await begin_recovery(visitor, name)
    return await outbox(visitor, name)


async def begin_recovery(visitor: Visitor, name: str) -> None:
    page = visitor.page
    await visitor.open("/forgot")
    await page.locator("#forgot-name").fill(name)
    await page.get_by_role("button", name="Choose a new password").click()
    await step(page, "How shall we verify that it is you?")
    await option(page, "Email").click()
    await step(page, "Check your email")


async def choose_password(visitor: Visitor, password: str) -> None:
    await step(visitor.page, "Choose a new password")
    await visitor.page.locator("main input[type=password]").fill(password)
    await visitor.page.get_by_role("button", name="Save password").click()


async def test_a_mails_link_leads_to_a_new_password_in_the_same_browser(visitor: Visitor) -> None:
    with password_restored(visitor, "member"):
        mail = await ask_for_mail(visitor, "member")
        await visitor.open(mail["link"])
        await choose_password(visitor, NEW_PASSWORD)
        await visitor.page.wait_for_url("**/user-dashboard")
        await expect_signed_in(visitor.page, "Milo Haddad")


async def test_a_mails_link_in_another_browser_shows_the_code_for_the_first_one(new_visitor: NewVisitor) -> None:
    visitor, elsewhere = await new_visitor(), await new_visitor(390)
    with password_restored(visitor, "org"):
        mail = await ask_for_mail(visitor, "org")
        await elsewhere.open(mail["link"])
        explanation = f"Enter the OTP code in the originating client: {mail['code']}"
        await expect(elsewhere.page.get_by_text(explanation, exact=True)).to_be_visible()
        await enter_code(visitor.page, mail["code"])
        await choose_password(visitor, NEW_PASSWORD)
        await visitor.page.wait_for_url("**/user-dashboard")
        await expect_signed_in(visitor.page, "Orla Byrne")


async def test_a_locked_account_is_opened_by_mail(visitor: Visitor) -> None:
    visitor.expect(MORE_IS_WANTED)
    page = visitor.page
    await visitor.open("/login?returnTo=/about")
    await fill_in(page, "locked", PASSWORD)
    await expect(page.get_by_text("We cannot handle the LOCKED_OUT status")).to_be_visible()
    await page.get_by_role("button", name="Unlock my account").click()
    await expect(page.get_by_label("Username")).to_have_value("locked")
    await page.get_by_label("Email").check()
    await page.get_by_role("button", name="Send the code").click()
    await step(page, "Check your email")
    await enter_code(page, (await outbox(visitor, "locked"))["code"])
    await step(page, "Your account is unlocked")
    await page.get_by_role("link", name="Sign in").click()
    await fill_in(page, "locked", PASSWORD)
    await page.wait_for_url("**/about")


async def test_an_expired_transaction_restarts_with_the_typed_values(visitor: Visitor) -> None:
    visitor.expect("410")
    page = visitor.page
    await begin_account(visitor, "late@example.test")
    let_expire(visitor.site)
    await page.locator("main input[type=password]").fill(NEW_PASSWORD)
    await page.get_by_role("button", name="Save password").click()
    await step(page, "Create your account")
    await expect(page.get_by_text("More than 30 minutes have passed")).to_be_visible()
    await expect(page.get_by_label("First name")).to_have_value("Nora")
    await expect(page.get_by_label("Email")).to_have_value("late@example.test")


async def test_a_lost_transaction_restarts_with_the_name_whether_or_not_the_account_exists(visitor: Visitor) -> None:
    visitor.expect("404")
    page = visitor.page
    await begin_recovery(visitor, "no-such-learner")
    await expect(page.get_by_text("We sent a message to you.")).to_be_visible()
    await visitor.context.clear_cookies(name="tx")
    await enter_code(page, "123456")
    await step(page, "Forgot your password?")
    await expect(page.get_by_text("What you had begun is not open any more")).to_be_visible()
    await expect(page.locator("#forgot-name")).to_have_value("no-such-learner")


@pytest.mark.soak
async def test_a_second_tab_continues_the_flow_and_the_first_one_follows(visitor: Visitor) -> None:
    """What was still offered in the first tab is not any more: it shows where the transaction stands now."""
    visitor.expect("409")
    await begin_account(visitor, "tabs@example.test")
    second = await visitor.context.new_page()
    await second.goto("/verify")
    await hydrated(second)
    await second.locator("main input[type=password]").fill(NEW_PASSWORD)
    await second.get_by_role("button", name="Save password").click()
    await step(second, "Confirm your email")
    await visitor.page.get_by_role("button", name="Choose something else").click()
    await option(visitor.page, "Password").click()
    await step(visitor.page, "Confirm your email")
