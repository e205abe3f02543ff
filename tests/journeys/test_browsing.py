"""Filter, page, open, back, forward, and the page that is not there."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.journeys.conftest import Visitor, path_of
from tests.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

HEAD = """() => ({
    title: document.title,
    metas: [...document.head.querySelectorAll('meta[name], meta[property]')]
        .map((one) => [one.getAttribute('name') ?? one.getAttribute('property'), one.content, one.media]).sort(),
    canonical: [...document.head.querySelectorAll('link[rel=canonical]')].map((one) => one.href),
    jsonLd: [...document.head.querySelectorAll('script[type="application/ld+json"]')]
        .map((one) => JSON.parse(one.textContent)),
})"""


async def scrolled(page: Page) -> int:
    return int(await page.evaluate("window.scrollY"))


def fetched(visitor: Visitor) -> list[str]:
    return [one for one in visitor.asked("fetch") if one.startswith("/data")]


async def test_filtering_and_turning_pages_fetch_data_and_no_document(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    visitor.forget()
    facet = page.locator(".filters .facet__option[href='/shop?kind=course']")
    target = await facet.get_attribute("href")
    await facet.click()
    await expect(page.locator(".filters .facet__option[aria-current=true]")).to_have_count(1)
    await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Next").click()
    await expect(page).to_have_url(re.compile(r"[?&]page=2"))
    wanted = [f"/data{target}", f"/data{path_of(page.url)}"]
    await until(lambda: len(fetched(visitor)) == len(wanted))
    await visitor.quiet()
    assert (visitor.asked("document"), fetched(visitor)) == ([], wanted)


async def test_back_restores_the_place_without_a_request_and_forward_returns(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop?page=2")
    card = page.locator("main a[href^='/course-details']").nth(8)
    await card.scroll_into_view_if_needed()
    before = await scrolled(page)
    assert before > 200
    await card.click()
    await expect(page).to_have_url(re.compile("/course-details"))
    await expect(page.locator("article.course h1")).to_be_visible()
    await visitor.quiet()
    assert await scrolled(page) == 0
    visitor.forget()
    await page.go_back()
    await expect(page.locator(".toolbar__count")).to_contain_text("page 2")
    assert abs(await scrolled(page) - before) <= 2
    await page.go_forward()
    await expect(page.locator("article.course h1")).to_be_visible()
    await visitor.quiet()
    assert [one for one in visitor.asked("document", "fetch") if "TraceLog" not in one] == []


KINDS = {
    "home": ("/about", "header a[href='/']"),
    "shop": ("/", "header a[href='/shop']"),
    "category": ("/", "main a[href^='/shop?category']"),
    "course": ("/shop?kind=course", "main a[href^='/course-details']"),
    "item": ("/shop?kind=book", "main a[href^='/shop-details']"),
    "about": ("/", "header a[href='/about']"),
    "contact": ("/about", "header a[href='/contact']"),
    "policy": ("/", "footer a[href='/refund-grievance-policy']"),
    "page 2": ("/shop", "a[rel=next]"),
    "filtered": ("/shop", ".filters .facet__option[rel=nofollow]"),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_client_navigation_leaves_the_head_of_a_full_load(visitor: Visitor, kind: str) -> None:
    start, link = KINDS[kind]
    page = visitor.page
    await visitor.open(start)
    visitor.forget()
    target = page.locator(link).first
    address = await target.get_attribute("href")
    await target.click()
    assert address is not None
    await expect(page).to_have_url(re.compile(re.escape(address) + "$"))
    await expect(page.locator(".progress--active")).to_have_count(0)
    await visitor.quiet()
    assert visitor.asked("document") == []
    navigated = await page.evaluate(HEAD)
    await page.reload(wait_until="networkidle")
    assert navigated == await page.evaluate(HEAD)


async def test_the_error_page_is_the_same_by_navigation_and_by_full_load(visitor: Visitor) -> None:
    visitor.expect(r"(Failed to load resource: .*404|status 404).*/(data/)?nowhere")
    page = visitor.page
    await visitor.open("/")
    await page.evaluate("""() => {
        const link = document.createElement('a');
        link.href = '/nowhere?secret=1';
        link.textContent = 'a broken link';
        document.querySelector('main').prepend(link);
    }""")
    await page.get_by_text("a broken link").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("404 Page not found: /nowhere")
    await visitor.quiet()
    navigated, text = await page.evaluate(HEAD), await page.locator("main").inner_text()
    assert navigated["title"] == "Error Page"
    await page.reload(wait_until="networkidle")
    assert await page.evaluate(HEAD) == navigated
    assert await page.locator("main").inner_text() == text
    await page.get_by_role("link", name="Back to Home").click()
    await expect(page).to_have_url(re.compile(r":\d+/$"))


async def test_a_reload_returns_to_the_place_on_the_page(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    await page.mouse.wheel(0, 900)

    async def is_down() -> bool:
        return await scrolled(page) == 900

    await until(is_down)
    await page.reload(wait_until="networkidle")
    assert abs(await scrolled(page) - 900) <= 2
