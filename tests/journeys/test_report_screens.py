"""Every report of the declared list, as a marketer reads it: at both widths, in both themes, by keyboard, and back."""

from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, StorageState, expect

from domain.reports.all_reports import SOURCES
from host.reports.answering import NOW
from tests.journeys.axe import WIDTHS, check_page, violations
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_through
from tests.journeys.identity import PASSWORD
from tests.support.site import Site
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# The days of the demo are computed after the start; four months have 120.
COMPUTED = "SELECT count(*) FROM visit_rollups WHERE built_at IS NOT NULL AND dirty_at IS NULL"
PATHS = {name: "/admin/visits" if name == "overview" else f"/admin/reports/{name}" for name in (*SOURCES, NOW)}
PATHS["link builder"] = "/admin/visits/link?to=/shop&source=newsletter&medium=email&campaign=spring"
# What a report says: its figures, its form, its table, and how far the page is scrolled.
STATE = """() => ({
    address: location.pathname + location.search,
    heading: document.querySelector('h1').textContent,
    figures: [...document.querySelectorAll('.report-figure__value')].map((value) => value.textContent),
    filters: [...document.querySelectorAll('.report-chosen__filter')].map((link) => link.textContent),
    fields: [...document.querySelectorAll('.report-controls__form [name]')].map(({ name, value }) => [name, value]),
    rows: [...document.querySelectorAll('#rows tr')].map((row) => row.textContent),
    scrolled: Math.round(scrollY),
})"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def marketer(site: Site, browser: Browser) -> StorageState:
    """The cookies of a marketer, for whom all days of the demo are computed."""
    await until(lambda: site.query(COMPUTED)[0][0] >= 119, every_s=0.2)
    origin = f"http://localhost:{site.port}"
    context = await browser.new_context(base_url=origin)
    form = {"username": "marketing", "password": PASSWORD, "returnTo": "/about", "area": "admin"}
    answer = await context.request.post("/api/auth/login", data=form, headers={"Origin": origin})
    await context.request.get((await answer.json())["redirect"])
    state = await context.storage_state()
    await context.close()
    return state


async def open_as(new_visitor: NewVisitor, marketer: StorageState, path: str, width: int = 1280) -> Visitor:
    visitor = await new_visitor(width, storage_state=marketer)
    await visitor.open(path)
    await expect(visitor.page.get_by_role("link", name="Sign out")).to_be_visible()
    await expect(visitor.page.locator(".loading-view")).to_have_count(0)
    return visitor


@pytest.mark.parametrize("name", PATHS)
async def test_a_report_fits_both_widths_and_axe_finds_nothing_in_either_theme(
    new_visitor: NewVisitor, marketer: StorageState, name: str
) -> None:
    visitor = await open_as(new_visitor, marketer, PATHS[name])
    page = visitor.page
    await expect(page.get_by_role("navigation", name="Administration").locator("[aria-current]")).not_to_have_count(0)
    for width in WIDTHS:
        await check_page(page, (width,), is_dark=True)
    await explain_figures(page)
    await read_the_chart(page)
    await tab_through(page)


async def explain_figures(page: Page) -> None:
    """Each figure says what it means and gives an example, and so does each column that is no figure above."""
    figures = page.locator(".report-figure")
    texts = await figures.locator(".report-figure__text").all_text_contents()
    assert len(texts) == await figures.count()
    assert all("For example: " in text and len(text) > 40 for text in texts), texts


async def read_the_chart(page: Page) -> None:
    """A sentence says what the chart shows; an arrow key leads to the point before."""
    figure = page.locator("figure.chart")
    if await figure.count() == 0:
        return
    assert (await figure.locator(".chart__summary").inner_text()).endswith(".")
    slider = figure.get_by_role("slider")
    await slider.focus()
    last = await slider.get_attribute("aria-valuetext")
    await page.keyboard.press("ArrowLeft")
    await expect(slider).not_to_have_attribute("aria-valuetext", last or "")
    await page.keyboard.press("End")
    await expect(slider).to_have_attribute("aria-valuetext", last or "")


async def state_of(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = await page.evaluate(STATE)
    return found


@pytest.mark.parametrize("name", [name for name in SOURCES if SOURCES[name].report.has_period])
async def test_back_from_a_row_restores_a_report(new_visitor: NewVisitor, marketer: StorageState, name: str) -> None:
    visitor = await open_as(new_visitor, marketer, PATHS[name])
    page = visitor.page
    await page.get_by_role("link", name="Last month").click()
    await page.wait_for_url("**?from=*")
    await visitor.settled()
    rows = page.locator("#rows tbody")
    links = rows.get_by_role("rowheader").get_by_role("link")
    if await links.count() == 0:
        # Rows that lead nowhere: another report is opened instead.
        links = page.get_by_role("navigation", name="Reports").get_by_role("link", name="Devices")
    await links.first.scroll_into_view_if_needed()
    before = await state_of(page)
    await links.first.click()
    await expect(page).not_to_have_url(f"{page.url.split('/admin')[0]}{before['address']}")
    await visitor.settled()
    await page.go_back()
    await visitor.settled()
    assert await state_of(page) == before


async def test_a_report_is_printed_without_what_one_can_only_press(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await open_as(new_visitor, marketer, PATHS["sources"])
    page = visitor.page
    await page.emulate_media(media="print")
    for part in ("Reports", "Periods", "Rows by", "Administration"):
        await expect(page.get_by_role("navigation", name=part)).to_be_hidden()
    await expect(page.get_by_role("button", name="Show")).to_be_hidden()
    await expect(page.get_by_role("list", name="Figures")).to_be_visible()
    await expect(page.get_by_role("table", name="Channel")).to_be_visible()
    assert await violations(page, only=("color-contrast",)) == []
