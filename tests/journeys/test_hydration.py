"""React takes over the server's document without a complaint and without a change, on every kind of page."""

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from tests.journeys.conftest import CPU_SLOWDOWN, NewVisitor, hydrated
from tests.rendered_pages import rendered_pages
from tests.support.site import WITHOUT_STANDINS, Site, running
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "/course-details?course=bookkeeping-from-first-principles"
# Pages that are rendered by the browser with every change, the others nightly.
DAILY = ("shop", "course-details")
ABOUT = re.compile("^About ")
# Buttons that need a script are not shown without one.
BUTTONS = {"Add to cart", "Add to wishlist", "1"}
# The server's HTML is the same for every screen and colour scheme: one of them with every change.
SCREENS = [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.soak)]
# Longer than a busy browser takes to hydrate a page, shorter than the deadline of a render.
REVIEWS_DELAY_MS = min(4000 * CPU_SLOWDOWN, 7000)


def pages_of(site: Site) -> dict[str, str]:
    """An address of each page that the server renders, by its id."""
    [(item,)] = site.query("SELECT min(id) FROM products WHERE kind = 'item' AND status = 'published'")
    return rendered_pages({"course": COURSE.partition("=")[2], "item": item})


# Content below the first view is laid out when it comes near; its text is part of the page all the same.
_LAY_OUT_ALL = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""


async def text_of(page: Page) -> str:
    """The text of a page, without the part of a shop item that comes later: no script moves it to its place."""
    await page.evaluate(_LAY_OUT_ALL)
    part = "main article.item" if await page.locator("main article.item").count() else "main"
    lines = (await page.locator(part).inner_text()).splitlines()
    return "\n".join(line for line in lines if line.strip() and line not in BUTTONS)


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
async def test_hydration_logs_nothing_and_changes_nothing(
    new_visitor: NewVisitor, site: Site, width: int, scheme: str
) -> None:
    plain = await new_visitor(width, java_script_enabled=False)
    visitor = await new_visitor(width, color_scheme=scheme)
    for address in pages_of(site).values():
        await plain.open(address)
        await visitor.open(address)
        await visitor.settled()
        assert await text_of(visitor.page) == await text_of(plain.page)
        assert await visitor.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture(scope="module")
def slow_site(site: Site) -> Iterator[Site]:
    """Its reviews come late, it caches no page, and it has a single render worker and no broker. It writes amounts and
    days in Icelandic, of which Chromium has no data of its own, so that it would write them in English."""
    delay = f"reviews:{REVIEWS_DELAY_MS}"
    settings = {"DEV_DELAY": delay, "SSR_WORKERS": "1", "PAGE_CACHE": "off", "LIMITS": "off", "REDIS_URL": "none"}
    settings["LOCALE"] = "is-IS"
    with running(site.copy_database(), **settings, **WITHOUT_STANDINS) as ready:
        yield ready


async def test_amounts_of_another_locale_are_taken_over_as_they_were_written(
    new_visitor: NewVisitor, slow_site: Site
) -> None:
    visitor = await new_visitor(site=slow_site)
    await visitor.open("/shop")
    # Cards below the window are not drawn yet and have no inner text.
    prices = set(await visitor.page.locator(".card__amount").all_text_contents()) - {"Free"}
    assert prices
    assert [price for price in prices if not re.fullmatch(r"\d{1,3},\d\d\N{NO-BREAK SPACE}USD", price)] == []
    assert await visitor.page.evaluate("document.documentElement.lang") == "en"


async def test_the_page_works_before_its_reviews_arrive(new_visitor: NewVisitor, slow_site: Site) -> None:
    visitor = await new_visitor(site=slow_site)
    page, reviews = visitor.page, visitor.page.locator("#reviews").get_by_role("listitem")
    await page.goto(COURSE, wait_until="commit")
    await hydrated(page)
    assert await reviews.count() == 0
    await expect(reviews.first).to_be_visible()
    assert visitor.requested("document") == [COURSE]
    assert [path for path in visitor.requested("fetch") if path.startswith("/data")] == []


async def test_a_visitor_can_leave_before_the_reviews_arrive(new_visitor: NewVisitor, slow_site: Site) -> None:
    visitor = await new_visitor(site=slow_site)
    page = visitor.page
    await page.goto(COURSE, wait_until="commit")
    await hydrated(page)
    visitor.clear_requests()
    await page.locator("header").get_by_role("link", name="About").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(ABOUT)
    assert visitor.requested("document") == []


async def test_a_worker_killed_in_mid_stream_leaves_the_reviews_to_the_browser(
    new_visitor: NewVisitor, slow_site: Site
) -> None:
    visitor = await new_visitor(site=slow_site)
    page = visitor.page
    await page.goto(COURSE, wait_until="commit")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    slow_site.signal("ssr", signal.SIGKILL)
    await expect(page.locator("#reviews").get_by_role("listitem").first).to_be_visible()
    await hydrated(page)


@pytest.mark.parametrize("is_daily", [True, pytest.param(False, marks=pytest.mark.soak)])
async def test_without_a_render_worker_the_browser_renders_the_page(
    new_visitor: NewVisitor, slow_site: Site, is_daily: bool
) -> None:
    visitor = await new_visitor(site=slow_site)
    addresses = [address for page, address in pages_of(slow_site).items() if (page in DAILY) == is_daily]
    for address in addresses:

        async def is_left_to_the_browser(address: str = address) -> bool:
            """A new worker is there soon: once more if it was faster than the request."""
            slow_site.signal("ssr", signal.SIGKILL)
            answer = await visitor.page.goto(address)
            return answer is not None and 'data-rendered="no"' in await answer.text()

        await until(is_left_to_the_browser)
        await hydrated(visitor.page)
        await expect(visitor.page.get_by_role("heading", level=1)).to_have_count(1)
        await expect(visitor.page.locator(".plain")).to_have_count(0)
