"""From a report to what it is made of: the visits that led to an order, and back."""

import pytest
from playwright.async_api import StorageState, expect

from tests.journeys.conftest import NewVisitor
from tests.journeys.report_screens import back_restores, marketer, open_report

__all__ = ["marketer"]
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_attribution_leads_to_the_path_of_an_order_and_back_to_where_it_was(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await open_report(new_visitor, marketer, "/admin/reports/attribution")
    page = visitor.page
    await page.get_by_role("link", name="12 months").click()
    year = page.get_by_role("navigation", name="Periods").get_by_role("link", name="12 months")
    await expect(year).to_have_attribute("aria-current", "page")
    await page.get_by_label("Model").select_option(label="Linear")
    await page.get_by_role("button", name="Show").click()
    await page.wait_for_url("**&model=linear*")
    await page.get_by_role("navigation", name="Rows by").get_by_role("link", name="Partner").click()
    await page.wait_for_url("**&by=partner*")
    await expect(page.get_by_role("table", name="Partner")).to_be_visible()
    await page.get_by_role("navigation", name="Rows by").get_by_role("link", name="Order", exact=True).click()
    await page.wait_for_url("**&by=order*")
    await expect(page.get_by_role("table", name="Order")).to_be_visible()
    await expect(page.get_by_label("Model")).to_have_value("linear")
    order = page.get_by_role("table", name="Order").get_by_role("rowheader").get_by_role("link").first
    code = (await order.inner_text()).split(",")[0]
    await back_restores(visitor, order, page.get_by_role("heading", name=f"Path of order {code}", level=1))
