"""Parses robots.txt as crawlers do (RFC 9309), and checks what ours must contain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from seo_audit.page import Page

MAX_BYTES = 500 * 1024
# Must be open to crawlers: what they need to render pages, and pages whose noindex they must read.
OPEN = ("/", "/shop", "/shop?page=2", "/shop?category=x", "/shop?level=beginner", "/search?q=x", "/static/dist/x.js")
# Must be closed: calls, and lists in unlimited combinations.
CLOSED = ("/api/x", "/data/shop", "/shop?sort=newest", "/shop?category=x&level=beginner", "/shop?level=a&level=b")


@dataclass
class Robots:
    """The rules of `User-agent: *` as (is allowed, pattern)."""

    rules: list[tuple[bool, str]] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)

    def allows(self, path: str) -> bool:
        """The longest matching pattern decides; of two equally long ones the one that allows."""
        matching = [(len(pattern), allowed) for allowed, pattern in self.rules if _matches(pattern, path)]
        return max(matching, default=(0, True))[1]


def _matches(pattern: str, path: str) -> bool:
    prefix = pattern.removesuffix("$")
    expression = ".*".join(re.escape(part) for part in prefix.split("*"))
    return re.match(expression + ("$" if prefix != pattern else ""), path) is not None


def parse(text: str) -> Robots:
    robots = Robots()
    is_for_all = in_rules = False
    for line in text.splitlines():
        name, _, value = line.split("#", 1)[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if name == "user-agent":
            is_for_all = value == "*" or (is_for_all and not in_rules)
            in_rules = False
        elif name in ("allow", "disallow"):
            in_rules = True
            if is_for_all and value:
                robots.rules.append((name == "allow", value))
        elif name == "sitemap":
            robots.sitemaps.append(value)
    return robots


def breaches(page: Page, robots: Robots) -> Iterator[str]:
    if page.status != 200:
        yield f"status {page.status}: crawlers stop at anything but 200"
    if not page.headers.get("Content-Type", "").startswith("text/plain"):
        yield f"is {page.headers.get('Content-Type')!r}, not text/plain"
    if page.size > MAX_BYTES:
        yield f"{page.size:,} bytes, more than crawlers read"
    if not any(address.startswith(("http://", "https://")) for address in robots.sitemaps):
        yield "has no absolute sitemap address"
    for path in OPEN:
        if not robots.allows(path):
            yield f"closes {path}"
    for path in CLOSED:
        if robots.allows(path):
            yield f"leaves {path} open"
