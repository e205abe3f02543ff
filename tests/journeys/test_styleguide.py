"""The component page: every component in every state, in development and nowhere else."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.journeys.axe import OVERFLOW, THEMES, WIDTHS, violations
from tests.journeys.carts import toasts
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.focus import tab_through

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

TOASTS = {"info": "status", "success": "status", "warning": "status", "error": "alert"}

# Where the first notice is: as it comes into the page, and in every frame after that.
WATCH_TOASTS = """() => {
    window.tops = [];
    const look = () => {
        const toast = document.querySelector('.Toastify__toast');
        if (toast) window.tops.push(toast.getBoundingClientRect().top);
        requestAnimationFrame(look);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""
PAUSE_TOASTS = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".Toastify__progress-bar { animation-play-state: paused !important }");
    document.adoptedStyleSheets.push(sheet);
}"""


async def open_guide(visitor: Visitor) -> None:
    """Its own styles come with its script, not with the document: without them light text has no dark ground."""
    await visitor.open("/styleguide")
    await expect(visitor.page.locator(".guide__stage--night").first).to_have_css("display", "grid")


async def test_every_state_of_every_component_fits_and_axe_finds_nothing(new_visitor: NewVisitor) -> None:
    """Also two hundred letters without a space fit. landmark-unique is off here only: the page shows the same landmark
    in several states on purpose."""
    visitor = await new_visitor(320)
    await open_guide(visitor)
    for width in (320, 390, 600, 768, 1024, 1280, 1920):
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        assert await visitor.page.evaluate(OVERFLOW) <= 0, width
        if width == WIDTHS[0]:
            assert await violations(visitor.page, landmark_unique=False) == [], "light"
    await visitor.page.emulate_media(color_scheme="dark")
    assert await violations(visitor.page, only=("color-contrast",)) == [], "dark"


async def test_every_state_is_reached_and_left_by_keyboard_alone(new_visitor: NewVisitor) -> None:
    visitor = await new_visitor()
    await open_guide(visitor)
    await visitor.settled()
    assert 400 < await tab_through(visitor.page, 2000) < 2000


async def toasts_are_readable(page: Page) -> None:
    """One of each kind, in both themes."""
    # A toast closes when the animation of its progress bar ends: paused, it stays for as long as a slow check takes.
    await page.evaluate(PAUSE_TOASTS)
    for kind, role in TOASTS.items():
        await page.get_by_role("button", name=f"Show {kind}").click()
        toast = page.get_by_role(role).filter(has_text=f"Payroll Basics, as {kind}")
        await expect(toast).to_be_visible()
    await page.evaluate("document.querySelector('main').replaceChildren()")
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)
        assert await violations(page, inside=".Toastify") == [], theme
    await expect(toasts(page)).to_have_count(len(TOASTS))


@pytest.mark.parametrize(("motion", "most"), [("reduce", 0), ("no-preference", 6)])
async def test_a_notice_comes_where_it_stays(new_visitor: NewVisitor, motion: str, most: int) -> None:
    """Who asks for less motion sees none; nobody sees it cross the page. It goes by itself in both."""
    visitor = await new_visitor(reduced_motion=motion)
    page = visitor.page
    await open_guide(visitor)
    await page.evaluate(WATCH_TOASTS)
    await page.get_by_role("button", name="Show info").click()
    await expect(toasts(page)).to_be_visible()
    await toasts(page).get_by_role("button", name="close").click()
    await expect(toasts(page)).to_have_count(0)
    tops = await page.evaluate("window.tops")
    assert max(tops) - min(tops) <= most


async def test_no_other_page_loads_or_links_the_styleguide_back_returns_to_it_and_its_toasts_are_readable(
    new_visitor: NewVisitor,
) -> None:
    visitor = await new_visitor(768)
    page = visitor.page
    answer = await page.goto("/styleguide")
    assert answer is not None
    assert answer.headers["x-robots-tag"].startswith("noindex")
    await visitor.settled()
    (chunk,) = [path for path in visitor.requested("script") if "StyleguidePage" in path]
    visitor.clear_requests()
    await page.locator("header").get_by_role("link", name="About").first.click()
    await expect(page.get_by_role("heading", level=1, name=re.compile("^About "))).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", level=1, name="Styleguide")).to_be_visible()
    assert visitor.requested("document") == []
    await toasts_are_readable(page)
    await visitor.open("/shop")
    await visitor.settled()
    assert chunk not in visitor.requested("script")
    assert await page.locator("a[href='/styleguide']").count() == 0
