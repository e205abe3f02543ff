"""Rules that compare pages: repeated texts, broken links, and differences between sitemap and pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from seo_audit.breaches import Report
from seo_audit.page import Page
from seo_audit.robots import Robots

BLOCKED = -1


@dataclass(slots=True)
class KnownPage:
    """One address: its status (0: not fetched, BLOCKED: robots.txt forbids it), and the pages that link to it."""

    status: int = 0
    is_indexable: bool = False
    is_in_sitemap: bool = False
    location: str = ""
    linked_from: str = ""
    links: int = 0


class WholeSite:
    def __init__(self, report: Report, robots: Robots):
        self._report, self._robots = report, robots
        self.known: dict[str, KnownPage] = {}
        # Digest of a text -> first page that has it.
        self._texts: dict[tuple[str, bytes], str] = {}

    def add_sitemap_entry(self, path: str) -> bool:
        """Record an address of a sitemap; True when it is new."""
        known = self.known.setdefault(path, KnownPage())
        if known.is_in_sitemap:
            self._report.add(path, "sitemap-repeats", "error", "is in the sitemaps twice")
            return False
        known.is_in_sitemap = True
        if not self._robots.allows(path):
            self._report.add(path, "sitemap-blocked", "error", "is in the sitemap, and robots.txt forbids it")
        return True

    def add_page(self, page: Page) -> Iterable[str]:
        """Record a fetched page; returns the addresses that it links to and that are new."""
        known = self.known.setdefault(page.path, KnownPage())
        known.status, known.is_indexable = page.status, page.is_indexable
        known.location = page.location if page.status < 400 else ""
        self._compare_with_sitemap(page, known)
        if not page.is_indexable:
            return ()
        self._unique("title", page, page.title)
        self._unique("description", page, page.description)
        return self._links(page)

    def _compare_with_sitemap(self, page: Page, known: KnownPage) -> None:
        add = self._report.add
        if known.is_in_sitemap and page.status != 200:
            add(page.path, "sitemap-status", "error", f"is in the sitemap and answers {page.status}")
        elif known.is_in_sitemap and page.is_noindex:
            add(page.path, "sitemap-noindex", "error", "is in the sitemap and has noindex")
        elif page.is_indexable and not known.is_in_sitemap:
            add(
                page.path,
                "sitemap-misses",
                "error",
                f"is indexable and not in the sitemap, linked from {known.linked_from}",
            )
        if page.is_indexable and page.title == "Error Page":
            add(page.path, "soft-404", "error", "the error page with status 200")

    def _unique(self, kind: str, page: Page, text: str) -> None:
        digest = blake2b(text.encode(), digest_size=8).digest()
        first = self._texts.setdefault((kind, digest), page.path)
        if text and first != page.path:
            self._report.add(page.path, f"{kind}-unique", "error", f"the same {kind} as {first}: {text[:80]!r}")

    def _links(self, page: Page) -> list[str]:
        """Record the page's links; returns the new addresses that robots.txt allows."""
        new_paths = []
        for path in dict.fromkeys(link.path for link in page.links if link.path is not None and link.is_followed):
            known = self.known.get(path)
            if known is None:
                known = self.known[path] = KnownPage(status=0 if self._robots.allows(path) else BLOCKED)
                if known.status == 0:
                    new_paths.append(path)
            known.linked_from = known.linked_from or page.path
            known.links += 1
        return new_paths

    def finish(self) -> None:
        """After all fetches, report broken links, once for each target."""
        for path, known in self.known.items():
            if known.links:
                self._check_links(path, known)

    def _check_links(self, path: str, known: KnownPage) -> None:
        others = f" and {known.links - 1:,} other pages" if known.links > 1 else ""
        place = f"linked from {known.linked_from}{others}"
        if known.status == BLOCKED:
            self._report.add(
                path,
                "link-blocked",
                "error",
                f"robots.txt forbids it, but it is linked without nofollow: {place}",
            )
        elif 300 <= known.status < 400:
            self._report.add(path, "link-redirect", "error", f"redirects to {known.location}, {place}")
        elif known.status >= 400:
            self._report.add(path, "link-broken", "error", f"answers {known.status}, {place}")
        elif known.status == 200 and not known.is_indexable and path.startswith("/shop?"):
            self._report.add(path, "link-noindex", "error", f"a list that is not indexable, without nofollow {place}")
