"""Every report of the declared list, as a marketer reads it: at both widths, in both themes, by keyboard, and back."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from playwright.async_api import Page, StorageState, expect

from domain.reports.all_reports import SOURCES
from host.reports.answering import NOW
from tests.journeys.axe import WIDTHS, check_page, violations
from tests.journeys.conftest import NewVisitor
from tests.journeys.focus import tab_through
from tests.journeys.report_screens import CHOICES, follow_and_return, marketer, open_report, open_sheet

__all__ = ["marketer"]
pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

PATHS = {name: "/admin/visits" if name == "overview" else f"/admin/reports/{name}" for name in (*SOURCES, NOW)}
PATHS["link builder"] = "/admin/visits/link?to=/shop&source=newsletter&medium=email&campaign=spring"
# A figure and some of the next ones, on the smallest phones that are still in use.
FIRST_FIGURE_ENDS = 560
# One of each form: with sums of days, of money, a table by colours, a strip for each page, without a period.
DAILY = ("overview", "attribution", "cohorts", "crawl-pages", "now")


def _nightly_but(daily: Collection[str], names: Iterable[str]) -> list[Any]:
    return [name if name in daily else pytest.param(name, marks=pytest.mark.soak) for name in names]


@pytest.mark.parametrize("name", _nightly_but(DAILY, PATHS))
async def test_a_report_fits_both_widths_and_axe_finds_nothing_in_either_theme(
    new_visitor: NewVisitor, marketer: StorageState, name: str
) -> None:
    visitor = await open_report(new_visitor, marketer, PATHS[name])
    page = visitor.page
    await expect(page.get_by_role("navigation", name="Administration").locator("[aria-current]")).not_to_have_count(0)
    for width in WIDTHS:
        await check_page(page, (width,), is_dark=True)
    await explain_figures(page)
    await read_the_chart(page)
    await tab_through(page)
    await check_first_figure(page)


async def check_first_figure(page: Page) -> None:
    """On a phone the first figure is in sight without scrolling, and the period is above it."""
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.evaluate("scrollTo(0, 0)")
    figure = page.locator(".report-figure").first
    if await figure.count():
        box = await figure.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= FIRST_FIGURE_ENDS, box
    if await page.locator("input[name=from]").count():
        await expect(page.get_by_role("button", name=CHOICES)).to_be_in_viewport()


async def explain_figures(page: Page) -> None:
    """Each figure says what it means and gives an example, and so does each column that is no figure above."""
    figures = page.locator(".report-figure")
    texts = await figures.locator(".report-figure__text").all_text_contents()
    assert len(texts) == await figures.count()
    assert all("For example: " in text and len(text) > 40 for text in texts), texts


async def read_the_chart(page: Page) -> None:
    """A sentence says what the chart shows, or why nothing; an arrow key leads to the point before."""
    figure, slider = page.locator("figure.chart"), page.locator("figure.chart").get_by_role("slider")
    for sentence in await figure.locator(".chart__summary, .chart__empty").all_inner_texts():
        assert sentence.endswith("."), sentence
    if await slider.count() == 0:
        return
    await slider.focus()
    last = await slider.get_attribute("aria-valuetext")
    await page.keyboard.press("ArrowLeft")
    await expect(slider).not_to_have_attribute("aria-valuetext", last or "")
    await page.keyboard.press("End")
    await expect(slider).to_have_attribute("aria-valuetext", last or "")


@pytest.mark.parametrize("name", _nightly_but(DAILY[:2], (name for name in SOURCES if SOURCES[name].report.has_period)))
async def test_back_from_a_row_restores_a_report(new_visitor: NewVisitor, marketer: StorageState, name: str) -> None:
    visitor = await open_report(new_visitor, marketer, PATHS[name])
    page = visitor.page
    await page.get_by_role("link", name="Last month").click()
    await page.wait_for_url("**?from=*")
    await visitor.settled()
    rows = page.locator("#rows tbody")
    links = rows.get_by_role("rowheader").get_by_role("link")
    if await links.count() == 0:
        # Rows that lead nowhere: another report is opened instead.
        links = page.get_by_role("navigation", name="Reports").get_by_role("link", name="Devices")
    for details in ("summary.report-figure__question", ".chart__numbers > summary"):
        await page.locator(details).first.click()
    before, after = await follow_and_return(visitor, links.first)
    assert after == before


async def test_the_last_minutes_are_loaded_again_and_leave_focus_scroll_and_an_open_sheet_alone(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await new_visitor(390, storage_state=marketer)
    page = visitor.page
    await page.clock.install()
    await visitor.open(PATHS[NOW])
    await page.set_viewport_size({"width": 390, "height": 420})
    await expect(page.get_by_text("Refreshed just now.")).to_be_visible()
    await visitor.settled()
    await open_sheet(page, "Reports")
    sheet = page.get_by_role("navigation", name="Reports")
    link = sheet.get_by_role("link", name="Sources")
    await link.focus()
    await page.evaluate("scrollTo(0, 100)")
    async with page.expect_response("**/data/admin/reports/now") as answer:
        await page.clock.fast_forward(30_000)
    assert (await answer.value).status == 200
    await visitor.settled()
    await expect(sheet).to_be_visible()
    await expect(link).to_be_focused()
    assert await page.evaluate("Math.round(scrollY)") == 100


async def test_a_folded_sheet_opens_and_closes_by_keyboard_and_gives_the_focus_back(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    page = (await open_report(new_visitor, marketer, PATHS["sources"], 390)).page
    head = page.locator(".report")
    for name, place in ((CHOICES, "#report-choices"), ("Reports", "#report-list")):
        button, sheet = head.get_by_role("button", name=name), page.locator(place)
        await button.focus()
        await page.keyboard.press("Enter")
        await expect(sheet).to_be_visible()
        await page.keyboard.press("Tab")
        assert await sheet.evaluate("sheet => sheet.contains(document.activeElement)")
        await page.keyboard.press("Escape")
        await expect(sheet).to_be_hidden()
        await expect(button).to_be_focused()


async def test_a_report_is_printed_without_what_one_can_only_press(
    new_visitor: NewVisitor, marketer: StorageState
) -> None:
    visitor = await open_report(new_visitor, marketer, PATHS["sources"])
    page = visitor.page
    await page.emulate_media(media="print")
    for part in ("Reports", "Periods", "Rows by", "Administration"):
        await expect(page.get_by_role("navigation", name=part)).to_be_hidden()
    await expect(page.get_by_role("button", name="Show")).to_be_hidden()
    await expect(page.get_by_role("list", name="Figures")).to_be_visible()
    await expect(page.get_by_role("table", name="Channel")).to_be_visible()
    assert await violations(page, only=("color-contrast",)) == []
