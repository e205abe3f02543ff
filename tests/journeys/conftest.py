"""Visitors with a real browser on a real site. Whatever the browser complains about fails the journey."""

import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    async_playwright,
    expect,
)

from tests.conftest import missing
from tests.site import Site, running
from tests.waiting import DEADLINE_S, until

CHROMIUM = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
# The policy's violations are events; as console messages they fail the journey like everything else.
TELL_VIOLATIONS = """
    window.addEventListener('securitypolicyviolation', (event) =>
        console.error('CSP', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber));
"""
TRACE = "/api/SetAAUserTraceLog"
QUIET_S = 0.3
expect.set_options(timeout=DEADLINE_S * 1000)


class Visitor:
    """One browser profile with one page, and all that the browser said and asked for."""

    def __init__(self, site: Site, context: BrowserContext, page: Page, has_script: bool):
        self.site, self.context, self.page, self.has_script = site, context, page, has_script
        self.complaints: list[str] = []
        self.requests: list[Request] = []
        self._under_way: set[Request] = set()
        self._changed_at = 0.0
        self._expected: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("request", self._asked)
        page.on("requestfinished", self._ended)
        page.on("response", self._answered)

    def expect(self, pattern: str) -> None:
        """This journey provokes complaints that match; all others still fail it."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        return [said for said in self.complaints if not any(re.search(one, said) for one in self._expected)]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        self.requests.append(request)
        self._under_way.add(request)
        self._changed_at = time.monotonic()

    def _ended(self, request: Request) -> None:
        self._under_way.discard(request)
        self._changed_at = time.monotonic()

    def _failed(self, request: Request) -> None:
        """Leaving a page cancels what it was still fetching; visits go on without it, but look the same from here.

        With scripts off the browser blames the policy for every script: csp.
        """
        self._ended(request)
        if request.failure == "net::ERR_ABORTED" or (request.failure == "csp" and not self.has_script):
            return
        self.complaints.append(f"request failed: {request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"status {response.status}: {response.url}")

    async def open(self, path: str) -> None:
        """A full load, until the browser has nothing more to fetch."""
        await self.page.goto(path, wait_until="networkidle")

    async def quiet(self) -> None:
        """Until nothing is under way and nothing new was asked for; the browser's own "networkidle" is said once per
        document, so it does not wait for what a page fetches later."""
        await until(lambda: not self._under_way and time.monotonic() - self._changed_at > QUIET_S)

    async def leave(self) -> None:
        """Closes the browser profile: for a visitor of a site that stops before the test ends."""
        await self.context.close()

    def asked(self, *kinds: str) -> list[str]:
        """Path and query of requests so far, of these resource types."""
        return [path_of(one.url) for one in self.requests if one.resource_type in kinds]

    def forget(self) -> None:
        self.requests.clear()

    @property
    def visits(self) -> list[dict[str, Any]]:
        """Bodies of the visits that the page has sent so far."""
        return [one.post_data_json or {} for one in self.requests if path_of(one.url) == TRACE]


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with running(LIMITS="off", ROBOTS="open") as ready:
        yield ready


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if binary is None:
        missing("Chromium")
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=binary, args=CHROMIUM)
        yield started
        await started.close()


Arrive = Callable[..., Awaitable[Visitor]]


@pytest_asyncio.fixture(loop_scope="session")
async def arrive(site: Site, browser: Browser) -> AsyncIterator[Arrive]:
    """Makes visitors: `arrive(width=390, site=…, **options of a browser context)`."""
    here: list[Visitor] = []

    async def make(width: int = 1280, site: Site = site, **options: Any) -> Visitor:
        context = await browser.new_context(
            base_url=f"http://localhost:{site.port}", viewport={"width": width, "height": 800}, **options
        )
        context.set_default_timeout(DEADLINE_S * 1000)
        context.set_default_navigation_timeout(30_000)
        has_script = options.get("java_script_enabled", True)
        if has_script:
            await context.add_init_script(TELL_VIOLATIONS)
        here.append(Visitor(site, context, await context.new_page(), has_script))
        return here[-1]

    yield make
    for one in here:
        await one.leave()
    assert [said for one in here for said in one.unexpected] == []


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(arrive: Arrive) -> Visitor:
    return await arrive()
