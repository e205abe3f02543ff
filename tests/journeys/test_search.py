"""Searching by keyboard alone, by touch, and without scripts."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.journeys.axe import OVERFLOW
from tests.journeys.conftest import NewVisitor, Visitor
from tests.support.waiting import until

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
    visitor.clear_requests()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/course-details\?course=cross-border-vat"))
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Cross-Border VAT")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    assert visitor.requested("document") == []


async def test_searching_filtering_and_going_back_load_no_document(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    visitor.clear_requests()
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
    assert visitor.requested("document") == []


async def test_quick_letters_send_one_request_and_the_list_closes_on_escape_and_on_blur(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    await box_of(page).focus()
    visitor.clear_requests()
    await type_in(page, "excel")
    listed = page.get_by_role("listbox", name="Suggestions")
    await expect(listed).to_be_visible()

    def suggested() -> list[str]:
        return [path for path in visitor.requested("fetch") if path.startswith(SUGGEST)]

    # A busy machine may pause between two letters: then another request is right, and its list comes first.
    await until(lambda: suggested()[-1] == f"{SUGGEST}?q=excel")
    assert len(suggested()) < len("excel")
    await page.keyboard.press("Escape")
    await expect(listed).to_be_hidden()
    await expect(box_of(page)).to_have_value("excel")
    await page.keyboard.press("ArrowDown")
    await expect(listed).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(listed).to_be_hidden()


async def test_a_misspelling_is_corrected_and_the_correction_can_be_undone(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/search?q=acounting")
    await expect(page.get_by_text("Showing results for “accounting”.")).to_be_visible()
    await page.get_by_role("link", name="Search instead for “acounting”").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Nothing found for “acounting”")
    await expect(page.get_by_role("region", name="Popular courses")).to_be_visible()
    await page.get_by_role("region", name="Popular searches").get_by_role("link").first.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Results for")


async def test_pointing_at_a_search_fetches_nothing_ahead(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/search")
    visitor.clear_requests()
    await page.get_by_role("region", name="Popular searches").get_by_role("link").first.hover()
    # Another link that is pointed at afterwards is fetched: the search would have been fetched before it.
    async with page.expect_response("**/data/about"):
        await page.get_by_role("link", name="About").first.hover()
    assert [path for path in visitor.requested("fetch") if path.startswith("/data")] == ["/data/about"]


async def test_the_list_stays_inside_the_window(visitor: Visitor) -> None:
    page = visitor.page
    for path in ("/", "/shop", "/search?q=vat"):
        await visitor.open(path)
        await box_of(page).fill("")
        await box_of(page).press_sequentially("ta", delay=20)
        await expect(page.get_by_role("listbox")).to_be_visible()
        for width in (320, 390, 768, 1280):
            await page.set_viewport_size({"width": width, "height": 800})
            place = await page.get_by_role("listbox").bounding_box()
            assert place is not None, width
            assert place["x"] >= 0, width
            assert place["x"] + place["width"] <= width
            assert await page.evaluate(OVERFLOW) <= 0, width


async def test_without_scripts_the_search_is_a_form_and_links(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(java_script_enabled=False)
    page = visitor.page
    await visitor.open("/")
    await box_of(page).fill("vat")
    await page.get_by_role("button", name="Search").click()
    await expect(page).to_have_url(re.compile(r"/search\?q=vat$"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Results for “vat”")
    await page.get_by_role("navigation", name="Filters").get_by_role("link", name=re.compile("^Book")).click()
    await expect(page).to_have_url(re.compile(r"/search\?q=vat&kind=book$"))
    await page.get_by_role("heading", name="VAT at the Border").get_by_role("link").click()
    await expect(page).to_have_url(re.compile("/shop-details/"))
