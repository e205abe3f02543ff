"""Rules about what stands on a page: complete without script, one heading, measured pictures, clean links."""

import re
from collections.abc import Iterator

from host.seo_audit.breaches import Contract, Rule
from host.seo_audit.page import Page

# Googlebot reads this much of a document (SEO contract, 4b).
MOST_BYTES = 2 * 1024 * 1024
LINKS_LEAST = 5
PRICED = ("/course-details", "/shop-details/")


def one_heading(page: Page, _contract: Contract) -> Iterator[str]:
    if len(page.headings) != 1 or not page.headings[0]:
        yield f"{len(page.headings)} h1 instead of one with words"


def complete_without_script(page: Page, _contract: Contract) -> Iterator[str]:
    if not page.all("main"):
        yield "no <main> in the HTML"
    inside = sum(1 for link in page.links if link.path is not None)
    if inside < LINKS_LEAST:
        yield f"only {inside} links to this site in the HTML"
    has_offer = any("offers" in block for block in page.json_ld if isinstance(block, dict))
    if page.route.startswith(PRICED) and has_offer and not page.prices:
        yield "no price in the HTML"


def drawn_by_a_worker(page: Page, _contract: Contract) -> Iterator[str]:
    if page.all('#root[data-drawn="no"]'):
        yield "the plain form: no render worker drew it in time"


def measured_pictures(page: Page, _contract: Contract) -> Iterator[str]:
    """Width and height hold the place of a picture, alt says what it shows."""
    for node in page.all("img"):
        about = node.attributes
        lacking = [name for name in ("width", "height") if not re.fullmatch(r"[1-9]\d*", about.get(name) or "")]
        if "alt" not in about:
            lacking.append("alt")
        if lacking:
            yield f"picture {about.get('src') or '?'} has no {', '.join(lacking)}"


def link_form(page: Page, _contract: Contract) -> Iterator[str]:
    for path in dict.fromkeys(link.path for link in page.links if link.path is not None):
        bare = path.partition("?")[0]
        # A slug may hold escaped letters, and escapes are written in capitals.
        letters = re.sub(r"%[0-9A-F]{2}", "", bare)
        if letters != letters.lower() or "//" in bare or (bare.endswith("/") and bare != "/"):
            yield f"links to {path}, not of the exact form: lower case, no slash at the end"


def no_tracking_links(page: Page, _contract: Contract) -> Iterator[str]:
    for path in dict.fromkeys(link.path for link in page.links if link.path is not None):
        if re.search(r"[?&](?:utm_[a-z]+|gclid|fbclid|coupon|n|c|k|session_id)=", path):
            yield f"links to {path}: such parameters never belong in links of our own"


def size(page: Page, _contract: Contract) -> Iterator[str]:
    if page.size > MOST_BYTES:
        yield f"{page.size:,} bytes of HTML, more than search engines read"


RULES = (
    Rule("one-heading", "error", one_heading, of_kept=False),
    Rule("complete", "error", complete_without_script),
    Rule("drawn", "warning", drawn_by_a_worker, of_kept=False),
    Rule("pictures", "error", measured_pictures, of_kept=False),
    Rule("link-form", "error", link_form, of_kept=False),
    Rule("link-tracking", "error", no_tracking_links, of_kept=False),
    Rule("size", "error", size, of_kept=False),
)
