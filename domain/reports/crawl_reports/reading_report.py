"""The report "crawl-readings": what each search engine was last served of a page, beside what is true now."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain import money
from domain.display_text import count_text, price_text
from domain.locales import shop_locale
from domain.reports.crawl_reports import page_report, readers
from domain.reports.crawl_reports.page_report import has_other_price
from domain.reports.crawl_reports.pages_now import PageNow, SeenChange, changes_since, pages_now
from domain.reports.crawl_reports.readers import Reading
from domain.reports.visit_reports.answers import (
    LeftOut,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import ReportChoice, ReportDescription
from domain.reports.visit_reports.figures import Figure
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span, built_state
from domain.text_direction import isolated
from domain.visits.raw.local_days import DayRules

_DAY = timedelta(days=1)
FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("readings", "Readings", "count", lambda sums: sums["readings"]),
        Figure("oldPrices", "With an old price", "count", lambda sums: sums["oldPrices"]),
        Figure("oldTitles", "With an old title", "count", lambda sums: sums["oldTitles"]),
        Figure("otherwise", "Changed otherwise", "count", lambda sums: sums["otherwise"]),
        Figure("oldDays", "Read as the old one for days", "count", lambda _sums: None, "Old for days"),
    )
}
# By what a reading differs in from the page: the figure that counts it, and its words.
_SAYS = {
    "oldPrices": "price changed, still read as the old one",
    "oldTitles": "title changed, still read as the old one",
    "otherwise": "changed, not read again",
}
CRAWL_READINGS = ReportDescription(
    "crawl-readings",
    "What search engines read",
    "What each crawler was last served of a page, beside what the page says now.",
    {"reading": "Page"},
    columns=("oldDays",),
    shown=("readings", "oldPrices", "oldTitles", "otherwise"),
    charted=("readings",),
    figures=FIGURES,
    definitions=Path(__file__).parent / "definitions.json",
    words={
        "crawler": "Crawler",
        "says": "State",
        "served": "Was served",
        "now": "Now",
        "at": "Read (UTC)",
        "markup": "Markup",
    },
    choices=(
        ReportChoice("state", "Show", {"changed": "Changed since", "all": "All readings"}),
        page_report.READERS,
    ),
    has_period=False,
    has_audience=False,
    has_comparison=False,
    is_drilled=False,
    first_sort="-oldDays",
    group="Crawlers",
)


class ReadingFinding(NamedTuple):
    """What a crawler last read of a page. `differs`: by what, a key of _SAYS, "" for nothing; `since`: since when."""

    page: PageNow
    reading: Reading
    differs: str
    since: datetime | None

    @property
    def key(self) -> str:
        return f"{self.page.path} {self.reading.crawler}"

    def old_days(self, at: datetime) -> int | None:
        return None if self.since is None else (at - self.since) // _DAY


def _has_other_title(page: PageNow, reading: Reading) -> bool:
    """What was not noted is no other title."""
    title = page.title
    return title is not None and reading.title not in ("", title)


def find(session: Session, kind: str, currency: str, at: datetime) -> list[ReadingFinding]:
    """What crawlers of a kind know of pages that there are."""
    pages = {page.path: page for page in pages_now(session, at)}
    found = [reading for reading in readers.readings(session, kind) if reading.path in pages]
    oldest: dict[str, datetime] = {}
    for reading in found:
        oldest[reading.path] = min(reading.last_ok_at, oldest.get(reading.path, reading.last_ok_at))
    changes = changes_since(
        session, {path: time for path, time in oldest.items() if _has_changed(pages[path], time)}, at
    )
    return [_finding(pages[reading.path], reading, changes.get(reading.path, ()), currency) for reading in found]


def _has_changed(page: PageNow, since: datetime) -> bool:
    return page.changed_at is not None and page.changed_at > since


def _finding(page: PageNow, reading: Reading, changes: Sequence[SeenChange], currency: str) -> ReadingFinding:
    later = [change for change in changes if change.at > reading.last_ok_at] if changes else []
    if has_other_price(page, reading, currency):
        first = next((change for change in later if change.kind == "price"), later[0] if later else None)
        return ReadingFinding(page, reading, "oldPrices", first.at if first else reading.last_ok_at)
    if _has_other_title(page, reading):
        return ReadingFinding(page, reading, "oldTitles", later[0].at if later else reading.last_ok_at)
    if later:
        return ReadingFinding(page, reading, "otherwise", later[0].at)
    return ReadingFinding(page, reading, "", None)


def answer_readings(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    found = find(session, query.choices["readers"], money.shop_currency().code, at)
    differing = Counter(finding.differs for finding in found)
    counts = {"readings": len(found)} | {name: differing[name] for name in _SAYS}
    unchanged = len(found) - sum(counts[name] for name in _SAYS)
    wanted = [finding for finding in found if finding.differs or query.choices["state"] == "all"]
    rows = [_row(finding, at) for finding in wanted]
    on_page, count, has_more = page_of_rows(sorted_rows(rows, query.sort), query, limit)
    by_key = {finding.key: finding for finding in wanted}
    state = built_state(session, Span(query.since, query.until))
    bars = {"Up to date": unchanged} | {FIGURES[name].label: counts[name] for name in _SAYS}
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        state.first_day,
        False,
        dict(counts),
        None,
        None,
        LeftOut(0, 0, 0),
        ReportSeries("name", list(bars), [{"readings": number} for number in bars.values()], [], None, "state"),
        [_with_words(row, by_key[row.key], at) for row in on_page],
        count,
        has_more,
        page_report.notes(readers.labels(session, query.choices["readers"])),
        empty=_empty(found, rows),
    )


def _empty(found: Sequence[ReadingFinding], rows: Sequence[ReportRow]) -> str:
    if rows:
        return ""
    if found:
        return "Every page is known as it is now, by each crawler that has read it."
    return page_report.NOTHING_READ


def _row(finding: ReadingFinding, at: datetime) -> ReportRow:
    days = finding.old_days(at)
    return ReportRow(finding.key, finding.page.name, {"oldDays": days}, None, href=finding.page.path)


def _with_words(row: ReportRow, finding: ReadingFinding, at: datetime) -> ReportRow:
    """Written for the rows that are shown alone."""
    page, reading, days = finding.page, finding.reading, finding.old_days(at)
    code, has_other_title = money.shop_currency().code, _has_other_title(page, reading)
    says = "As it is now" if days is None else f"{_SAYS[finding.differs].capitalize()} {_for(days)}"
    return replace(
        row,
        words={
            "crawler": reading.label,
            "says": says,
            "served": _page_text(reading.title if has_other_title else "", reading.price_minor, reading.currency),
            "now": _page_text(page.title or "" if has_other_title else "", page.price_minor, code),
            "at": readers.second_text(reading.last_ok_at),
            "markup": reading.digest[:8],
        },
    )


def _for(days: int) -> str:
    if days == 0:
        return "for less than a day"
    return "for 1 day" if days == 1 else f"for {count_text(days)} days"


def _page_text(title: str, price_minor: int | None, code: str) -> str:
    """Title and price, as far as they are known and differ."""
    parts = [isolated(title)] if title else []
    if price_minor is not None:
        parts.append(_price(price_minor, code))
    return " · ".join(parts) or "Not noted"


def _price(minor: int, code: str) -> str:
    """What waited in Redis may name a currency that nobody knows."""
    try:
        return price_text(minor, money.currency(code), shop_locale())
    except (LookupError, ValueError):
        return f"{minor} {code}".strip()
