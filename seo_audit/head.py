"""Rules of a page's <head> and its response headers."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from seo_audit.breaches import Contract, Rule
from seo_audit.page import Page
from seo_audit.widths import MAX_DESCRIPTION_WIDTH, MAX_TITLE_WIDTH, width

# Search engines still show texts that are this much wider.
LEEWAY = 5
MIN_TITLE_LENGTH = 5
MIN_DESCRIPTION_LENGTH = 40
# Path -> the parameters that its canonical address may have, in this order.
CANONICAL_PARAMS: dict[str, tuple[str, ...]] = {"/course-details": ("course",), "/shop": ("category", "page")}
CARD_FIELDS = ("og:title", "og:type", "og:image", "og:url", "og:site_name", "og:description", "og:locale")


def canonical_present(page: Page, _contract: Contract) -> Iterator[str]:
    if len(page.canonicals) != 1:
        yield f"{len(page.canonicals)} canonical links instead of one"


def canonical_absolute(page: Page, contract: Contract) -> Iterator[str]:
    if page.canonical and not page.canonical.startswith(contract.origin + "/"):
        yield f"canonical {page.canonical!r} is not an absolute address below {contract.origin}"


def canonical_self(page: Page, contract: Contract) -> Iterator[str]:
    """An indexable page that the crawl reaches must be its own canonical."""
    if page.canonical.startswith(contract.origin) and page.canonical != contract.origin + page.path:
        yield f"canonical is {page.canonical.removeprefix(contract.origin)}"


def canonical_params(page: Page, _contract: Contract) -> Iterator[str]:
    parts = urlsplit(page.canonical)
    names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    allowed = CANONICAL_PARAMS.get(parts.path, ())
    if names != [name for name in allowed if name in names]:
        expected = ", ".join(allowed) or "none"
        yield f"canonical has the parameters {', '.join(names)}; allowed, in this order: {expected}"
    if ("page", "1") in parse_qsl(parts.query):
        yield "canonical of a first page has its page number"


def canonical_form(page: Page, _contract: Contract) -> Iterator[str]:
    path = urlsplit(page.canonical).path
    if path != path.lower() or "//" in path or (path.endswith("/") and path != "/"):
        yield f"canonical path {path} is not normalised: lower case, no slash at the end"


def title_present(page: Page, _contract: Contract) -> Iterator[str]:
    if len(page.titles) != 1 or not page.title:
        yield f"{len(page.titles)} titles, the first {page.title!r}, instead of one"


def title_length(page: Page, _contract: Contract) -> Iterator[str]:
    if page.title and not MIN_TITLE_LENGTH <= width(page.title) <= MAX_TITLE_WIDTH + LEEWAY:
        yield f"title is {width(page.title)} wide: {page.title!r}"


def description_present(page: Page, _contract: Contract) -> Iterator[str]:
    if len(page.descriptions) != 1 or not page.description.strip():
        yield f"{len(page.descriptions)} descriptions, the first {page.description[:40]!r}, instead of one"


def description_length(page: Page, _contract: Contract) -> Iterator[str]:
    columns = width(page.description)
    if page.description and not MIN_DESCRIPTION_LENGTH <= columns <= MAX_DESCRIPTION_WIDTH + LEEWAY:
        yield f"description is {columns} wide: {page.description[:60]!r}"


def robots_agree(page: Page, _contract: Contract) -> Iterator[str]:
    if not page.robots:
        yield "no robots meta"
    if ("noindex" in page.robots) != ("noindex" in page.robots_header):
        yield f"robots meta says {page.robots!r}, the header {page.robots_header!r}"


def social_card(page: Page, contract: Contract) -> Iterator[str]:
    for name in CARD_FIELDS:
        if not page.meta(name):
            yield f"{name} is missing"
    if page.meta("og:url") and page.meta("og:url") != page.canonical:
        yield f"og:url {page.meta('og:url')} is not the canonical"
    image = page.meta("og:image")
    if image and not image.startswith(("https://", contract.origin + "/")):
        yield f"og:image {image} is not absolute"
    if page.meta("twitter:card") != "summary_large_image":
        yield "twitter:card is not summary_large_image"


def social_picture_size(page: Page, _contract: Contract) -> Iterator[str]:
    size = (page.meta("og:image:width"), page.meta("og:image:height"))
    if page.meta("og:image") and size != ("1200", "630"):
        yield f"og:image is {size[0] or '?'} by {size[1] or '?'}, not 1200 by 630"


def language(page: Page, contract: Contract) -> Iterator[str]:
    languages = page.attributes("html", "lang")
    if not languages or not languages[0]:
        yield "<html> has no lang"
    elif contract.locale and languages[0] != contract.locale:
        yield f"<html> has lang={languages[0]} instead of {contract.locale}"


def no_hreflang(page: Page, _contract: Contract) -> Iterator[str]:
    """hreflang is for shops of several languages."""
    if page.all("link[hreflang]"):
        yield "hreflang in a shop of one language"


RULES = (
    Rule("canonical-present", "error", canonical_present),
    Rule("canonical-absolute", "error", canonical_absolute),
    Rule("canonical-self", "error", canonical_self),
    Rule("canonical-params", "error", canonical_params, for_indexable=False),
    Rule("canonical-form", "error", canonical_form, for_indexable=False),
    Rule("title-present", "error", title_present, for_indexable=False),
    Rule("title-length", "warning", title_length),
    Rule("description-present", "error", description_present, for_indexable=False),
    Rule("description-length", "warning", description_length),
    Rule("robots-agree", "error", robots_agree, for_indexable=False),
    Rule("social-card", "error", social_card),
    Rule("social-picture-size", "warning", social_picture_size),
    Rule("language", "error", language, for_indexable=False),
    Rule("no-hreflang", "error", no_hreflang, for_indexable=False),
)
