"""Visitors with a real browser on a real site. Errors and warnings of the browser fail the journey."""

import json
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
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

from config.settings import ROOT
from tests.conftest import missing
from tests.journeys.translator import TRANSLATOR
from tests.support.site import Site, running
from tests.support.waiting import LIMIT_S, until

ACCOUNTS = ROOT / "standins" / "identity" / "data" / "accounts.json"
CHROMIUM = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
# The headless shell takes less processor time than a whole browser.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# The policy's violations are events; as console messages they fail the journey like everything else.
LOG_VIOLATIONS = """
    window.addEventListener('securitypolicyviolation', (event) =>
        console.error('CSP', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber));
"""
WHEN_IDLE = "new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))"
TRACE = "/api/SetAAUserTraceLog"
# To find journeys that depend on a fast browser: how many times slower its pages' processor is.
CPU_SLOWDOWN = int(os.environ.get("JOURNEY_CPU_SLOWDOWN", "1"))
# To find journeys that fail on a page that the browser translates: 1 turns the translator on for everybody.
IS_TRANSLATED = os.environ.get("JOURNEY_TRANSLATED") == "1"
# A slow browser reads an answer some time after the request has ended.
SLOW_ANSWERS = """
    const read = Response.prototype.json;
    Response.prototype.json = async function () {
        const value = await read.call(this);
        await new Promise((done) => setTimeout(done, 150));
        return value;
    };
"""
expect.set_options(timeout=LIMIT_S * 1000)


class Visitor:
    """One browser profile with one page; records its requests and whatever the browser complains about."""

    def __init__(self, site: Site, context: BrowserContext, page: Page, has_script: bool):
        self.site, self.context, self.page, self.has_script = site, context, page, has_script
        self.complaints: list[str] = []
        self.requests: list[Request] = []
        self._pending: set[Request] = set()
        self._expected: list[str] = []
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._on_failed)
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_finished)
        page.on("response", self._on_response)

    def expect(self, pattern: str) -> None:
        """This journey provokes complaints that match; all others still fail it."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        return [text for text in self.complaints if not any(re.search(pattern, text) for pattern in self._expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def _on_request(self, request: Request) -> None:
        """A new document ends the requests of the one before, but the browser does not report the end of each."""
        if request.is_navigation_request():
            self._pending.clear()
        self.requests.append(request)
        self._pending.add(request)

    def _on_finished(self, request: Request) -> None:
        self._pending.discard(request)

    def _on_failed(self, request: Request) -> None:
        """Leaving a page cancels what it was still fetching; visits go on without it, but look the same from here.

        With scripts off the browser blames the policy for every script: csp.
        """
        self._pending.discard(request)
        if request.failure == "net::ERR_ABORTED" or (request.failure == "csp" and not self.has_script):
            return
        self.complaints.append(f"request failed: {request.method} {request.url}: {request.failure}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"status {response.status}: {response.url}")

    async def open(self, path: str) -> None:
        """A full load: styles, scripts and pictures are there, and the page reacts to its visitor."""
        await self.page.goto(path)
        await self.hydrated()

    async def reload(self) -> None:
        await self.page.reload()
        await self.hydrated()

    async def hydrated(self) -> None:
        if self.has_script:
            await hydrated(self.page)

    async def settled(self) -> None:
        """Waits until every request so far has ended and the page has nothing left to do: for assertions that
        something did not happen."""
        await self.page.wait_for_load_state()
        await until(lambda: not self._pending)
        await self.page.evaluate(WHEN_IDLE)
        # The address changes before the next page is shown: between its data and its markup the page may be idle.
        await expect(self.page.locator("#root > .page-progress")).to_have_count(0)
        await self.page.evaluate(WHEN_IDLE)
        await until(lambda: not self._pending)

    async def leave(self) -> None:
        """Closes the browser profile. Requests that a route still holds are given up."""
        await self.page.unroute_all(behavior="ignoreErrors")
        await self.context.close()

    def requested(self, *kinds: str) -> list[str]:
        """Path and query of requests so far, of these resource types."""
        return [path_of(request.url) for request in self.requests if request.resource_type in kinds]

    def clear_requests(self) -> None:
        self.requests.clear()

    @property
    def visits(self) -> list[dict[str, Any]]:
        """Bodies of the visits that the page has sent so far."""
        return [request.post_data_json or {} for request in self.requests if path_of(request.url) == TRACE]


async def hydrated(page: Page) -> None:
    """Returns once React has taken over the document."""
    await page.locator("html[data-hydrated]").wait_for(state="attached")


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


@pytest.fixture(scope="package")
def site(todays_demo: Path) -> Iterator[Site]:
    """The site of all journeys of one pytest process: each visitor is new, each journey has learners of its own. It
    ends with the last of them: an idle site takes processor time from the tests that follow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "filled_database", todays_demo)
        with running(LIMITS="off", ROBOTS="open", SSR_WORKERS="1", PAYMENTS_WAIT_MS="20000") as ready:
            yield ready


# Rows of the accounts that the demo shop is seeded with: cart, wishlist, courses, certificates that hold.
BELONGINGS = """
    SELECT subject, (SELECT count(*) FROM cart_lines WHERE learner_id = learners.id),
        (SELECT count(*) FROM wishlist_entries WHERE learner_id = learners.id),
        (SELECT count(*) FROM enrolments WHERE learner_id = learners.id),
        (SELECT count(*) FROM certificates WHERE learner_id = learners.id AND revoked_at IS NULL)
    FROM learners WHERE subject IN (SELECT value FROM json_each(?))
"""


def belongings(site: Site) -> dict[str, tuple[int, ...]]:
    """What seeded accounts have: only those that have something."""
    accounts = [row["login"] for row in json.loads(ACCOUNTS.read_text())]
    rows = site.query(BELONGINGS, json.dumps(accounts))
    return {subject: counts for subject, *counts in rows if any(counts)}


@pytest.fixture(autouse=True)
def _leave_seeded_accounts_as_they_are(request: pytest.FixtureRequest) -> Iterator[None]:
    """All journeys of a process share the accounts of the demo shop. A journey that chooses, buys or completes has a
    learner of its own (`identity.add_account`, `orders.new_learner`), or others depend on the order of tests."""
    if "site" not in request.fixturenames:
        yield
        return
    site: Site = request.getfixturevalue("site")
    before = belongings(site)
    yield
    assert belongings(site) == before, "a journey changed what a seeded account has"


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    if binary is None:
        missing("Chromium")
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=binary, args=CHROMIUM)
        yield started
        await started.close()


NewVisitor = Callable[..., Awaitable[Visitor]]


@pytest_asyncio.fixture(loop_scope="session")
async def new_visitor(site: Site, browser: Browser) -> AsyncIterator[NewVisitor]:
    """Makes visitors: `new_visitor(width=390, site=…, **options of a browser context)`. Nothing is animated for them,
    because each frame takes processor time; reduced_motion="no-preference" animates it."""
    visitors: list[Visitor] = []

    async def create(width: int = 1280, site: Site = site, **options: Any) -> Visitor:
        context = await browser.new_context(
            base_url=f"http://localhost:{site.port}",
            viewport={"width": width, "height": 800},
            **{"reduced_motion": "reduce", **options},
        )
        context.set_default_timeout(LIMIT_S * 1000)
        context.set_default_navigation_timeout(LIMIT_S * 1000)
        has_script = options.get("java_script_enabled", True)
        if has_script:
            await context.add_init_script(LOG_VIOLATIONS)
            if IS_TRANSLATED:
                await context.add_init_script(TRANSLATOR)
        page = await context.new_page()
        if CPU_SLOWDOWN > 1:
            if has_script:
                await context.add_init_script(SLOW_ANSWERS)
            devtools = await context.new_cdp_session(page)
            await devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        visitors.append(Visitor(site, context, page, has_script))
        return visitors[-1]

    yield create
    for visitor in visitors:
        await visitor.leave()
    assert [text for visitor in visitors for text in visitor.unexpected] == []


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(new_visitor: NewVisitor) -> Visitor:
    return await new_visitor()
