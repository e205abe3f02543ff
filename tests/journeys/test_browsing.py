"""Filter, page, open, back, forward, and the page that is not there."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect
from selectolax.lexbor import LexborHTMLParser

from tests.journeys.conftest import Visitor, path_of
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# Where the first letters of code stand that is part of an Arabic sentence.
CODE = """() => {
    const [sentence, code] = ['p', 'code'].map((name) => document.createElement(name));
    code.append('=A1');
    sentence.append('\u0645\u062b\u0644 ', code);
    document.querySelector('main').append(sentence);
    return [0, 1, 2].map((place) => {
        const letter = document.createRange();
        letter.setStart(code.firstChild, place);
        letter.setEnd(code.firstChild, place + 1);
        return letter.getBoundingClientRect().left;
    });
}"""
HEAD = """() => ({
    title: document.title,
    metas: [...document.head.querySelectorAll('meta[name], meta[property]')]
        .map((meta) => [meta.getAttribute('name') ?? meta.getAttribute('property'), meta.content, meta.media]).sort(),
    canonical: [...document.head.querySelectorAll('link[rel=canonical]')].map((link) => link.href),
    jsonLd: [...document.head.querySelectorAll('script[type="application/ld+json"]')]
        .map((script) => JSON.parse(script.textContent)),
})"""


def head_of(html: str) -> dict[str, Any]:
    """What HEAD reads in a browser, of a document as the host sent it."""
    tree = LexborHTMLParser(html)
    metas = [node.attributes for node in tree.css("head meta[name], head meta[property]")]
    return {
        "title": tree.css_first("head title").text(),
        "metas": sorted(
            [meta.get("name") or meta.get("property"), meta["content"], meta.get("media") or ""] for meta in metas
        ),
        "canonical": [node.attributes["href"] for node in tree.css("head link[rel=canonical]")],
        "jsonLd": [json.loads(node.text()) for node in tree.css('head script[type="application/ld+json"]')],
    }


async def scrolled(page: Page) -> int:
    return int(await page.evaluate("window.scrollY"))


def fetched(visitor: Visitor) -> list[str]:
    return [path for path in visitor.requested("fetch") if path.startswith("/data")]


# Goes back while the data of page 2 arrives: the way back is in the browser's queue before React renders that page.
BACK_AS_DATA_ARRIVES = """() => {
    const send = window.fetch;
    window.fetch = async (address, options) => {
        const response = await send(address, options);
        if (!String(address).includes('page=2')) return response;
        const data = await response.json();
        response.json = () => Promise.resolve(data);
        // The focus on the link already fetches; the press may come later.
        while (!location.search.includes('page=2')) await new Promise((done) => setTimeout(done));
        history.back();
        const end = performance.now() + 300;
        while (performance.now() < end);
        return response;
    };
}"""


async def test_who_goes_back_before_the_next_page_is_rendered_stays_on_the_page_before(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    await page.evaluate(BACK_AS_DATA_ARRIVES)
    async with page.expect_event("framenavigated", lambda frame: frame.url.endswith("/shop")):
        await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Next").press("Enter")
    await visitor.settled()
    assert path_of(page.url) == "/shop"
    await expect(page.get_by_text(re.compile(r"page 1\b"))).to_be_visible()


async def test_filtering_and_turning_pages_fetch_data_and_no_document(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    visitor.clear_requests()
    filters = page.get_by_role("navigation", name="Filters")
    facet = filters.locator("a[href='/shop?kind=course']").first
    await facet.click()
    await expect(filters.locator("[aria-current=true]")).to_have_count(1)
    # A pointer that rests where the next page has a card would fetch that course.
    await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Next").press("Enter")
    await expect(page).to_have_url(re.compile(r"[?&]page=2"))
    wanted = ["/data/shop?kind=course", f"/data{path_of(page.url)}"]
    await until(lambda: len(fetched(visitor)) == len(wanted))
    await visitor.settled()
    assert (visitor.requested("document"), fetched(visitor)) == ([], wanted)


async def test_back_restores_the_place_without_a_request_and_forward_returns(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop?page=2")
    card = page.locator("main a[href^='/course-details']").nth(8)
    await card.scroll_into_view_if_needed()
    before = await scrolled(page)
    assert before > 200
    await card.click()
    await expect(page).to_have_url(re.compile("/course-details"))
    await expect(page.locator("#reviews")).to_be_visible()
    await visitor.settled()
    assert await scrolled(page) == 0
    visitor.clear_requests()
    await page.go_back()
    await expect(page.get_by_text(re.compile(r"page 2\b"))).to_be_visible()
    assert abs(await scrolled(page) - before) <= 2
    await page.go_forward()
    await expect(page.locator("#reviews")).to_be_visible()
    await visitor.settled()
    assert [path for path in visitor.requested("document", "fetch") if "TraceLog" not in path] == []


# From page to page through their links; every kind of page is reached once.
LINKS = {
    "about": "header a[href='/about']",
    "home": "header a[href='/']",
    "category": "main a[href^='/shop?category']",
    "shop": "header a[href='/shop']",
    "page 2": "a[rel=next]",
    "filtered": ".filters a[rel=nofollow]",
    "shop items": "header a[href='/shop'] >> nth=0",
    "books": ".filters a[href='/shop?kind=book']",
    "item": "main a[href^='/shop-details']",
    "contact": "header a[href='/contact']",
    "all": "header a[href='/shop']",
    "courses": ".filters a[href='/shop?kind=course']",
    "course": "main a[href^='/course-details']",
    "policy": "footer a[href='/refund-grievance-policy']",
}


async def follow(visitor: Visitor, selector: str) -> str:
    """Clicks the first such link; returns its address once that page is shown."""
    link = visitor.page.locator(selector).first
    address = await link.get_attribute("href")
    assert address is not None
    # What is laid out on approach moves what follows it: a press that began on the link must end on it.
    await link.scroll_into_view_if_needed()
    await visitor.settled()
    await link.click()
    await expect(visitor.page).to_have_url(re.compile(re.escape(address) + "$"))
    await visitor.settled()
    return address


async def test_client_navigation_leaves_the_head_of_a_full_load(visitor: Visitor) -> None:
    await visitor.open("/contact")
    visitor.clear_requests()
    for kind, selector in LINKS.items():
        address = await follow(visitor, selector)
        full_load = await (await visitor.context.request.get(address)).text()
        assert await visitor.page.evaluate(HEAD) == head_of(full_load), kind
    assert visitor.requested("document") == []


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
    await visitor.settled()
    navigated, text = await page.evaluate(HEAD), await page.locator("main").inner_text()
    assert navigated["title"] == "Error Page"
    await visitor.reload()
    assert await page.evaluate(HEAD) == navigated
    assert await page.locator("main").inner_text() == text
    await page.get_by_role("link", name="Back to Home").click()
    await expect(page).to_have_url(re.compile(r":\d+/$"))


async def test_parts_of_a_page_after_client_navigation_keep_their_position_and_the_focus(visitor: Visitor) -> None:
    page = visitor.page
    await visitor.open("/shop")
    await page.mouse.wheel(0, 300)
    await page.locator("main a[href^='/course-details']").nth(3).click()
    await expect(page.locator("#reviews")).to_be_visible()
    await visitor.settled()
    link = page.get_by_role("navigation", name="On this page").get_by_role("link", name="Reviews")
    await link.click()
    await expect(page).to_have_url(re.compile("#reviews$"))
    await visitor.settled()
    await expect(page.locator("#reviews")).to_be_in_viewport()
    position = await scrolled(page)
    await page.go_back()
    await visitor.settled()
    assert await scrolled(page) == 0
    await page.go_forward()
    await visitor.settled()
    assert abs(await scrolled(page) - position) <= 2
    assert await page.evaluate("document.activeElement.id") != "main"


async def reload_at(position: int, visitor: Visitor) -> None:
    """Scrolls so far down, reloads, and waits until the page is there again."""
    page = visitor.page

    async def is_there() -> bool:
        return abs(await scrolled(page) - position) <= 2

    await page.mouse.wheel(0, position)
    await until(is_there)
    await visitor.reload()
    await expect(page.locator("footer")).to_be_attached()
    await until(is_there)


async def test_a_reload_returns_to_the_place_on_the_page(visitor: Visitor) -> None:
    await visitor.open("/shop")
    await reload_at(900, visitor)
    assert abs(await scrolled(visitor.page) - 900) <= 2


async def without_markup(route: Route) -> None:
    """The document as the host sends it when no render worker has answered in time."""
    answer = await route.fetch()
    tree = LexborHTMLParser(await answer.text())
    root = tree.css_first("#root")
    root.inner_html = ""
    root.attrs["data-rendered"] = "no"
    await route.fulfill(response=answer, body=tree.html)


async def test_a_reload_returns_to_the_place_on_a_page_that_comes_without_markup(visitor: Visitor) -> None:
    await visitor.page.route("**/shop", without_markup)
    await visitor.open("/shop")
    await reload_at(900, visitor)
    assert abs(await scrolled(visitor.page) - 900) <= 2


async def test_code_is_read_from_the_left_in_a_text_that_is_read_from_the_right(visitor: Visitor) -> None:
    await visitor.open("/about")
    places = await visitor.page.evaluate(CODE)
    assert places == sorted(places)
