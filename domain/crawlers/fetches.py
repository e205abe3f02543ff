"""What the host notes of a declared crawler's fetch, in the column `attributes` of its visit, and how it is read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

PageKind = Literal["product", "list", "page", "robots", "sitemap", "feed", "other"]
# Answers by which a crawler has the page as it is: the whole page, or that it has not changed.
READ = frozenset({200, 304})
# The status of visits from before it was noted.
NOT_NOTED = 0
UNKNOWN_CRAWLER = "(unknown)"
TITLE_LENGTH = 200
DIGEST_LENGTH = 16
MACHINE_FILES: Mapping[str, PageKind] = {
    "/robots.txt": "robots",
    "/sitemap.xml": "sitemap",
    "/products.jsonl": "feed",
    "/products.csv": "feed",
    "/llms.txt": "feed",
}
SITEMAPS = "/sitemaps/"
# Kinds of pages that people open; the others are files for programs.
PAGE_KINDS = frozenset({"product", "list", "page", "other"})
_LISTS = frozenset({"home", "shop", "search"})
_PRODUCTS = frozenset({"course-details", "shop-details"})
_MOST = 2**40


def machine_kind(path: str) -> PageKind | None:
    """The kind of a file for programs; None for pages."""
    return "sitemap" if path.startswith(SITEMAPS) else MACHINE_FILES.get(path)


def kind_of_page(page: str) -> PageKind:
    """`page`: its id in routes.json, or a text that is none."""
    if page in _PRODUCTS:
        return "product"
    if page in _LISTS:
        return "list"
    return "other" if not page or page.startswith("(") else "page"


@dataclass(frozen=True)
class ServedPage:
    """What a search engine learns from a page: its title, its price, and the digest of its head with the structured
    data. `price_minor` None: it names none."""

    title: str
    price_minor: int | None = None
    currency: str = ""
    digest: str = ""
    is_indexable: bool = True


@dataclass(frozen=True)
class AnsweredFetch:
    """`count`: how many fetches, of which `bytes` and `ms` are the sums; more than one without a page of its own."""

    status: int
    bytes: int
    ms: int
    count: int = 1
    page_kind: str = ""
    served: ServedPage | None = None

    def as_text(self) -> str:
        """The attributes as they are stored: without what is empty."""
        values: dict[str, Any] = {"status": self.status, "bytes": self.bytes, "ms": self.ms}
        if self.count > 1:
            values |= {"count": self.count}
        if self.page_kind:
            values |= {"kind": self.page_kind}
        if self.served is not None:
            served = self.served
            values |= {"title": served.title[:TITLE_LENGTH], "digest": served.digest}
            if served.price_minor is not None:
                values |= {"price": served.price_minor, "currency": served.currency}
            if not served.is_indexable:
                values |= {"noindex": 1}
        return json.dumps(values, ensure_ascii=False)


class CrawlFetch(NamedTuple):
    """A stored fetch, or many that were counted together. `at`: microseconds since 1970; `ip_hash`: of the sender's
    address. `address`: with the query that
    makes another list of a list; `path`: of the page that this is, "" of what is none: files, other lists, many."""

    event_id: str
    at: int
    ip_hash: str
    crawler: str
    address: str
    path: str
    page_kind: str
    answer: AnsweredFetch


# Older rows have nothing; what waits in Redis may be written by anybody.
_NOTHING = AnsweredFetch(NOT_NOTED, 0, 0)


def read_attributes(text: str | None) -> AnsweredFetch:
    """What does not fit its column is taken for nothing."""
    return _NOTHING if not text else _read(text)


@lru_cache(1_000)
def _read(text: str) -> AnsweredFetch:
    try:
        values = json.loads(text)
    except ValueError:
        return _NOTHING
    if not isinstance(values, dict):
        return _NOTHING
    served = None
    if "digest" in values:
        price = values.get("price")
        has_price = type(price) is int and 0 <= price < _MOST
        served = ServedPage(
            _text(values, "title", TITLE_LENGTH),
            price if has_price else None,
            _ascii(values, "currency", 3) if has_price else "",
            _ascii(values, "digest", DIGEST_LENGTH),
            is_indexable=not values.get("noindex"),
        )
    status = _number(values, "status")
    return AnsweredFetch(
        status if status < 1_000 else NOT_NOTED,
        _number(values, "bytes"),
        _number(values, "ms"),
        max(1, _number(values, "count")),
        _ascii(values, "kind", 10),
        served,
    )


def _number(values: dict[str, Any], name: str) -> int:
    value = values.get(name)
    return value if type(value) is int and 0 <= value < _MOST else 0


def _text(values: dict[str, Any], name: str, length: int) -> str:
    value = values.get(name)
    return value[:length].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _ascii(values: dict[str, Any], name: str, length: int) -> str:
    text = _text(values, name, length)
    return text if text.isascii() else ""
