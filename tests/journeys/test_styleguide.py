"""The component page: every component in every state, in development and nowhere else."""

import pytest
from playwright.async_api import Browser, expect

from tests.journeys.axe import violations
from tests.journeys.conftest import Arrive, Visitor, path_of
from tests.journeys.test_accessibility import BEYOND, THEMES, WIDTHS
from tests.site import running

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

TOASTS = {"info": "status", "success": "status", "warning": "status", "error": "alert"}


async def open_guide(visitor: Visitor) -> None:
    """Its own styles come with its script, not with the document: without them light text has no dark ground."""
    await visitor.open("/styleguide")
    await expect(visitor.page.locator(".guide__stage--night").first).to_have_css("display", "grid")


async def test_axe_finds_nothing_in_any_state_of_any_component(arrive: Arrive) -> None:
    """landmark-unique is off here only: the page shows the same landmark in several states on purpose."""
    visitor = await arrive(reduced_motion="reduce")
    await open_guide(visitor)
    for width in WIDTHS:
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        for theme in THEMES:
            await visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            assert await violations(visitor.page, landmark_unique=False) == [], f"{width} px, {theme}"


async def test_two_hundred_letters_without_a_break_break_no_layout(arrive: Arrive) -> None:
    visitor = await arrive(320)
    await open_guide(visitor)
    beyond = {}
    for width in (320, 390, 600, 768, 1024, 1280, 1920):
        await visitor.page.set_viewport_size({"width": width, "height": 800})
        beyond[width] = await visitor.page.evaluate(BEYOND)
    assert {width: more for width, more in beyond.items() if more > 0} == {}


@pytest.mark.parametrize("kind", TOASTS)
async def test_a_toast_of_each_kind_is_readable(arrive: Arrive, kind: str) -> None:
    visitor = await arrive(390, reduced_motion="reduce")
    await open_guide(visitor)
    await visitor.page.get_by_role("button", name=f"Show {kind}").click()
    told = f"Payroll Basics, as {kind}"
    toast = visitor.page.get_by_role(TOASTS[kind]).filter(has_text=told)  # type: ignore[arg-type]
    await expect(toast).to_be_visible()
    for theme in THEMES:
        await visitor.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert await violations(visitor.page, landmark_unique=False) == [], theme


async def test_no_search_engine_and_no_other_page_knows_of_it(visitor: Visitor) -> None:
    answer = await visitor.context.request.get("/styleguide")
    assert answer.headers["x-robots-tag"].startswith("noindex")
    await visitor.open("/styleguide")
    (chunk,) = [path for path in visitor.asked("script") if "StyleguidePage" in path]
    visitor.forget()
    await visitor.open("/shop")
    assert chunk not in visitor.asked("script")
    assert await visitor.page.locator("a[href='/styleguide']").count() == 0


async def test_it_is_drawn_by_the_server_and_reached_by_client_navigation_too(visitor: Visitor) -> None:
    await visitor.open("/styleguide")
    await visitor.page.locator(".site-nav__link", has_text="About").click()
    await expect(visitor.page.locator(".content__title")).to_be_visible()
    await visitor.page.go_back()
    await expect(visitor.page.get_by_role("heading", level=1, name="Styleguide")).to_be_visible()
    assert path_of(visitor.page.url) == "/styleguide"


async def test_production_has_no_such_page(browser: Browser) -> None:
    with running(APP_ENV="production", OIDC_ISSUER="https://id.example", SECRET_KEY="k" * 32) as live:
        context = await browser.new_context(base_url=live.url)
        assert (await context.request.get("/styleguide")).status == 404
        assert (await context.request.get("/data/styleguide")).status == 404
        await context.close()
