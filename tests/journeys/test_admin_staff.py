"""An administrator gives a role, takes it back, and finds both in the audit."""

import pytest
from playwright.async_api import expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_role_is_given_taken_back_and_found_in_the_audit(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    await sign_in(visitor, "admin", return_to="/admin", area="admin")
    page = visitor.page
    await expect(page.get_by_role("heading", name="Waiting for you")).to_be_visible()
    await check_page(page)
    await page.get_by_role("link", name="Staff", exact=True).click()
    await page.get_by_role("link", name="Edda Rossi").click()
    await expect(page.get_by_role("heading", name="Edda Rossi")).to_be_visible()
    await check_page(page)
    roles = page.get_by_role("table", name="Roles")
    await expect(roles.get_by_role("row")).to_have_count(2)
    await page.get_by_role("button", name="Give role").click()
    await expect(page.get_by_text("Role to give: this is needed.")).to_be_visible()
    await page.get_by_label("Role to give").select_option("marketer")
    await page.get_by_label("Reason").first.fill("Helps with campaigns")
    await page.get_by_role("button", name="Give role").click()
    await expect(roles.get_by_role("row")).to_have_count(3)
    await page.get_by_role("button", name="Undo").click()
    await expect(roles.get_by_role("row")).to_have_count(2)
    await expect(page.get_by_role("table", name="Recorded events")).to_contain_text("Helps with campaigns")
    await page.get_by_role("link", name="Audit", exact=True).click()
    await expect(page.get_by_role("region", name="Rows of Audit")).to_contain_text("Helps with campaigns")
    await page.get_by_role("button", name="Check all events").click()
    await expect(page.get_by_text("are as they were recorded")).to_be_visible()
    await check_page(page)
