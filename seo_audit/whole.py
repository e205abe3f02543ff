"""What only many pages together show: texts used twice, links that lead astray, and sitemap and pages that disagree."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from host.seo_audit.breaches import Report
from host.seo_audit.page import Page
from host.seo_audit.robots import Robots

BLOCKED = -1


@dataclass(slots=True)
class Known:
    """One address: what it answered (0: not fetched, BLOCKED: robots.txt forbids), and who leads to it."""

    status: int = 0
    is_kept: bool = False
    is_in_sitemap: bool = False
    location: str = ""
    linked_from: str = ""
    links: int = 0


class Whole:
    def __init__(self, report: Report, robots: Robots):
        self._report, self._robots = report, robots
        self.known: dict[str, Known] = {}
        # Digest of a text -> first page that has it.
        self._texts: dict[tuple[str, bytes], str] = {}

    def in_sitemap(self, path: str) -> bool:
        """Notes an address of a sitemap; True when it is new."""
        known = self.known.setdefault(path, Known())
        if known.is_in_sitemap:
            self._report.add(path, "sitemap-repeats", "error", "stands in the sitemaps twice")
            return False
        known.is_in_sitemap = True
        if not self._robots.allows(path):
            self._report.add(path, "sitemap-blocked", "error", "is in the sitemap, and robots.txt forbids it")
        return True

    def fetched(self, page: Page) -> Iterable[str]:
        """Notes an answer; what it links to and has not been seen yet."""
        known = self.known.setdefault(page.path, Known())
        known.status, known.is_kept, known.location = (
            page.status,
            page.is_kept,
            page.location if page.status < 400 else "",
        )
        self._compare_with_sitemap(page, known)
        if not page.is_kept:
            return ()
        self._unique("title", page, page.title)
        self._unique("description", page, page.description)
        return self._links(page)

    def _compare_with_sitemap(self, page: Page, known: Known) -> None:
        add = self._report.add
        if known.is_in_sitemap and page.status != 200:
            add(page.path, "sitemap-status", "error", f"is in the sitemap and answers {page.status}")
        elif known.is_in_sitemap and page.is_noindex:
            add(page.path, "sitemap-noindex", "error", "is in the sitemap and says noindex")
        elif page.is_kept and not known.is_in_sitemap:
            add(
                page.path,
                "sitemap-misses",
                "error",
                f"may be kept and is not in the sitemap, linked from {known.linked_from}",
            )
        if page.is_kept and page.title == "Error Page":
            add(page.path, "soft-404", "error", "the error page with status 200")

    def _unique(self, kind: str, page: Page, text: str) -> None:
        digest = blake2b(text.encode(), digest_size=8).digest()
        first = self._texts.setdefault((kind, digest), page.path)
        if text and first != page.path:
            self._report.add(page.path, f"{kind}-unique", "error", f"the same {kind} as {first}: {text[:80]!r}")

    def _links(self, page: Page) -> list[str]:
        """Notes who leads where. New addresses come back, but for those that robots.txt keeps us from."""
        fresh = []
        for path in dict.fromkeys(link.path for link in page.links if link.path is not None and link.is_followed):
            known = self.known.get(path)
            if known is None:
                known = self.known[path] = Known(status=0 if self._robots.allows(path) else BLOCKED)
                if known.status == 0:
                    fresh.append(path)
            known.linked_from = known.linked_from or page.path
            known.links += 1
        return fresh

    def finish(self) -> None:
        """Links are judged when everything has answered: once for each target, however many pages lead there."""
        for path, known in self.known.items():
            if known.links:
                self._judge_links(path, known)

    def _judge_links(self, path: str, known: Known) -> None:
        others = f" and {known.links - 1:,} other pages" if known.links > 1 else ""
        place = f"linked from {known.linked_from}{others}"
        if known.status == BLOCKED:
            self._report.add(
                path,
                "link-blocked",
                "error",
                f"robots.txt forbids it, and a link without nofollow leads there: {place}",
            )
        elif 300 <= known.status < 400:
            self._report.add(path, "link-redirect", "error", f"leads on to {known.location}, {place}")
        elif known.status >= 400:
            self._report.add(path, "link-broken", "error", f"answers {known.status}, {place}")
        elif known.status == 200 and not known.is_kept and path.startswith("/shop?"):
            self._report.add(path, "link-noindex", "error", f"a list that may not be kept, without nofollow {place}")
