"""The admin area by keyboard alone, on a wide and on a narrow screen."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.journeys.axe import check_page
from tests.journeys.conftest import NewVisitor
from tests.journeys.focus import tab_to
from tests.journeys.identity import sign_in

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]
TAX = "Withholding Tax on Payments Abroad"


async def test_an_order_is_searched_opened_and_its_refund_tried(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    page = visitor.page
    await sign_in(visitor, "finance", return_to="/admin/orders?state=paid", area="admin")
    code = await page.get_by_role("table", name="Orders").get_by_role("rowheader").first.inner_text()
    await search(page, code[:10].lower())
    await expect(page.get_by_role("heading", name=f"Search for “{code[:10].lower()}”")).to_be_visible()
    await tab_to(page, f"a[href='/admin/orders/{code}']")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name=f"Order {code}")).to_be_visible()
    await check_page(page)
    await tab_to(page, "details:has(input[name='units.1']) > summary")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Units of").first).to_be_visible()
    await tab_to(page, "input[inputmode=numeric]")
    await page.keyboard.type("1")
    await tab_to(page, "input[name=reason]")
    await page.keyboard.type("Bought twice")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name=re.compile("^Refund .*[0-9]"))).to_be_visible()


async def test_a_list_is_filtered_and_a_row_selected_on_a_narrow_screen(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    page = visitor.page
    await sign_in(visitor, "admin", return_to="/admin/items", area="admin")
    await expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible()
    await tab_to(page, "button[popovertarget=area-nav]")
    await page.keyboard.press("Enter")
    await tab_to(page, "#area-nav a[href='/admin/courses']")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Courses", exact=True)).to_be_visible()
    await tab_to(page, "button.table__open")
    await page.keyboard.press("Enter")
    await tab_to(page, "form[popover] input[name=q]")
    await page.keyboard.type(TAX)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("link", name=f"Remove filter Name: {TAX}")).to_be_visible()
    await expect(page.get_by_role("table", name="Courses").get_by_role("rowheader", name=TAX)).to_be_visible()
    await tab_to(page, "tbody input[type=checkbox]")
    await page.keyboard.press("Space")
    await expect(page.get_by_role("region", name="Selected rows")).to_be_visible()
    await check_page(page)


async def search(page: Page, text: str) -> None:
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("searchbox", name="Search the area")).to_be_focused()
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")
