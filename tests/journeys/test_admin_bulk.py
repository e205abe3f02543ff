"""Many courses get another category at once, and many another price: what came of each is read, and undone."""

import pytest
from playwright.async_api import expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_many_courses_get_another_category_and_then_their_own_again(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    # Courses that other journeys publish may have the new category already.
    await sign_in(visitor, "admin", return_to="/admin/courses?status=published&category=ethics", area="admin")
    page = visitor.page
    rows = page.get_by_role("region", name="Rows of Courses").get_by_role("row")
    await expect(rows.nth(1)).to_be_visible()
    for number in (1, 2):
        await rows.nth(number).get_by_role("checkbox").check()
    await page.get_by_role("button", name="Change…").click()
    await expect(page.get_by_role("heading", name="Change 2 courses")).to_be_visible()
    await check_page(page)
    await page.get_by_label("New category").select_option("tax")
    await page.get_by_role("button", name="Change category").click()
    await expect(page.get_by_role("heading", name="Change the category of 2 courses")).to_be_visible()
    await expect(page.get_by_role("button", name="Undo this change")).to_be_visible()
    chosen = page.get_by_role("region", name="Rows of Chosen rows")
    await expect(chosen.get_by_text("Chosen", exact=True)).to_have_count(0)
    await check_page(page)
    await page.get_by_role("button", name="Undo this change").click()
    await expect(page.get_by_role("heading", name="Undo the change of")).to_be_visible()
    await expect(page.get_by_text("Done", exact=True).first).to_be_visible()


@pytest.mark.soak
async def test_many_prices_are_previewed_lowered_and_put_back(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    await sign_in(visitor, "admin", return_to="/admin/courses?status=published&category=ethics", area="admin")
    page = visitor.page
    await page.get_by_label("Select all rows of this page").check()
    await page.get_by_role("button", name="Change prices…").click()
    await expect(page.get_by_role("heading", name="New prices")).to_be_visible()
    await page.get_by_label("What becomes of the prices").select_option("lower")
    await page.get_by_role("textbox", name="Percent").fill("10")
    await page.get_by_role("button", name="Show the new prices").click()
    await expect(page.get_by_text("Would change", exact=True).first).to_be_visible()
    await check_page(page)
    await page.get_by_role("button", name="Change the prices").click()
    await page.get_by_role("dialog").get_by_role("button", name="Change the prices").click()
    await expect(page.get_by_text("This is possible until")).to_be_visible()
    await page.get_by_role("button", name="Undo this change").click()
    await expect(page.get_by_role("heading", name="Undo the change of")).to_be_visible()
    await expect(page.get_by_text("Done", exact=True).first).to_be_visible()
    await check_page(page)
