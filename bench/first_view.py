"""What a browser measures while it opens a page for the first time: times, work and bytes."""

import contextlib
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, sync_playwright

KB = 1024
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
SIZE = ViewportSize(width=390, height=800)
READY_S = 60.0
READY_MS = READY_S * 1000
# How long a page that is complete is left to itself: what it does later, such as fetching pages that links lead to,
# belongs to no first view.
REST_MS = 600
# Every side says that it is hydrated as the product does: `data-hydrated` on <html>, set by an effect.
OBSERVE = """
    self.seen = { hydrated: 0, shift: 0, tasks: [] };
    new MutationObserver(() => {
        if (self.seen.hydrated || !('hydrated' in document.documentElement.dataset)) return;
        self.seen.hydrated = performance.now();
        self.tellHydrated('');
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-hydrated'] });
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) self.seen.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) self.seen.tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
"""
READ = """
    () => ({
        firstByte: performance.getEntriesByType('navigation')[0].responseStart,
        paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        ...self.seen,
    })
"""


@dataclass(frozen=True)
class FirstView:
    """Times in ms from the start of the navigation. `longest_task`: 0 when none took 50 ms, as browsers name only
    those. `wire_kb`: heads and bodies of all answers, as they were sent."""

    first_byte: float
    first_paint: float
    hydrated: float
    main_thread: float
    longest_task: float
    wire_kb: float
    shift: float


class FirstViews:
    """Opens pages in a browser of its own, each time with an empty cache."""

    def __init__(self, browser: Browser):
        self._browser = browser

    def open(self, url: str, slowdown: int) -> FirstView:
        """Raises TimeoutError when the page does not say in time that it is hydrated."""
        context = self._browser.new_context(viewport=SIZE)
        try:
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.enable")
            # The thread's own time: what it waits for a core does not count.
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            # Playwright's own waiting for an element would run in the page, and count.
            session.send("Runtime.enable")
            session.send("Runtime.addBinding", {"name": "tellHydrated"})
            told: list[str] = []
            session.on("Runtime.bindingCalled", lambda event: told.append(event["name"]))
            session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
            received: list[float] = []
            session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
            page.add_init_script(OBSERVE)
            page.goto(url, wait_until="load", timeout=READY_MS)
            _wait_for(page, told)
            page.wait_for_timeout(REST_MS)
            return _read(page, session, received)
        finally:
            context.close()


def _wait_for(page: Page, told: Sequence[str]) -> None:
    until = time.monotonic() + READY_S
    while not told:
        if time.monotonic() > until:
            raise TimeoutError(f"{page.url} did not say in {READY_S:g} s that it is hydrated")
        page.wait_for_timeout(20)


def _read(page: Page, session: CDPSession, received: Sequence[float]) -> FirstView:
    seen: dict[str, Any] = page.evaluate(READ)
    figures = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return FirstView(
        seen["firstByte"],
        seen["paint"],
        seen["hydrated"],
        figures["TaskDuration"] * 1000,
        max(seen["tasks"], default=0.0),
        sum(received) / KB,
        seen["shift"],
    )


@contextlib.contextmanager
def first_views() -> Iterator[FirstViews]:
    with sync_playwright() as playwright:
        binary = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=binary, args=FLAGS)
        try:
            yield FirstViews(browser)
        finally:
            browser.close()


def middle(views: Sequence[FirstView]) -> FirstView:
    """The median of each figure by itself."""
    return FirstView(*(median(getattr(view, field.name) for view in views) for field in fields(FirstView)))


def in_turn(browser: FirstViews, urls: dict[str, str], slowdown: int, rounds: int = 7) -> dict[str, FirstView]:
    """The medians of each address, all opened in turn (A B C A B C), after one visit each that is not counted."""
    seen: dict[str, list[FirstView]] = {name: [] for name in urls}
    for turn in range(rounds + 1):
        for name, url in urls.items():
            view = browser.open(url, slowdown)
            if turn > 0:
                seen[name].append(view)
    return {name: middle(views) for name, views in seen.items()}
