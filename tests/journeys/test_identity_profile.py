"""The account's own page: addresses, password, other sign-ins, and the data to take along or away."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect
from sqlalchemy import select

from domain.learning import grants
from domain.tables import Enrolment, Learner, Product
from tests.journeys.carts import expect_toast
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import (
    NEW_PASSWORD,
    PASSWORD,
    expect_signed_out,
    fill_in,
    finish,
    forget_session,
    outbox,
    password_restored,
    register,
    sign_in,
    step,
)
from tests.journeys.orders import writing
from tests.support import factories

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# Not Firefox: journeys of test_firefox.py may have signed the same account in.
OPERA = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36 OPR/124.0.0.0"


CERTIFICATE = "kept-by-its-holder-01"


def part(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title)


async def open_profile(visitor: Visitor, name: str, password: str = PASSWORD) -> Page:
    await sign_in(visitor, name, password, return_to="/profile")
    await expect(part(visitor.page, "About you").get_by_label("First name")).to_be_visible()
    return visitor.page


async def confirm_by_code(emails: Locator, visitor: Visitor, address: str) -> None:
    await expect(emails.get_by_text(f"We sent it to {address}.")).to_be_visible()
    await emails.get_by_label("Code").fill((await outbox(visitor, address))["code"])


@pytest.mark.soak
async def test_the_profile_asks_to_sign_in_comes_back_and_leads_to_another_sign_in_method(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/profile")
    await expect(page).to_have_url(re.compile(r"/login\?returnTo=/profile$"))
    await fill_in(page, "ada", PASSWORD)
    await page.wait_for_url(re.compile(r"[0-9]/profile$"))
    await expect(part(page, "About you").get_by_label("First name")).to_have_value("Ada")
    await part(page, "Ways to sign in").get_by_role("button", name="Set up another way").click()
    await page.wait_for_url("**/verify")
    await step(page, "Sign in")
    await expect(page.get_by_label("Username")).to_have_value("ada@example.test")


@pytest.mark.soak
async def test_a_name_is_changed_and_an_address_added_confirmed_and_made_primary(visitor: Visitor) -> None:
    address = "marie.second@example.test"
    page = await open_profile(visitor, "marketing")
    emails = part(page, "Email addresses")
    await emails.get_by_role("button", name="Add an address").click()
    await emails.get_by_label("New address").fill(address)
    await emails.get_by_role("button", name="Send a code").click()
    await confirm_by_code(emails, visitor, address)
    await expect_toast(page, f"{address} is confirmed.")
    await emails.get_by_role("button", name=f"Make primary: {address}").click()
    await confirm_by_code(emails, visitor, address)
    await expect(emails.get_by_role("listitem").filter(has_text=address)).to_contain_text("Primary")
    about = part(page, "About you")
    await about.get_by_label("First name").fill("Mary")
    await about.get_by_role("button", name="Save").click()
    await expect_toast(page, "Your profile was saved.")
    await visitor.reload()
    await expect(emails.get_by_role("listitem").filter(has_text="Primary")).to_contain_text(address)
    await expect(about.get_by_label("First name")).to_have_value("Mary")


async def test_a_changed_password_signs_in_and_the_old_one_does_not(visitor: Visitor) -> None:
    visitor.expect("401")
    with password_restored(visitor, "finance"):
        page = await open_profile(visitor, "finance")
        password = part(page, "Password")
        await password.get_by_role("button", name="Change password").click()
        await password.locator("#current-password").fill(PASSWORD)
        await password.locator("#new-password").fill(NEW_PASSWORD)
        await password.get_by_role("button", name="Change password").click()
        await expect_toast(page, "Your password was changed.")
        await forget_session(visitor)
        await visitor.open("/login")
        await fill_in(page, "finance", PASSWORD)
        await expect(page.get_by_text("Authentication failed")).to_be_visible()
        await sign_in(visitor, "finance", NEW_PASSWORD)


async def test_another_sign_in_is_listed_and_ended_and_the_data_saved_as_a_file(new_visitor: NewVisitor) -> None:
    visitor, elsewhere = await new_visitor(), await new_visitor(user_agent=OPERA)
    elsewhere.expect("401")
    await sign_in(elsewhere, "ada")
    page = await open_profile(visitor, "ada")
    other = part(page, "Where you are signed in").get_by_role("listitem").filter(has_text="Opera")
    await other.get_by_role("button", name="Sign out").click()
    await page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    await expect(other).to_have_count(0)
    await elsewhere.open("/about")
    await expect_signed_out(elsewhere.page)
    async with page.expect_download() as download:
        await part(page, "Your data").get_by_role("button", name="Download my data").click()
    saved = await download.value
    assert saved.suggested_filename == "my-data.json"
    assert "ada@example.test" in json.dumps(json.loads(Path(await saved.path()).read_text("utf-8")))


async def test_an_account_is_deleted_once_its_address_was_typed(visitor: Visitor) -> None:
    address = "leaver@example.test"
    page = visitor.page
    await register(visitor, address)
    await finish(visitor)
    certificate_of(visitor, address)
    await visitor.open("/profile")
    await expect(part(page, "About you").get_by_label("First name")).to_have_value("Nora")
    await part(page, "Your data").get_by_role("button", name="Delete my account").click()
    question = page.get_by_role("dialog", name="Delete your account?")
    await question.get_by_label(f"Type {address}").fill("somebody@example.test")
    await question.get_by_role("button", name="Delete for good").click()
    await expect(question.get_by_text(f"Type {address} to confirm.")).to_be_visible()
    await question.get_by_label(f"Type {address}").fill(address)
    await question.get_by_label("Keep my certificates valid").check()
    await question.get_by_role("button", name="Delete for good").click()
    await expect(question).to_have_count(0)
    await expect_signed_out(page)
    assert visitor.site.query("SELECT count(*) FROM learners WHERE email = ?", address) == [(0,)]
    held = "SELECT holder_name, revoked_at FROM certificates WHERE code = ?"
    assert visitor.site.query(held, CERTIFICATE) == [("Nora Noether", None)]


def certificate_of(visitor: Visitor, address: str) -> None:
    """Give the account with this address a course, and complete it: it has a certificate."""
    with writing(visitor.site) as session:
        learner_id = session.scalars(select(Learner.id).where(Learner.email == address)).one()
        course_id = session.scalars(select(Product.id).where(Product.slug == "delegation-that-holds")).one()
        now = datetime.now(UTC)
        grants.grant(session, learner_id, [course_id], grants.GrantSource("gift", 2_000_000_000 + learner_id), now)
        enrolment = session.scalars(select(Enrolment).where(Enrolment.learner_id == learner_id)).one()
        enrolment.completed_at = now
        factories.certificate(session, enrolment, CERTIFICATE, holder_name="Nora Noether")
