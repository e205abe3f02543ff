"""New accounts, and what proves whose they are besides a password: mail, an app, a passkey."""

import pytest
from playwright.async_api import expect

from tests.journeys.conftest import Visitor
from tests.journeys.identity import (
    NEW_PASSWORD,
    PASSWORD,
    app_code,
    app_secret,
    enter_code,
    expect_signed_in,
    finish,
    forget_session,
    option,
    outbox,
    plug_in_key,
    prove_password,
    register,
    step,
)

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

KEY = "Security Key or Biometric"
CANCEL = "() => { navigator.credentials.create = () => Promise.reject(new DOMException('no', 'NotAllowedError')) }"


async def test_a_code_by_mail_completes_a_sign_in(visitor: Visitor) -> None:
    page = visitor.page
    await prove_password(visitor, "email-mfa", PASSWORD)
    await step(page, "Check your email")
    await enter_code(page, "000000")
    await expect(page.get_by_text("Invalid code. Try again.")).to_be_visible()
    await expect(page.get_by_label("Enter code")).to_be_focused()
    # The next one is typed over it.
    assert await page.evaluate("getSelection().toString()") == "000000"
    await enter_code(page, (await outbox(visitor, "email-mfa"))["code"])
    await page.wait_for_url("**/about")
    await expect_signed_in(page, "Mira Sato")


@pytest.mark.soak
async def test_a_new_account_with_an_app_signs_in_with_the_apps_code(visitor: Visitor) -> None:
    page, address = visitor.page, "app@example.test"
    await register(visitor, address)
    await option(page, "Google Authenticator").click()
    await expect(page.get_by_alt_text("QR code to scan with the app")).to_be_visible()
    secret = await app_secret(page)
    await enter_code(page, app_code(secret))
    await step(page, "Add another way to sign in")
    await finish(visitor)
    await forget_session(visitor)
    await prove_password(visitor, address, NEW_PASSWORD)
    await step(page, "Open your authenticator app")
    await enter_code(page, app_code(secret, later=1))
    await page.wait_for_url("**/about")
    await expect_signed_in(page, "Nora Neu")


async def test_a_new_account_with_a_passkey_that_was_cancelled_once_signs_in_with_it(visitor: Visitor) -> None:
    page, address = visitor.page, "key@example.test"
    await plug_in_key(visitor)
    await register(visitor, address)
    await option(page, KEY).click()
    await page.evaluate(CANCEL)
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_text("That was cancelled or took too long.")).to_be_visible()
    await page.evaluate("delete navigator.credentials.create")
    await page.get_by_role("button", name="Add a passkey").click()
    await step(page, "Add another way to sign in")
    await expect(option(page, KEY)).to_have_count(0)
    await finish(visitor)
    await forget_session(visitor)
    await prove_password(visitor, address, NEW_PASSWORD)
    await step(page, "Use your passkey")
    await page.get_by_role("button", name="Use my passkey").click()
    await page.wait_for_url("**/about")
    await expect_signed_in(page, "Nora Neu")


@pytest.mark.soak
async def test_at_a_numeric_ip_address_the_passkey_says_why_it_is_unavailable(visitor: Visitor) -> None:
    await register(visitor, "number@example.test")
    # This transaction goes on in this browser, at the other name of this machine.
    flow = [cookie for cookie in await visitor.context.cookies() if cookie.get("name") == "tx"]
    origin = f"http://127.0.0.1:{visitor.site.port}"
    await visitor.context.add_cookies(
        [{"name": "tx", "value": cookie.get("value", ""), "url": origin} for cookie in flow]
    )
    await visitor.open(f"{origin}/verify")
    await expect(option(visitor.page, KEY)).to_be_disabled()
    await expect(option(visitor.page, KEY)).to_contain_text("this one was opened by its number, 127.0.0.1")
    await expect(option(visitor.page, "Google Authenticator")).to_be_enabled()
