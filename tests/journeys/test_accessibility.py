"""Every kind of page for everyone: axe without a finding, nothing cut off, nothing that moves by itself."""

import asyncio
import re

import pytest
from playwright.async_api import Page, Route, expect

from host.content import POLICY
from tests.journeys.axe import (
    OVERFLOW,
    OVERLAPPING,
    SMALL_TARGETS,
    WIDTHS,
    check_themes,
    fonts_and_pictures_shown,
    violations,
)
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_to
from tests.rendered_pages import rendered_pages

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

PAGES = {
    **rendered_pages({"course": "bookkeeping-from-first-principles", "item": "{item}"}),
    "an instructor": "/instructors/gideon-mwangi",
    "a category": "/shop?category=tax",
    "a filtered list": "/shop?level=beginner&category=tax",
    "a list without results": "/shop?category=tax&language=ja&level=advanced",
    "the last page of a list": "/shop?page=4",
    "search with results": "/search?q=tax",
    "search with a misspelling": "/search?q=acounting",
    "search without results": "/search?q=zzqqxx",
    "the error page": "/no/such/page",
}
LAYOUTS = ("home", "shop", "search with results", "course-details", "shop-details", "contact", POLICY)
NOT_FOUND = ("a list without results", "the error page")
PRINTED = {
    "course-details": (
        ["h1", ".price__now", ".syllabus__lesson >> nth=-1", ".faq__answer >> nth=0"],
        ".price-box__actions",
    ),
    "shop-details": (["h1", ".price__now", ".stock", ".prose"], ".site-footer"),
    POLICY: (["h1", ".prose h2 >> nth=0", ".content__note"], ".site-footer"),
}
# Prices and buttons of cards that take more than a line, or stand outside their card.
BROKEN_CARDS = """[...document.querySelectorAll('.card__amount, .price__was, .add--card')]
    .filter((element) => element.offsetHeight > 3 * parseFloat(getComputedStyle(element).fontSize)
        || element.getBoundingClientRect().right > element.closest('.card').getBoundingClientRect().right)
    .map((element) => element.textContent)"""
UNSIZED_PICTURES = """[...document.images]
    .filter((image) => !(image.getAttribute('width') > 0 && image.getAttribute('height') > 0))
    .map((image) => image.outerHTML)"""
SHIFTS = """
    self.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) self.shifts.push(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
"""


async def open_page(visitor: Visitor, name: str) -> None:
    [(item,)] = visitor.site.query("SELECT min(id) FROM products WHERE kind = 'item' AND status = 'published'")
    if name in NOT_FOUND:
        visitor.expect("404")
    await visitor.open(PAGES[name].format(item=item))


async def check_print(page: Page, shown: list[str], hidden: str) -> None:
    """Paper shows the content and no part that is only for clicking."""
    await page.emulate_media(media="print", color_scheme="dark")
    for selector in shown:
        await expect(page.locator(selector)).to_be_visible()
    for selector in (hidden, ".site-nav", ".skip-link", ".search-box"):
        await expect(page.locator(selector).first).to_be_hidden()
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


# Pages that look alike share a browser profile. With every change one of each kind.
DAILY = [
    ("home", "about", "contact", POLICY, "the error page"),
    ("shop", "a list without results", "search with results", "search without results"),
    ("course-details", "shop-details", "an instructor"),
]
NIGHTLY = [
    ("a category", "a filtered list", "the last page of a list", "search", "search with a misspelling"),
]


async def test_every_page_is_looked_at_once() -> None:
    assert sorted(name for names in (*DAILY, *NIGHTLY) for name in names) == sorted(PAGES)


@pytest.mark.parametrize(
    "names", [*DAILY, *(pytest.param(names, marks=pytest.mark.soak) for names in NIGHTLY)], ids=", ".join
)
async def test_a_page_fits_every_screen_width_theme_and_paper(new_visitor: NewVisitor, names: tuple[str, ...]) -> None:
    visitor = await new_visitor()
    for name in names:
        await open_page(visitor, name)
        await assert_fits_screens(visitor.page, name in LAYOUTS)
        if name in PRINTED:
            await check_print(visitor.page, *PRINTED[name])


async def assert_fits_screens(page: Page, is_first_of_layout: bool) -> None:
    """All rules of axe once for a page, and the contrast in the dark; all rules at a second width for the first page of
    each layout."""
    for width in (320, 390, 600, 768, 1024, 1280, 1920):
        await page.set_viewport_size({"width": width, "height": 800})
        assert await page.evaluate(OVERFLOW) <= 0, width
        assert await page.evaluate(BROKEN_CARDS) == [], width
        assert await page.evaluate(OVERLAPPING) == [], width
        if width in WIDTHS:
            assert await page.evaluate(SMALL_TARGETS) == [], width
        if width == WIDTHS[0]:
            await check_themes(page)
        elif width in WIDTHS and is_first_of_layout:
            assert await violations(page) == [], f"{page.url}, {width}"
    assert await page.evaluate(UNSIZED_PICTURES) == []


async def hold_back(route: Route) -> None:
    """Fonts come when the text has been on the screen for a while."""
    await asyncio.sleep(0.3)
    await route.continue_()


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
async def test_nothing_moves_when_the_fonts_come_late(new_visitor: NewVisitor, width: int) -> None:
    visitor = await new_visitor(width, reduced_motion="no-preference")
    await visitor.context.add_init_script(SHIFTS)
    # While a route is set nothing comes from the browser's cache.
    await visitor.page.route("**/*.woff2", hold_back)
    for name in ("home", "shop", "search with results", "course-details", "shop-details", "contact"):
        visitor.clear_requests()
        await open_page(visitor, name)
        await fonts_and_pictures_shown(visitor.page)
        assert await visitor.page.evaluate("self.shifts") == [], name
        assert len(visitor.requested("font")) == 2, name


async def open_menu(page: Page) -> None:
    await page.get_by_role("button", name="Menu").click()
    await expect(page.locator("#site-menu")).to_be_visible()


async def open_filters(page: Page) -> None:
    """With motion reduced nothing is animated."""
    await page.get_by_role("button", name=re.compile("^Filters")).click()
    await expect(page.locator("#filters")).to_be_visible()
    moving = "document.getAnimations().filter((element) => element.effect.getComputedTiming().endTime > 0).length"
    assert await page.evaluate(moving) == 0


async def open_order(page: Page) -> None:
    await page.locator(".sort__label").click()
    await expect(page.locator(".sort__options")).to_be_visible()


async def type_a_search(page: Page) -> None:
    await page.locator("#search-header").fill("tax")
    await expect(page.get_by_role("option").first).to_be_visible()


OPENERS = {open_menu: "header", open_filters: "main", open_order: "main", type_a_search: "header"}


async def test_axe_finds_nothing_in_what_opens(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor(390)
    for open_part, part in OPENERS.items():
        await visitor.open("/shop")
        await open_part(visitor.page)
        assert await violations(visitor.page, inside=part) == [], part
    await visitor.open("/contact")
    await visitor.page.get_by_role("button", name="Send message").click()
    await expect(visitor.page.locator("[aria-invalid=true]").first).to_be_focused()
    assert await violations(visitor.page, inside="main") == []


async def test_a_whole_visit_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    """From the front page through search, a course and its syllabus to a question that was sent."""
    visitor = await new_visitor(390)
    page = visitor.page
    await visitor.open("/")
    await visitor.settled()
    await tab_to(page, "#search-hero")
    await page.keyboard.type("bookkeeping")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("bookkeeping")
    await tab_to(page, "main h2 a, main h3 a")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("Bookkeeping")
    await expect(page.locator("#main")).to_be_focused()
    await tab_to(page, ".syllabus__section:not([open]) > summary")
    await page.keyboard.press("Enter")
    await expect(page.locator(".syllabus__section[open]")).to_have_count(2)
    await page.keyboard.press("Shift+Tab")
    await page.set_viewport_size({"width": 1280, "height": 800})
    await visitor.open("/contact")
    await visitor.settled()
    await tab_to(page, "input[name=name]")
    for text in ("Ada Example", "ada@example.test", "A question"):
        await page.keyboard.type(text)
        await page.keyboard.press("Tab")
    await page.keyboard.type("Does the bookkeeping course suit a shop of two people?")
    await tab_to(page, "button[type=submit]")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").filter(has_text="Thank you")).to_be_focused()
