"""Fetches: robots.txt, sitemaps, probes, then every address they name and every one that pages lead to."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from host.seo_audit import body, head, markup, probes, robots
from host.seo_audit.breaches import Contract, Report
from host.seo_audit.page import Page
from host.seo_audit.robots import Robots
from host.seo_audit.sitemaps import Sitemaps
from host.seo_audit.whole import Whole

# No declared crawler: the site's own statistics should not count us as one.
AGENT = "coursefront-seo-audit (python)"
DEADLINE_S = 60.0
# A site that does not answer this often in a row is down.
MOST_FAILURES = 20
RULES = (*head.RULES, *body.RULES, *markup.RULES)


class SiteDown(Exception):
    """The site cannot be audited; the text says why."""


@dataclass
class Progress:
    """`done` of `known` addresses; `tell` hears every page."""

    tell: Callable[["Progress"], None] = lambda _progress: None
    done: int = 0
    known: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def per_second(self) -> float:
        return self.done / max(time.monotonic() - self.began, 0.001)


@dataclass(frozen=True)
class Options:
    """`base` is where to fetch, an origin; `locale` may be empty: then any language will do."""

    base: str
    jobs: int = 8
    sitemap_only: bool = False
    locale: str = ""


async def audit(options: Options, report: Report, progress: Progress) -> None:
    """Raises SiteDown when there is nothing to audit."""
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
        # Kind of page -> the first that search engines may keep.
        self._sampled: dict[str, Page] = {}

    async def run(self) -> None:
        rules, start = await self._robots()
        self._contract = Contract(_origin(rules.sitemaps, self._options.base), self._options.locale)
        self._whole = Whole(self._report, rules)
        sitemaps = Sitemaps(self._fetch, self._report, self._contract.origin)
        # All of them first: whether a page is missing there can only be said afterwards.
        async for entry in sitemaps.entries(start):
            if self._whole.in_sitemap(entry.path):
                self._put(entry.path)
        self._progress.began = time.monotonic()
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
        rules = robots.read(body.decode(errors="replace")) if page.status == 200 else Robots()
        if not rules.allows("/"):
            raise SiteDown("robots.txt closes the whole site; audit one that runs with ROBOTS=open.")
        for text in robots.breaches(page, rules):
            self._report.add("/robots.txt", "robots", "error", text)
        start = urlsplit(rules.sitemaps[0]).path if rules.sitemaps else "/sitemap.xml"
        return rules, start

    async def _until_done(self, workers: list[asyncio.Task[None]]) -> None:
        """Until nothing waits, or a worker gives up."""
        everything = asyncio.create_task(self._waiting.join())
        done, _ = await asyncio.wait({everything, *workers}, return_when=asyncio.FIRST_COMPLETED)
        everything.cancel()
        for one in done:
            one.result()

    def _put(self, path: str) -> None:
        self._progress.known += 1
        self._waiting.put_nowait(path)

    async def _work(self) -> None:
        while True:
            path = await self._waiting.get()
            page, _ = await self._fetch(path)
            self._judge(page)
            if page.is_kept:
                self._sampled.setdefault(page.route.rstrip("0123456789"), page)
            self._progress.done += 1
            self._progress.tell(self._progress)
            self._waiting.task_done()

    def _judge(self, page: Page) -> None:
        if page.status == 0 or page.status >= 500:
            self._report.add(page.path, "status", "error", f"answers {page.status or 'nothing'}")
        elif page.status == 200 and page.is_html:
            self._report.judge(page, self._contract, RULES)
        fresh = self._whole.fetched(page)
        if not self._options.sitemap_only:
            for path in fresh:
                self._put(path)

    async def _fetch(self, path: str, **headers: str) -> tuple[Page, bytes]:
        """The answer without following it; status 0 when there is none. Raises SiteDown when there never is."""
        try:
            try:
                return await self._answer(path, headers)
            except aiohttp.ClientConnectionError:
                # A kept connection may be closed at the very moment it is used again.
                return await self._answer(path, headers)
        except (aiohttp.ClientError, TimeoutError) as error:
            self._failures += 1
            if self._failures >= MOST_FAILURES or path == "/robots.txt":
                raise SiteDown(f"{self._options.base} does not answer: {error}") from error
            return Page(path, 0, {}, b"", self._contract.origin), b""

    async def _answer(self, path: str, headers: dict[str, str]) -> tuple[Page, bytes]:
        address = URL(self._options.base + path, encoded=True)
        async with self._session.get(address, headers=headers, allow_redirects=False) as answer:
            content = await answer.read()
            self._failures = 0
            return Page(path, answer.status, answer.headers, content, self._contract.origin), content


def _origin(sitemaps: list[str], base: str) -> str:
    """The public origin, as robots.txt says it."""
    parts = urlsplit(sitemaps[0]) if sitemaps else urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else base
