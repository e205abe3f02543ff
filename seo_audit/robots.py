"""robots.txt as crawlers read it (RFC 9309), and what ours must say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from host.seo_audit.page import Page

MOST_BYTES = 500 * 1024
# Open to crawlers: what they need to draw a page, and pages whose noindex they must read.
OPEN = ("/", "/shop", "/shop?page=2", "/shop?category=x", "/shop?level=beginner", "/search?q=x", "/static/dist/x.js")
# Closed: calls, and lists without end.
CLOSED = ("/api/x", "/data/shop", "/shop?sort=newest", "/shop?category=x&level=beginner", "/shop?level=a&level=b")


@dataclass
class Robots:
    """The rules for everybody: (allowed, pattern)."""

    rules: list[tuple[bool, str]] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)

    def allows(self, path: str) -> bool:
        """The longest pattern that fits decides; of two as long, the one that allows."""
        fitting = [(len(pattern), allowed) for allowed, pattern in self.rules if _fits(pattern, path)]
        return max(fitting, default=(0, True))[1]


def _fits(pattern: str, path: str) -> bool:
    bare = pattern.removesuffix("$")
    expression = ".*".join(re.escape(part) for part in bare.split("*"))
    return re.match(expression + ("$" if bare != pattern else ""), path) is not None


def read(text: str) -> Robots:
    made = Robots()
    is_ours = in_rules = False
    for line in text.splitlines():
        name, _, value = line.split("#", 1)[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if name == "user-agent":
            is_ours = value == "*" or (is_ours and not in_rules)
            in_rules = False
        elif name in ("allow", "disallow"):
            in_rules = True
            if is_ours and value:
                made.rules.append((name == "allow", value))
        elif name == "sitemap":
            made.sitemaps.append(value)
    return made


def breaches(page: Page, robots: Robots) -> Iterator[str]:
    if page.status != 200:
        yield f"status {page.status}: crawlers stop at anything but 200"
    if not page.headers.get("Content-Type", "").startswith("text/plain"):
        yield f"is {page.headers.get('Content-Type')!r}, not text/plain"
    if page.size > MOST_BYTES:
        yield f"{page.size:,} bytes, more than is read"
    if not any(address.startswith(("http://", "https://")) for address in robots.sitemaps):
        yield "names no sitemap by its absolute address"
    for path in OPEN:
        if not robots.allows(path):
            yield f"closes {path}"
    for path in CLOSED:
        if robots.allows(path):
            yield f"leaves {path} open"
