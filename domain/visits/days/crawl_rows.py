"""Crawlers' fetches among the raw visits of a day."""

from urllib.parse import parse_qsl, urlencode

from domain.crawlers.fetches import UNKNOWN_CRAWLER, CrawlFetch, kind_of_page, machine_kind, read_attributes
from domain.visits.days.paths import place_of
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.visit_context import CRAWLER

_MAX_FIELDS = 50


def is_crawl(row: DayRow) -> bool:
    return row.context.visitor_class == CRAWLER


def is_page(row: DayRow) -> bool:
    """Whether a fetch is one of a page: not of a file for programs, and not many that were counted together."""
    return bool(row.url) and machine_kind(row.url.partition("?")[0]) is None


def crawl_of(row: DayRow) -> CrawlFetch:
    answer = read_attributes(row.context.attributes)
    sent = (row.event_id, row.at, row.context.ip_hash, row.context.agent or UNKNOWN_CRAWLER)
    if not row.url:
        return CrawlFetch(*sent, "", "", answer.page_kind or "other", answer)
    path, _, query = row.url.partition("?")
    if machine := machine_kind(path):
        return CrawlFetch(*sent, path, "", machine, answer)
    place = place_of(row.url)
    kind = "other" if place.area else kind_of_page(place.page)
    if kind == "product":
        return CrawlFetch(*sent, place.path, place.path, kind, answer)
    rest = _without_campaign(query)
    is_own = not rest and kind != "other"
    address = f"{place.path}?{rest}" if rest else place.path
    return CrawlFetch(*sent, address, place.path if is_own else "", kind, answer)


def _without_campaign(query: str) -> str:
    """The parameters that make another page of a page."""
    if not query:
        return ""
    if query.count("&") >= _MAX_FIELDS:
        return query
    pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    return urlencode([(name, value) for name, value in pairs if not name.startswith("utm_")])
