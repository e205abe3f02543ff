"""Searching by keyboard alone, by touch, and without scripts."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.journeys.conftest import Arrive, Visitor, path_of

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

SUGGEST = "/api/search/suggest"


def box_of(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search courses and materials")


async def type_in(page: Page, text: str) -> None:
    """As fast as people type: the pause is the browser's, not ours to wait for."""
    await page.keyboard.type(text, delay=20)


async def test_from_the_front_page_to_a_course_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/")
    await page.keyboard.press("Tab")
    for _ in range(12):
        if await box_of(page).evaluate("(box) => box === document.activeElement"):
            break
        await page.keyboard.press("Tab")
    await expect(box_of(page)).to_be_focused()
    await type_in(page, "cross-bor")
    option = page.get_by_role("option", name=re.compile("Cross-Border VAT"))
    await expect(option).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await expect(option).to_have_attribute("aria-selected", "true")
    await expect(box_of(page)).to_have_attribute("aria-activedescendant", await option.get_attribute("id") or "")
    visitor.forget()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/course-details\?course=cross-border-vat"))
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Cross-Border VAT")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    assert visitor.asked("document") == []


async def test_a_search_is_sent_filtered_and_gone_back_from_without_a_document(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    visitor.forget()
    await box_of(page).press_sequentially("vat", delay=20)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/search\?q=vat$"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Results for “vat”")
    await expect(box_of(page)).to_have_value("vat")
    await expect(page.get_by_role("status").filter(has_text="4 results")).to_be_visible()
    await page.get_by_role("navigation", name="Filters").get_by_role("link", name=re.compile("^Book")).click()
    await expect(page).to_have_url(re.compile(r"/search\?q=vat&kind=book$"))
    await expect(page.get_by_role("status").filter(has_text="1 result")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("status").filter(has_text="4 results")).to_be_visible()
    await page.go_back()
    await expect(page).to_have_url(re.compile(r"/shop$"))
    assert visitor.asked("document") == []


async def test_quick_letters_ask_once_and_the_list_closes_on_escape_and_on_leaving(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    await box_of(page).focus()
    await visitor.quiet()
    visitor.forget()
    await type_in(page, "excel")
    listed = page.get_by_role("listbox", name="Suggestions")
    await expect(listed).to_be_visible()
    assert [one for one in visitor.asked("fetch") if one.startswith(SUGGEST)] == [f"{SUGGEST}?q=excel"]
    await page.keyboard.press("Escape")
    await expect(listed).to_be_hidden()
    await expect(box_of(page)).to_have_value("excel")
    await page.keyboard.press("ArrowDown")
    await expect(listed).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(listed).to_be_hidden()


async def test_a_slip_is_mended_and_can_be_undone(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/search?q=acounting")
    await expect(page.get_by_text("Showing results for “accounting”.")).to_be_visible()
    await page.get_by_role("link", name="Search instead for “acounting”").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Nothing found for “acounting”")
    await expect(page.get_by_role("region", name="Popular courses")).to_be_visible()
    await page.get_by_role("region", name="Popular searches").get_by_role("link").first.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Results for")


async def test_pointing_at_a_search_asks_for_nothing(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/search")
    visitor.forget()
    searches = page.get_by_role("region", name="Popular searches").get_by_role("link")
    await searches.first.hover()
    await page.get_by_role("link", name="About").first.hover()
    await visitor.quiet()
    assert [one for one in visitor.asked("fetch") if one.startswith("/data/search")] == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
async def test_the_list_stays_inside_the_window(arrive: Arrive, width: int) -> None:
    visitor = await arrive(width=width)
    page = visitor.page
    for path in ("/", "/shop", "/search?q=vat"):
        await visitor.open(path)
        await box_of(page).fill("")
        await box_of(page).press_sequentially("ta", delay=20)
        listed = page.get_by_role("listbox")
        await expect(listed).to_be_visible()
        place = await listed.bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= width
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_without_scripts_the_search_is_a_form_and_links(arrive: Arrive) -> None:
    visitor = await arrive(java_script_enabled=False)
    page = visitor.page
    await visitor.open("/")
    await box_of(page).fill("vat")
    await page.get_by_role("button", name="Search").click()
    assert path_of(page.url) == "/search?q=vat"
    await expect(page.get_by_role("heading", level=1)).to_have_text("Results for “vat”")
    await page.get_by_role("navigation", name="Filters").get_by_role("link", name=re.compile("^Book")).click()
    assert path_of(page.url) == "/search?q=vat&kind=book"
    await page.get_by_role("heading", name="VAT at the Border").get_by_role("link").click()
    assert path_of(page.url).startswith("/shop-details/")
