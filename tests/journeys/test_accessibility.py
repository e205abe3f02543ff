"""Every kind of page for everyone: axe without a finding, nothing cut off, nothing that moves by itself."""

import re

import pytest
from playwright.async_api import Page, Route, expect

from tests.journeys.axe import violations
from tests.journeys.conftest import Arrive, Visitor
from tests.journeys.focus import tab_to

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

COURSE = "/course-details?course=bookkeeping-from-first-principles"
PAGES = {
    "home": "/",
    "shop": "/shop",
    "a filtered list": "/shop?level=beginner&category=tax",
    "a list without results": "/shop?category=tax&language=ja&level=advanced",
    "the last page of a list": "/shop?page=4",
    "search": "/search",
    "search with results": "/search?q=tax",
    "search with a misspelling": "/search?q=acounting",
    "search without results": "/search?q=zzqqxx",
    "a course": COURSE,
    "a shop item": "item",
    "about": "/about",
    "contact": "/contact",
    "policy": "/refund-grievance-policy",
    "the error page": "/no/such/page",
}
WIDTHS = (390, 1280)
THEMES = ("light", "dark")


async def open_page(visitor: Visitor, path: str) -> None:
    if path == "item":
        [(item,)] = visitor.site.query("SELECT min(id) FROM products WHERE kind = 'item' AND status = 'published'")
        path = f"/shop-details/{item}"
    if path in (PAGES["the error page"], PAGES["a list without results"]):
        visitor.expect("404")
    await visitor.open(path)


async def still(arrive: Arrive, width: int = 1280) -> Visitor:
    """A visitor who asked for less motion: colours are final at once."""
    return await arrive(width, reduced_motion="reduce")


@pytest.mark.parametrize("name", PAGES)
async def test_axe_finds_nothing(arrive: Arrive, name: str) -> None:
    visitor = await still(arrive)
    await open_page(visitor, PAGES[name])
    for width in WIDTHS:
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        for theme in THEMES:
            await visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert await violations(visitor.page) == [], f"{width} px, {theme}"


async def opened_menu(page: Page) -> None:
    await page.locator(".site-header__toggle").click()
    await expect(page.locator("#site-menu")).to_be_visible()


async def opened_filters(page: Page) -> None:
    await page.locator(".toolbar__filters").click()
    await expect(page.locator("#filters")).to_be_visible()


async def opened_order(page: Page) -> None:
    await page.locator(".sort__label").click()
    await expect(page.locator(".sort__options")).to_be_visible()


async def typed_in_search(page: Page) -> None:
    await page.locator("#search-header").fill("tax")
    await expect(page.get_by_role("option").first).to_be_visible()


STATES = {one.__name__: one for one in (opened_menu, opened_filters, opened_order, typed_in_search)}


@pytest.mark.parametrize("state", STATES)
async def test_axe_finds_nothing_in_what_opens(arrive: Arrive, state: str) -> None:
    visitor = await still(arrive, 390)
    await visitor.open("/shop")
    await STATES[state](visitor.page)
    for theme in THEMES:
        await visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert await violations(visitor.page) == [], theme


async def test_axe_finds_nothing_in_a_refused_form(arrive: Arrive) -> None:
    visitor = await still(arrive, 390)
    await visitor.open("/contact")
    await visitor.page.get_by_role("button", name="Send message").click()
    await expect(visitor.page.locator("[aria-invalid=true]").first).to_be_focused()
    for theme in THEMES:
        await visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert await violations(visitor.page) == [], theme


# Columns of what stands out to the right; what scrolls by itself, such as a row of cards, may be wider.
BEYOND = "document.scrollingElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("name", PAGES)
async def test_no_page_scrolls_sideways_from_320_pixels_on(arrive: Arrive, name: str) -> None:
    visitor = await arrive(320)
    await open_page(visitor, PAGES[name])
    beyond = {}
    for width in (320, 390, 600, 768, 1024, 1920):
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        beyond[width] = await visitor.page.evaluate(BEYOND)
    assert {width: more for width, more in beyond.items() if more > 0} == {}


# Prices and buttons of cards that stand on more than one line, or outside their card.
BROKEN = """() => [...document.querySelectorAll('.card__amount, .price__was, .add--card')]
    .filter((one) => one.offsetHeight > 3 * parseFloat(getComputedStyle(one).fontSize)
        || one.getBoundingClientRect().right > one.closest('.card').getBoundingClientRect().right)
    .map((one) => one.textContent)"""


async def test_prices_and_buttons_stay_whole_and_in_their_cards(arrive: Arrive) -> None:
    visitor = await arrive(320)
    await open_page(visitor, "/shop?category=tax")
    broken = {}
    for width in (320, 390, 600, 768, 1024, 1280):
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        broken[width] = await visitor.page.evaluate(BROKEN)
    assert {width: texts for width, texts in broken.items() if texts} == {}


SHIFTS = """
    self.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) self.shifts.push(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["home", "shop", "search with results", "a course", "a shop item", "contact"])
async def test_nothing_moves_when_the_fonts_come_late(arrive: Arrive, name: str, width: int) -> None:
    visitor = await arrive(width)
    await visitor.context.add_init_script(SHIFTS)
    late = visitor.page.wait_for_timeout

    async def hold(route: Route) -> None:
        await late(300)
        await route.continue_()

    await visitor.page.route("**/*.woff2", hold)
    await open_page(visitor, PAGES[name])
    assert await visitor.page.evaluate("self.shifts") == []


async def test_the_fonts_are_our_own_and_asked_for_before_the_page_is_drawn(visitor: Visitor) -> None:
    await visitor.open("/shop")
    asked = visitor.asked("font")
    assert len(asked) == 2
    ours = r"/static/dist/f/(?:figtree|bricolage-grotesque)-latin-[\w-]+\.woff2"
    assert all(re.fullmatch(ours, one) for one in asked)
    loaded = "[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)"
    assert {"Figtree", "Bricolage Grotesque"} <= set(await visitor.page.evaluate(loaded))


@pytest.mark.parametrize("name", ["home", "shop", "a course", "a shop item", "the error page"])
async def test_every_picture_has_its_place_before_it_comes(visitor: Visitor, name: str) -> None:
    await open_page(visitor, PAGES[name])
    unsized = await visitor.page.evaluate(
        "[...document.images].filter((one) => !(one.getAttribute('width') > 0 && one.getAttribute('height') > 0))"
        ".map((one) => one.outerHTML)"
    )
    assert unsized == []


async def test_nothing_is_set_in_motion_for_those_who_asked_for_less(arrive: Arrive) -> None:
    visitor = await still(arrive, 390)
    await visitor.open("/shop")
    await opened_filters(visitor.page)
    moving = "document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime > 0).length"
    assert await visitor.page.evaluate(moving) == 0


TOUCH = """[...document.querySelectorAll('a, button, summary, input, textarea')].filter((one) => {
    if (one.ariaHidden === 'true') return false;
    const box = (one.closest('label') ?? one).getBoundingClientRect();
    const isInText = one.closest('p, .prose, dd, li > .course-hero__rating') !== null;
    const whole = getComputedStyle(one, '::after').position === 'absolute';
    return box.width > 1 && !isInText && !whole && box.height < 24;
}).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("name", ["home", "shop", "a course", "contact"])
async def test_a_finger_hits_what_it_aims_at(arrive: Arrive, name: str) -> None:
    """WCAG 2.2, target size: 24 pixels for everything that is not part of a sentence."""
    visitor = await arrive(390)
    await open_page(visitor, PAGES[name])
    assert await visitor.page.evaluate(TOUCH) == []


PRINTED = {
    "a course": (["h1", ".price__now", ".syllabus__lesson >> nth=-1", ".faq__answer >> nth=0"], ".price-box__actions"),
    "a shop item": (["h1", ".price__now", ".stock", ".prose"], ".site-footer"),
    "policy": (["h1", ".prose h2 >> nth=0", ".content__note"], ".site-footer"),
}


@pytest.mark.parametrize("name", PRINTED)
async def test_print_keeps_the_content_and_leaves_out_what_is_to_be_clicked(arrive: Arrive, name: str) -> None:
    visitor = await arrive()
    shown, hidden = PRINTED[name]
    await open_page(visitor, PAGES[name])
    await visitor.page.emulate_media(media="print", color_scheme="dark")
    for selector in shown:
        await expect(visitor.page.locator(selector)).to_be_visible()
    for selector in (hidden, ".site-nav", ".skip-link", ".search-box"):
        await expect(visitor.page.locator(selector).first).to_be_hidden()
    ground = await visitor.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"


@pytest.mark.parametrize("width", WIDTHS)
async def test_a_whole_visit_by_keyboard_alone(arrive: Arrive, width: int) -> None:
    """From the front page through search, a course and its syllabus to a question that was sent."""
    visitor = await arrive(width)
    page = visitor.page
    await visitor.open("/")
    await tab_to(page, "#search-hero")
    await page.keyboard.type("bookkeeping")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("bookkeeping")
    await tab_to(page, ".card__link")
    await page.keyboard.press("Enter")
    await expect(page.locator(".course-hero__title")).to_be_visible()
    await expect(page.locator("#main")).to_be_focused()
    await tab_to(page, ".syllabus__section:not([open]) > summary")
    await page.keyboard.press("Enter")
    await expect(page.locator(".syllabus__section[open]")).to_have_count(2)
    await page.keyboard.press("Shift+Tab")
    await visitor.open("/contact")
    await tab_to(page, "input[name=name]")
    for text in ("Ada Example", "ada@example.test", "A question"):
        await page.keyboard.type(text)
        await page.keyboard.press("Tab")
    await page.keyboard.type("Does the bookkeeping course suit a shop of two people?")
    await tab_to(page, "button[type=submit]")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").filter(has_text="Thank you")).to_be_focused()
