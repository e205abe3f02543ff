"""Everything can be reached and used with the keyboard alone, and the focus is always visible."""

import re

import pytest
from playwright.async_api import expect

from tests.journeys.conftest import NewVisitor, Visitor, path_of
from tests.journeys.focus import tab_out_of, tab_to

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]


async def test_the_skip_link_leads_to_the_content_and_a_filter_to_its_results(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    await visitor.settled()
    await page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    await expect(skip).to_be_focused()
    await expect(skip).to_be_in_viewport()
    await page.keyboard.press("Enter")
    await expect(page.locator("#main")).to_be_focused()
    await tab_to(page, "nav[aria-label=Filters] li a")
    target = await page.evaluate("document.activeElement.getAttribute('href')")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("navigation", name="Filters").locator("[aria-current=true]").first).to_be_visible()
    assert path_of(page.url) == target
    await expect(page.locator("#main")).to_be_focused()


SHEETS = {
    "menu": ("button[popovertarget=site-menu]", "#site-menu", "a[href='/about']"),
    "filters": ("button[popovertarget=filters]:not([popovertargetaction])", "#filters", "li a"),
}


async def test_a_sheet_opens_and_closes_on_a_narrow_screen(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    page = visitor.page
    for opener, panel, choice in SHEETS.values():
        await visitor.open("/shop")
        await visitor.settled()
        await expect(page.locator(panel)).to_be_hidden()
        await tab_to(page, opener)
        await page.keyboard.press("Enter")
        await expect(page.locator(panel)).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator(panel)).to_be_hidden()
        await expect(page.locator(opener)).to_be_focused()
        await page.keyboard.press("Enter")
        await tab_out_of(page, panel)
        await expect(page.locator(panel)).to_be_hidden()
        await page.locator(opener).focus()
        await page.keyboard.press("Enter")
        await tab_to(page, f"{panel} {choice}")
        visitor.clear_requests()
        await page.keyboard.press("Enter")
        await expect(page.locator(panel)).to_be_hidden()
        await expect(page).not_to_have_url(re.compile("/shop$"))
        await expect(page.locator("#main")).to_be_focused()
        assert visitor.requested("document") == []
