"""A marketer reads reports about visits: another period, one source, the file; at both widths."""

import re

import pytest
from playwright.async_api import StorageState, expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.focus import tab_through
from tests.journeys.report_screens import CHOICES, marketer, open_report, open_sheet

__all__ = ["marketer"]
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_a_marketer_sees_who_came_and_saves_the_days_of_one_source(
    new_visitor: NewVisitor, marketer: StorageState, width: int
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/visits", width)
    page = visitor.page
    figures = page.get_by_role("list", name="Figures")
    await expect(figures.get_by_role("listitem")).to_have_count(9)
    await open_sheet(page, CHOICES)
    await page.get_by_role("link", name="90 days").click()
    await page.wait_for_url("**/admin/visits?from=*")
    current = page.locator(".report-choices").get_by_text("90 days")
    await expect(current).to_have_attribute("aria-current", "page")
    await open_sheet(page, "Reports")
    await page.get_by_role("navigation", name="Reports").get_by_role("link", name="Sources").click()
    await page.get_by_role("navigation", name="Rows by").get_by_role("link", name="Source", exact=True).click()
    await page.get_by_role("link", name="Google", exact=True).click()
    await expect(page.get_by_text("Source: Google")).to_be_visible()
    # Its period came along, and back brings the list again.
    assert re.search(r"\?from=.+&f=source%3AGoogle$", page.url)
    sessions = await figures.get_by_role("listitem").first.locator(".report-figure__value").inner_text()
    async with page.expect_download() as saving:
        await page.get_by_role("link", name="Download as CSV").click()
    rows = (await (await saving.value).path()).read_text("utf-8-sig").splitlines()
    assert rows[0].startswith("Day,Sessions,Visits,Bounce rate (%)")
    assert sum(int(row.split(",")[1]) for row in rows[1:]) == int(sessions.replace(",", "")) > 100
    await page.locator("summary.report-figure__question").first.click()
    await expect(page.get_by_text("For example: A tab opens a page at 10:00")).to_be_visible()
    await check_page(page, (width,), is_dark=width == 390)
    await page.go_back()
    await expect(page.get_by_role("link", name="Google", exact=True)).to_be_visible()
    await visitor.settled()
    await tab_through(page)


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_a_marketer_narrows_a_report_by_filters_and_takes_one_away(
    new_visitor: NewVisitor, marketer: StorageState, width: int
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/visits", width)
    page = visitor.page
    reports = page.get_by_role("navigation", name="Reports")
    await open_sheet(page, "Reports")
    await reports.get_by_role("link", name="Devices").click()
    filters = page.get_by_role("region", name="Filters in force")
    of_device = ["Remove filter Device: Computer", "Show all"]
    await page.get_by_role("link", name="Computer", exact=True).click()
    await expect(filters.get_by_role("link")).to_have_text(of_device)
    # The filter comes along to other reports.
    await open_sheet(page, "Reports")
    await reports.get_by_role("link", name="Sources").click()
    await page.wait_for_url("**/admin/reports/sources?f=device%3Adesktop")
    await expect(page.get_by_role("heading", name="Sources", level=1)).to_be_visible()
    await expect(filters.get_by_role("link")).to_have_text(of_device)
    await page.get_by_role("link", name="Search engines", exact=True).click()
    await page.wait_for_url("**f=channel%3Asearch&f=device%3Adesktop")
    both = ["Remove filter Channel: Search engines", "Remove filter Device: Computer", "Show all"]
    await expect(filters.get_by_role("link")).to_have_text(both)
    # Rows are of the next dimension by then.
    await expect(page.get_by_role("link", name="Google", exact=True)).to_be_visible()
    figures = page.get_by_role("list", name="Figures")
    narrow = await figures.get_by_role("listitem").first.locator(".report-figure__value").inner_text()
    await check_page(page, (width,), is_dark=width == 390)
    await filters.get_by_role("link", name="Remove filter Device: Computer").click()
    await page.wait_for_url(re.compile(r"f=channel%3Asearch$"))
    await expect(filters.get_by_role("link")).to_have_text([both[0], both[2]])
    wide = await figures.get_by_role("listitem").first.locator(".report-figure__value").inner_text()
    assert int(wide.replace(",", "")) > int(narrow.replace(",", "")) > 0
    await visitor.settled()
