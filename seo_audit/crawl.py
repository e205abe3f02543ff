"""The crawl: fetches robots.txt, the sitemaps, every address in them or linked from pages, and the probes."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from seo_audit import body, head, markup, probes, robots
from seo_audit.breaches import Contract, Report
from seo_audit.page import Page
from seo_audit.robots import Robots
from seo_audit.sitemaps import Sitemaps
from seo_audit.whole import WholeSite

# Not the name of a declared crawler, so that the site's statistics do not count the audit as one.
AGENT = "coursefront-seo-audit (python)"
DEADLINE_S = 60.0
# After this many failures in a row the site counts as down.
MAX_FAILURES = 20
RULES = (*head.RULES, *body.RULES, *markup.RULES)


class SiteDown(Exception):
    """The site cannot be audited; the text gives the reason."""


@dataclass
class Progress:
    """`done` of `known` addresses; `on_progress` is called after every page."""

    on_progress: Callable[["Progress"], None] = lambda _progress: None
    done: int = 0
    known: int = 0
    started_at: float = field(default_factory=time.monotonic)

    @property
    def per_second(self) -> float:
        return self.done / max(time.monotonic() - self.started_at, 0.001)


@dataclass(frozen=True)
class Options:
    """`base`: the origin to fetch from. `locale`: the expected language, or "" for any."""

    base: str
    jobs: int = 8
    sitemap_only: bool = False
    locale: str = ""


async def audit(options: Options, report: Report, progress: Progress) -> None:
    """Crawl the site and report. Raises SiteDown when it does not respond or is closed to crawlers."""
    timeout = aiohttp.ClientTimeout(total=DEADLINE_S)
    connector = aiohttp.TCPConnector(limit=options.jobs)
    headers = {"User-Agent": AGENT}
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, headers=headers) as session:
        await Audit(options, report, progress, session).run()


class Audit:
    def __init__(self, options: Options, report: Report, progress: Progress, session: aiohttp.ClientSession):
        self._options, self._report, self._progress, self._session = options, report, progress, session
        self._contract = Contract(options.base, options.locale)
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._failures = 0
        # Kind of page -> the first indexable page of it.
        self._sampled: dict[str, Page] = {}

    async def run(self) -> None:
        rules, start = await self._robots()
        self._contract = Contract(_origin(rules.sitemaps, self._options.base), self._options.locale)
        self._whole = WholeSite(self._report, rules)
        sitemaps = Sitemaps(self._fetch, self._report, self._contract.origin)
        # All sitemaps first: only then is it known which pages are missing in them.
        async for entry in sitemaps.entries(start):
            if self._whole.add_sitemap_entry(entry.path):
                self._enqueue(entry.path)
        self._progress.started_at = time.monotonic()
        workers = [asyncio.create_task(self._work()) for _ in range(self._options.jobs)]
        try:
            await self._until_done(workers)
        finally:
            for worker in workers:
                worker.cancel()
        self._whole.finish()
        await probes.run(self._fetch, self._report)
        for page in self._sampled.values():
            await probes.conditional(self._fetch, page, self._report)
            await probes.social_picture(self._fetch, page, self._report)
        await sitemaps.finish(start)

    async def _robots(self) -> tuple[Robots, str]:
        page, body = await self._fetch("/robots.txt")
        rules = robots.parse(body.decode(errors="replace")) if page.status == 200 else Robots()
        if not rules.allows("/"):
            raise SiteDown("robots.txt closes the whole site; start it with ROBOTS=open.")
        for text in robots.breaches(page, rules):
            self._report.add("/robots.txt", "robots", "error", text)
        start = urlsplit(rules.sitemaps[0]).path if rules.sitemaps else "/sitemap.xml"
        return rules, start

    async def _until_done(self, workers: list[asyncio.Task[None]]) -> None:
        """Wait until the queue is empty, or a worker raises SiteDown."""
        joining = asyncio.create_task(self._waiting.join())
        done, _ = await asyncio.wait({joining, *workers}, return_when=asyncio.FIRST_COMPLETED)
        joining.cancel()
        for task in done:
            task.result()

    def _enqueue(self, path: str) -> None:
        self._progress.known += 1
        self._waiting.put_nowait(path)

    async def _work(self) -> None:
        while True:
            path = await self._waiting.get()
            page, _ = await self._fetch(path)
            self._check(page)
            if page.is_indexable:
                self._sampled.setdefault(page.route.rstrip("0123456789"), page)
            self._progress.done += 1
            self._progress.on_progress(self._progress)
            self._waiting.task_done()

    def _check(self, page: Page) -> None:
        if page.status == 0 or page.status >= 500:
            self._report.add(page.path, "status", "error", f"answers {page.status or 'nothing'}")
        elif page.status == 200 and page.is_html:
            self._report.check(page, self._contract, RULES)
        new_paths = self._whole.add_page(page)
        if not self._options.sitemap_only:
            for path in new_paths:
                self._enqueue(path)

    async def _fetch(self, path: str, **headers: str) -> tuple[Page, bytes]:
        """The response, redirects not followed; status 0 without one. Raises SiteDown after MAX_FAILURES."""
        try:
            try:
                return await self._request(path, headers)
            except aiohttp.ClientConnectionError:
                # The server may close a keep-alive connection while it is used again.
                return await self._request(path, headers)
        except (aiohttp.ClientError, TimeoutError) as error:
            self._failures += 1
            if self._failures >= MAX_FAILURES or path == "/robots.txt":
                raise SiteDown(f"{self._options.base} does not respond: {error}") from error
            return Page(path, 0, {}, b"", self._contract.origin), b""

    async def _request(self, path: str, headers: dict[str, str]) -> tuple[Page, bytes]:
        address = URL(self._options.base + path, encoded=True)
        async with self._session.get(address, headers=headers, allow_redirects=False) as response:
            content = await response.read()
            self._failures = 0
            return Page(path, response.status, response.headers, content, self._contract.origin), content


def _origin(sitemaps: list[str], base: str) -> str:
    """The public origin, from the first sitemap address in robots.txt; `base` without one."""
    parts = urlsplit(sitemaps[0]) if sitemaps else urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else base
