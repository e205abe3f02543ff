"""A marketer saves what a report shows, opens it again, has it mailed, and deletes it and takes that back."""

import pytest
from playwright.async_api import StorageState, expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.focus import tab_through
from tests.journeys.report_screens import CHOICES, marketer, open_report, open_sheet

__all__ = ["marketer"]
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]
VIEW = "Search engines by device"


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_a_view_is_saved_opened_mailed_and_deleted_with_undo(
    new_visitor: NewVisitor, marketer: StorageState, width: int
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/visits", width)
    page = visitor.page
    await open_sheet(page, "Reports")
    await page.get_by_role("navigation", name="Reports").get_by_role("link", name="Devices").click()
    await expect(page.get_by_role("heading", name="Devices", level=1)).to_be_visible()
    await open_sheet(page, CHOICES)
    await page.get_by_role("link", name="7 days", exact=True).click()
    week = page.locator(".report-choices").get_by_text("7 days", exact=True)
    await expect(week).to_have_attribute("aria-current", "page")
    await open_sheet(page, CHOICES)
    await page.get_by_role("link", name="Save view").click()
    await page.get_by_label("Name").fill(VIEW)
    await expect(page.get_by_label("Period")).to_have_value("last-7")
    await check_page(page, (width,), is_dark=width == 390)
    await page.get_by_label("Mail it to me").select_option("Each Monday")
    await page.get_by_role("button", name="Save").click()
    await page.wait_for_url("**/admin/visits/saved")
    own = page.get_by_role("row").filter(has_text=VIEW)
    await expect(own).to_contain_text("The last 7 days")
    await expect(own).to_contain_text("Each Monday")
    await check_page(page, (width,), is_dark=width == 390)
    await own.get_by_role("link", name=VIEW).click()
    await page.wait_for_url("**/devices?from=*")
    await expect(page.get_by_role("heading", name="Devices", level=1)).to_be_visible()
    await open_sheet(page, "Reports")
    await expect(page.get_by_role("navigation", name="Reports").get_by_role("link", name=VIEW)).to_have_attribute(
        "aria-current", "page"
    )
    await page.get_by_role("link", name="All saved views").click()
    await own.get_by_role("link", name="Change").click()
    await expect(page.get_by_role("heading", name=VIEW, level=1)).to_be_visible()
    await check_page(page, (width,), is_dark=width == 390)
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_text("Not sent to you")).to_be_visible()
    await visitor.settled()
    await tab_through(page)
    await page.get_by_role("button", name="Delete").click()
    await page.wait_for_url("**/admin/visits/saved")
    await expect(own).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(own).to_have_count(1)
