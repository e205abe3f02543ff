"""A marketer sees what assistants brought, and follows one of them to the pages that it has read."""

import pytest
from playwright.async_api import expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.identity import PASSWORD, fill_in
from tests.journeys.test_reports import COMPUTED
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_a_marketer_follows_an_agent_to_the_pages_that_it_read(new_visitor: NewVisitor, width: int) -> None:
    visitor = await new_visitor(width)
    page, site = visitor.page, visitor.site
    await until(lambda: site.query(COMPUTED)[0][0] >= 119, every_s=0.2)
    await visitor.open("/adminlogin")
    await fill_in(page, "marketing", PASSWORD)
    await page.wait_for_url("**/admin/visits")
    await visitor.open("/admin/reports/agents")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="ChatGPT", exact=True))
    await expect(row).to_contain_text("Not verified")
    await expect(page.get_by_role("link", name="(unknown agent)", exact=True)).to_be_visible()
    await page.locator("summary.report-figure__question").first.click()
    await expect(page.get_by_text("For example: A crawler reads two courses")).to_be_visible()
    await check_page(page, (width,), is_dark=width == 390)
    await page.get_by_role("link", name="ChatGPT", exact=True).click()
    await expect(page.get_by_text("Agent: ChatGPT")).to_be_visible()
    await expect(page.get_by_role("columnheader", name="Known for days")).to_be_visible()
    await visitor.settled()
