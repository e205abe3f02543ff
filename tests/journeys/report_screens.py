"""What journeys about reports do: sign in as a marketer once, open a report, and compare it with what it was."""

import re
from re import Pattern
from typing import Any, NamedTuple

import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, StorageState, expect

from tests.journeys.computed_days import compute_days
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.identity import PASSWORD, sign_in_by_requests
from tests.support.site import Site

# What a report says: its figures, its form, its table, what is open, and how far the page is scrolled.
STATE = """() => ({
    address: location.pathname + location.search,
    heading: document.querySelector('h1').textContent,
    figures: [...document.querySelectorAll('.report-figure__value')].map((value) => value.textContent),
    filters: [...document.querySelectorAll('.report-chosen__filter')].map((link) => link.textContent),
    fields: [...document.querySelectorAll('.report-controls__form [name]')].map(({ name, value }) => [name, value]),
    rows: [...document.querySelectorAll('#rows tr')].map((row) => row.textContent),
    open: [...document.querySelectorAll('#main details')].map((part) => part.open),
    scrolled: Math.round(scrollY),
})"""


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def marketer(site: Site, browser: Browser) -> StorageState:
    """The cookies of a marketer, for whom all days of the demo are computed."""
    await compute_days(site)
    context = await browser.new_context(base_url=f"http://localhost:{site.port}")
    where = {"return_to": "/about", "area": "admin"}
    await sign_in_by_requests(context.request, site, "marketing", password=PASSWORD, **where)
    state = await context.storage_state()
    await context.close()
    return state


async def open_report(new_visitor: NewVisitor, state: StorageState, path: str, width: int = 1280) -> Visitor:
    visitor = await new_visitor(width, storage_state=state)
    await visitor.open(path)
    await expect(visitor.page.get_by_role("link", name="Sign out")).to_be_visible()
    await expect(visitor.page.locator(".loading-view")).to_have_count(0)
    return visitor


async def state_of(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = await page.evaluate(STATE)
    return found


# The name of the button that opens what is chosen begins with the period.
CHOICES = re.compile(r", \d{4}")


class Journey(NamedTuple):
    """What a report showed before a link of it was followed, and after going back."""

    before: dict[str, Any]
    after: dict[str, Any]


async def follow_and_return(visitor: Visitor, link: Locator, arrived: Locator | None = None) -> Journey:
    """Follows the link, which leads to another address and shows `arrived`, and goes back."""
    page = visitor.page
    await link.scroll_into_view_if_needed()
    before, address = await state_of(page), page.url
    await link.click()
    await expect(page).not_to_have_url(address)
    await visitor.settled()
    if arrived is not None:
        await expect(arrived).to_be_visible()
    await page.go_back()
    await expect(page).to_have_url(address)
    await visitor.settled()
    await expect(page.locator("#rows")).to_be_visible()
    return Journey(before, await state_of(page))


async def open_sheet(page: Page, name: str | Pattern[str]) -> None:
    """On narrow screens: opens the other reports, or the period and what else is chosen."""
    await expect(page.locator(".report h1")).to_be_visible()
    button = page.locator(".report").get_by_role("button", name=name)
    if await button.is_visible():
        await button.click()
