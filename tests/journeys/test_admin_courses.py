"""An administrator makes a course from nothing, and a visitor finds it in the shop and puts it into the cart."""

import pytest
from playwright.async_api import expect

from tests.journeys import carts
from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_a_course_from_nothing_is_written_priced_published_and_sold(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(reduced_motion="reduce")
    await sign_in(visitor, "admin", return_to="/admin/courses/new", area="admin")
    page = visitor.page
    await page.get_by_label("Name").fill("Payroll from Nothing")
    await page.get_by_label("Category").select_option("tax")
    await page.get_by_role("button", name="Create draft").click()
    await expect(page.get_by_role("heading", name="Payroll from Nothing")).to_be_visible()
    await expect(page.get_by_text("it has no subtitle and no description")).to_be_visible()
    await check_page(page)
    await page.get_by_role("textbox", name="Description").fill("Wages, **step by step**.")
    await page.get_by_label("Duration in minutes").fill("90")
    await expect(page.get_by_role("region", name="Preview").locator("strong")).to_have_text("step by step")
    await page.get_by_role("button", name="Save texts").click()
    await expect(page.get_by_text("It cannot be published yet")).to_have_count(0)
    await page.get_by_role("link", name="Price", exact=True).click()
    await page.get_by_label("List price").fill("49.00")
    await page.get_by_role("button", name="Save price").click()
    await expect(page.get_by_role("table", name="Until now")).to_contain_text("$49.00")
    await check_page(page)
    await page.get_by_role("link", name="Publication", exact=True).click()
    await page.get_by_role("button", name="Publish now").click()
    await page.get_by_role("button", name="Publish", exact=True).click()
    await expect(page.get_by_role("heading", name="Published")).to_be_visible()
    await check_page(page)
    buyer = await new_visitor(reduced_motion="reduce")
    await buyer.open("/course-details?course=payroll-from-nothing")
    await carts.add_button(buyer.page).first.click()
    await carts.expect_count(buyer.page, 1)
    await buyer.open("/cart")
    await expect(buyer.page.get_by_role("main")).to_contain_text("Payroll from Nothing")
    await expect(buyer.page.get_by_role("main")).to_contain_text("$49.00")
