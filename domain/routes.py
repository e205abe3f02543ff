"""Matching a path to a page of contracts/routes.json, its normalised form, and the canonical query of a page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from domain.route_rows import AreaPage, Page, SiteArea, area_pages, areas, by_id, own_pages, public_pages, table

__all__ = [
    "AreaPage",
    "Page",
    "RouteMatch",
    "SiteArea",
    "area_pages",
    "areas",
    "by_id",
    "canonical_query",
    "match_route",
    "normalised_path",
    "own_pages",
    "public_pages",
    "table",
]

# Characters of a query value and values of one parameter that count; the links of this site stay far below both.
MAX_VALUE_LENGTH = 200
MAX_VALUES = 20


@dataclass(frozen=True)
class RouteMatch:
    """A page and the values of its {placeholders}."""

    page: Page
    values: Mapping[str, str]


@lru_cache(1)
def _literal() -> dict[str, Page]:
    return {page.path: page for page in _pages() if "{" not in page.path}


@lru_cache(1)
def _patterns() -> tuple[Page, ...]:
    return tuple(page for page in _pages() if "{" in page.path)


def _pages() -> tuple[Page, ...]:
    return (*public_pages(), *area_pages())


def match_route(path: str) -> RouteMatch | None:
    """The page behind an exact path (decoded), public or of an area, or None."""
    page = _literal().get(path)
    if page is not None:
        return RouteMatch(page, {})
    parts = path.split("/")[1:]
    for candidate in _patterns():
        values = _values(candidate, parts)
        if values is not None:
            return RouteMatch(candidate, values)
    return None


def _values(page: Page, parts: list[str]) -> dict[str, str] | None:
    if len(parts) != len(page.segments):
        return None
    values: dict[str, str] = {}
    for pattern, part in zip(page.segments, parts, strict=True):
        if pattern.startswith("{"):
            if not part:
                return None
            values[pattern[1:-1]] = part
        elif pattern != part:
            return None
    return values


def canonical_query(page: Page, query: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The pairs of a query that the page depends on; its loader and its cache key both use them.

    In the order of `page.query`. The first value of a single-valued parameter counts; those of a repeatable one are
    sorted without duplicates. Unknown parameters are dropped and long values cut.
    """
    values: dict[str, dict[str, None]] = {name: {} for name in page.query}
    for name, value in query:
        chosen = values.get(name)
        if chosen is not None and len(chosen) < (MAX_VALUES if name in page.repeatable else 1):
            chosen[value[:MAX_VALUE_LENGTH]] = None
    return tuple((name, value) for name in page.query for value in sorted(values[name]))


def normalised_path(path: str) -> str | None:
    """The path to redirect to: no trailing slash, no double slashes, literal segments in lower case.

    None when the path is in this form already or matches no page. Values of placeholders stay as they are.
    """
    if match_route(path) is not None:
        return None
    parts = [part for part in path.split("/") if part]
    lowered = "/" + "/".join(parts).lower()
    if lowered in _literal():
        return lowered
    for page in _patterns():
        if len(parts) != len(page.segments):
            continue
        pairs = list(zip(page.segments, parts, strict=True))
        if all(pattern.startswith("{") or pattern == part.lower() for pattern, part in pairs):
            return "/" + "/".join(
                quote(part, safe="") if pattern.startswith("{") else pattern for pattern, part in pairs
            )
    return None
