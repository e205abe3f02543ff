"""Rules of a page's body: complete without script, one heading, pictures with sizes, links in canonical form."""

import re
from collections.abc import Iterator

from seo_audit.breaches import Contract, Rule
from seo_audit.page import Page

# Googlebot reads no more of a document (SEO contract, 4b).
MAX_BYTES = 2 * 1024 * 1024
MIN_LINKS = 5
PRICED = ("/course-details", "/shop-details/")


def one_heading(page: Page, _contract: Contract) -> Iterator[str]:
    if len(page.headings) != 1 or not page.headings[0]:
        yield f"{len(page.headings)} h1 instead of one with words"


def complete_without_script(page: Page, _contract: Contract) -> Iterator[str]:
    if not page.all("main"):
        yield "no <main> in the HTML"
    local_links = sum(1 for link in page.links if link.path is not None)
    if local_links < MIN_LINKS:
        yield f"only {local_links} links to this site in the HTML"
    has_offer = any("offers" in block for block in page.json_ld if isinstance(block, dict))
    if page.route.startswith(PRICED) and has_offer and not page.prices:
        yield "no price in the HTML"


def rendered_by_a_worker(page: Page, _contract: Contract) -> Iterator[str]:
    if page.all('#root[data-rendered="no"]'):
        yield "the fallback page: no render worker rendered it in time"


def measured_pictures(page: Page, _contract: Contract) -> Iterator[str]:
    """Width and height prevent layout shifts, alt describes the picture."""
    for node in page.all("img"):
        attributes = node.attributes
        missing = [name for name in ("width", "height") if not re.fullmatch(r"[1-9]\d*", attributes.get(name) or "")]
        if "alt" not in attributes:
            missing.append("alt")
        if missing:
            yield f"picture {attributes.get('src') or '?'} has no {', '.join(missing)}"


def link_form(page: Page, _contract: Contract) -> Iterator[str]:
    for path in dict.fromkeys(link.path for link in page.links if link.path is not None):
        route = path.partition("?")[0]
        # Percent-encoded bytes of a slug are written in capitals.
        letters = re.sub(r"%[0-9A-F]{2}", "", route)
        if letters != letters.lower() or "//" in route or (route.endswith("/") and route != "/"):
            yield f"links to {path}, which is not normalised: lower case, no slash at the end"


def no_tracking_links(page: Page, _contract: Contract) -> Iterator[str]:
    for path in dict.fromkeys(link.path for link in page.links if link.path is not None):
        if re.search(r"[?&](?:utm_[a-z]+|gclid|fbclid|coupon|n|c|k|session_id)=", path):
            yield f"links to {path}: links within the site must not have such parameters"


def size(page: Page, _contract: Contract) -> Iterator[str]:
    if page.size > MAX_BYTES:
        yield f"{page.size:,} bytes of HTML, more than search engines read"


RULES = (
    Rule("one-heading", "error", one_heading, for_indexable=False),
    Rule("complete", "error", complete_without_script),
    Rule("rendered", "warning", rendered_by_a_worker, for_indexable=False),
    Rule("pictures", "error", measured_pictures, for_indexable=False),
    Rule("link-form", "error", link_form, for_indexable=False),
    Rule("link-tracking", "error", no_tracking_links, for_indexable=False),
    Rule("size", "error", size, for_indexable=False),
)
