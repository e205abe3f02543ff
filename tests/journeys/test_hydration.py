"""The browser takes over what the server drew, without a word, on every page, screen and colour scheme."""

import re
import signal

import pytest
from playwright.async_api import Page, expect

from tests.journeys.conftest import Arrive, Visitor
from tests.site import running
from tests.waiting import until

ABOUT = re.compile("^About ")
# What would do nothing without script is not shown without it.
BUTTONS = {"Add to cart", "Add to wishlist", "1"}

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# A page of each kind: an address, or the shop's address and the first link there that leads to one.
KINDS = {
    "home": ("/", ""),
    "shop": ("/shop", ""),
    "course": ("/shop?kind=course", "main a[href^='/course-details']"),
    "item": ("/shop?kind=book", "main a[href^='/shop-details']"),
    "about": ("/about", ""),
    "contact": ("/contact", ""),
    "policy": ("/refund-grievance-policy", ""),
}


async def address_of(visitor: Visitor, kind: str) -> str:
    path, link = KINDS[kind]
    if not link:
        return path
    await visitor.open(path)
    address = await visitor.page.locator(link).first.get_attribute("href")
    assert address is not None
    return address


async def is_alive(page: Page) -> bool:
    """React keeps its own mark on the elements that it has taken over."""
    mark = "Object.keys(document.querySelector('#main') ?? {}).some((key) => key.startsWith('__reactProps'))"
    return bool(await page.evaluate(mark))


# What is below the first view is laid out when it comes near; its words are there all the same.
_ALL = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""


async def drawn_text(page: Page) -> str:
    """What the page says, without the part that may come later: no script, no way to put it in its place."""
    await page.evaluate(_ALL)
    part = "main article.item" if await page.locator("main article.item").count() else "main"
    lines = (await page.locator(part).inner_text()).splitlines()
    return "\n".join(line for line in lines if line.strip() and line not in BUTTONS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
async def test_hydration_says_nothing_and_changes_nothing(arrive: Arrive, kind: str, width: int, scheme: str) -> None:
    plain = await arrive(width, color_scheme=scheme, java_script_enabled=False)
    visitor = await arrive(width, color_scheme=scheme)
    address = await address_of(visitor, kind)
    await plain.open(address)
    await visitor.open(address)
    assert await is_alive(visitor.page)
    assert await drawn_text(visitor.page) == await drawn_text(plain.page)
    assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("path", ["/nowhere", "/shop?category=accounting&kind=physical"])
async def test_pages_of_status_404_hydrate(visitor: Visitor, path: str) -> None:
    visitor.expect(r"(Failed to load resource: .*404|status 404)")
    await visitor.open(path)
    assert await is_alive(visitor.page)


async def test_the_page_works_before_its_reviews_arrive(arrive: Arrive) -> None:
    with running(DEV_DELAY="reviews:4000") as slow:
        visitor = await arrive(site=slow)
        address = await address_of(visitor, "course")
        page = visitor.page
        visitor.forget()
        await page.goto(address, wait_until="commit")
        await expect(page.locator("article.course h1")).to_be_visible()
        await until(lambda: is_alive(page), 3.8, 0.02)
        section = page.locator("#reviews")
        assert await section.locator(".review").count() == 0
        await expect(section.locator(".review").first).to_be_visible()
        assert visitor.asked("document") == [address]
        assert [one for one in visitor.asked("fetch") if one.startswith("/data")] == []


async def test_a_visitor_can_leave_before_the_reviews_arrive(arrive: Arrive) -> None:
    with running(DEV_DELAY="reviews:4000") as slow:
        visitor = await arrive(site=slow)
        address = await address_of(visitor, "course")
        page = visitor.page
        await page.goto(address, wait_until="commit")
        await until(lambda: is_alive(page), 3.8, 0.02)
        visitor.forget()
        await page.locator("header").get_by_role("link", name="About").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)
        assert visitor.asked("document") == []
        await visitor.leave()


async def test_a_worker_killed_in_mid_stream_leaves_the_reviews_to_the_browser(arrive: Arrive) -> None:
    with running(DEV_DELAY="reviews:1500") as slow:
        visitor = await arrive(site=slow)
        address = await address_of(visitor, "course")
        page = visitor.page
        await page.goto(address, wait_until="commit")
        await expect(page.locator("article.course h1")).to_be_visible()
        slow.signal("ssr", signal.SIGKILL)
        await expect(page.locator("#reviews .review").first).to_be_visible()
        assert await is_alive(page)


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL], ids=["frozen", "killed"])
async def test_without_render_workers_the_browser_draws_the_page(arrive: Arrive, number: int) -> None:
    with running(SSR_WORKERS="1", PAGE_CACHE="off") as site:
        visitor = await arrive(site=site)
        for kind in KINDS:
            address = await address_of(visitor, kind)
            site.signal("ssr", number)
            answer = await visitor.page.goto(address, wait_until="networkidle")
            assert answer is not None
            assert 'data-drawn="no"' in await answer.text()
            assert await is_alive(visitor.page)
            await expect(visitor.page.locator(".plain")).to_have_count(0)
            await expect(visitor.page.locator("main h1")).to_have_count(1)
