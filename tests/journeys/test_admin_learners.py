"""Support finds a learner, opens a course to them, and signs in again for what needs it, with what was typed kept."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import select

from domain.tables import Enrolment
from tests.journeys import orders
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in
from tests.journeys.learning.learners import SQL, Student, student
from tests.support import factories
from tests.support.databases import FILE
from tests.support.site import Site

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

WHY = "The exam was sat by somebody else"


def age_sign_ins(site: Site) -> None:
    """Make the sign-ins of staff eleven minutes old."""
    at = (datetime.now(UTC) - timedelta(minutes=11)).strftime("%Y-%m-%d %H:%M:%S.000000")
    with sqlite3.connect(site.var_dir / FILE, timeout=20) as database:
        database.execute("UPDATE sessions SET authenticated_at = ? WHERE area = 'admin'", (at,))


def give_certificate(who: Student) -> None:
    with orders.writing(who.site) as session:
        enrolment = session.scalars(select(Enrolment).where(Enrolment.learner_id == who.id)).one()
        enrolment.completed_at = datetime.now(UTC)
        factories.certificate(session, enrolment, "sat-by-somebody-else-1", holder_name="Falk Fuchs")


async def open_learner(page: Page, name: str) -> None:
    await page.get_by_label("Email, student number, order code, or name").fill(name)
    await page.get_by_role("button", name="Find").click()
    await page.get_by_role("link", name=name).click()
    await expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


async def test_a_course_is_opened_by_hand_from_a_list_that_the_keyboard_can_use(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    await sign_in(visitor, "support", return_to="/admin/learners", area="admin")
    page = visitor.page
    await check_page(page)
    orders.new_learner(visitor.site, "Hanna Handlos")
    await open_learner(page, "Hanna Handlos")
    await check_page(page)
    await page.get_by_text("Enrol by hand").click()
    await page.get_by_role("combobox", name="Course or bundle").fill("negot")
    await expect(page.get_by_role("option").first).to_be_visible()
    await check_page(page)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("listbox")).to_be_hidden()
    await page.get_by_label("Reason").first.fill("Paid by bank transfer")
    await page.get_by_role("button", name="Open the course").click()
    await expect(page.get_by_text("The course is open to them.")).to_be_visible()
    await expect(page.get_by_role("table", name="Where the access came from")).to_contain_text("Paid by bank transfer")
    await expect(page.get_by_role("table", name="Recorded events")).to_contain_text("Enrolled learner")


async def test_a_sign_in_of_long_ago_is_renewed_and_leads_back_to_what_was_typed(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    give_certificate(student(visitor.site, "Falk Fuchs", SQL))
    await sign_in(visitor, "admin", return_to="/admin/learners?q=Falk+Fuchs", area="admin")
    page = visitor.page
    await page.get_by_role("link", name="Falk Fuchs").click()
    await expect(page.get_by_role("heading", name="Falk Fuchs", level=1)).to_be_visible()
    age_sign_ins(visitor.site)
    visitor.expect("403")
    fold = page.locator("details", has_text="Revoke a certificate")
    await fold.locator("summary").click()
    await fold.get_by_label("Certificate").select_option(index=1)
    await fold.get_by_label("What its page says").select_option("fraud")
    await fold.get_by_label("Reason").fill(WHY)
    await fold.get_by_role("button", name="Revoke certificate").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revoke certificate").click()
    await page.get_by_role("link", name="Sign in again").click()
    # The provider knows them still and asks for nothing.
    await expect(page.get_by_role("link", name="Sign in again")).to_have_count(0)
    await expect(page.get_by_role("heading", name="Falk Fuchs", level=1)).to_be_visible()
    await expect(fold.get_by_label("Reason")).to_have_value(WHY)
    await fold.get_by_role("button", name="Revoke certificate").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revoke certificate").click()
    await expect(page.get_by_text("The certificate is revoked.")).to_be_visible()
    await expect(page.get_by_role("table", name="Certificates")).to_contain_text("Revoked")
