"""A deployment while a visitor is on the site: chunks that are gone, builds that are newer."""

import json
import re

import pytest
from playwright.async_api import Page, Route, expect

from config.settings import ROOT
from tests.journeys.conftest import Visitor

ABOUT = re.compile("^About ")

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

CHUNK_GONE = r"(Failed to load resource|request failed: GET|Failed to fetch dynamically).*/static/dist/c/"
JUST_RELOADED = "sessionStorage.setItem('last_chunk_reload', String(Date.now()))"


async def lose(page: Page, page_id: str, here: str) -> None:
    """From now on the files that a page needs, and the page on screen does not, cannot be loaded."""
    build = await page.evaluate("JSON.parse(document.getElementById('state').textContent).site.build")
    files = json.loads((ROOT / f"static/dist/build-{build}.json").read_text())["pages"]
    for path in set(files[page_id]) - set(files[here]):
        await page.route(f"**{path}", lambda route: route.abort())


async def go(page: Page, name: str) -> None:
    await page.locator("header").get_by_role("link", name=name).click()


async def test_a_lost_chunk_reloads_the_page_once(visitor: Visitor) -> None:
    visitor.expect(CHUNK_GONE)
    visitor.expect("page error: .*The code of the page about could not be loaded")
    page = visitor.page
    await visitor.open("/contact")
    await lose(page, "about", "contact")
    visitor.clear_requests()
    await go(page, "About")
    # The reload gets the page as the server drew it; its chunk is still lost, and no second reload follows.
    await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)
    await visitor.settled()
    assert visitor.requested("document") == ["/about"]


async def test_too_soon_after_a_reload_the_failure_is_shown_and_can_be_tried_again(visitor: Visitor) -> None:
    visitor.expect(CHUNK_GONE)
    page = visitor.page
    await visitor.open("/contact")
    await page.evaluate(JUST_RELOADED)
    await lose(page, "about", "contact")
    visitor.clear_requests()
    await go(page, "About")
    await expect(page.get_by_role("alert")).to_contain_text("This page did not load")
    await page.unroute_all()
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)
    assert visitor.requested("document") == ["/about"]


async def test_an_unreachable_site_is_reported_and_can_be_tried_again(visitor: Visitor) -> None:
    visitor.expect(r"(Failed to load resource|request failed: GET).*/data/about")
    page = visitor.page
    await visitor.open("/contact")
    await page.route("**/data/about", lambda route: route.abort("connectionrefused"))
    await go(page, "About")
    await expect(page.get_by_role("alert")).to_contain_text("This page did not load")
    await page.go_back()
    await expect(page.get_by_label("Message")).to_be_visible()
    await go(page, "About")
    await expect(page.get_by_role("alert")).to_contain_text("This page did not load")
    await page.unroute_all()
    await page.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)


async def test_a_newer_build_found_by_the_hourly_check_makes_the_next_navigation_a_full_load(visitor: Visitor) -> None:
    page = visitor.page
    await page.clock.install()
    await visitor.open("/contact")
    for name in ("latest-build", "build-newer"):
        await page.route(f"**/{name}.json", lambda route: route.fulfill(json={"build": "newer"}))
    async with page.expect_response("**/build-newer.json"):
        await page.clock.fast_forward("01:00:01")
    visitor.clear_requests()
    await go(page, "About")
    await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)
    assert visitor.requested("document") == ["/about"]


async def test_an_answer_of_a_newer_build_makes_the_next_navigation_a_full_load(visitor: Visitor) -> None:
    async def newer(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, headers=answer.headers | {"x-build": "newer"})

    page = visitor.page
    await visitor.open("/contact")
    await page.route("**/data/**", newer)
    visitor.clear_requests()
    await go(page, "About")
    await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)
    assert visitor.requested("document") == []
    await go(page, "Catalogue")
    await expect(page).to_have_url(re.compile("/shop$"))
    await expect(page.get_by_role("heading", level=1)).not_to_have_text(ABOUT)
    assert visitor.requested("document") == ["/shop"]
