"""The report "crawl-pages": of each page when it was published, first and last read, and whether crawlers know it as
it is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from sqlalchemy.orm import Session

from domain import money
from domain.reports.crawl_reports import readers
from domain.reports.crawl_reports.pages_now import PageNow, SeenChange, changes_since, pages_now
from domain.reports.crawl_reports.readers import ReadPrice
from domain.reports.visit_reports.answers import (
    LeftOut,
    ReportAnswer,
    ReportMark,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import ReportChoice, ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureSums, FigureValue
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span, built_state
from domain.visits.raw.local_days import DayRules

# Search engines are given so long to find a new page.
SEARCH_TIME = timedelta(days=7)
NOTHING_READ = "No crawler of this kind has read a page yet. Readings appear a minute after the first one."
STRIP_NOTE = "In a line up to now: | published or moved, ● first and last read, ▲ last changed."
_DAY = timedelta(days=1)
PageState = Literal["never", "price", "stale", "new", "known"]
STATES: Mapping[str, str] = {
    "never": "Never read",
    "price": "Old price",
    "stale": "Changed since",
    "new": "New, not read yet",
    "known": "Up to date",
}
READERS = ReportChoice(
    "readers",
    "Crawlers",
    {"search": "Search", "assistant": "Assistants", readers.ALL: "All crawlers"},
)


def _count(state: str) -> Figure:
    def compute(sums: FigureSums) -> FigureValue:
        return sums[state]

    return Figure(state, STATES[state], "count", compute)


FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("pages", "Pages", "count", lambda sums: sums["pages"]),
        *(_count(state) for state in STATES),
        Figure("firstRead", "Read after", "duration", lambda _sums: None, "First read after"),
        Figure("unreadDays", "Days since the change", "count", lambda _sums: None, "Unread for days"),
    )
}
CRAWL_PAGES = ReportDescription(
    "crawl-pages",
    "Pages and crawlers",
    "Which pages search engines have found, and which they still know as they were, as of now.",
    {"page": "Page"},
    columns=("firstRead", "unreadDays"),
    shown=("pages", *STATES),
    charted=("pages",),
    figures=FIGURES,
    definitions=Path(__file__).parent / "definitions.json",
    strip="Up to now",
    words={"state": "State", "published": "Published (UTC)", "first": "First read (UTC)", "last": "Last read (UTC)"},
    choices=(ReportChoice("state", "Show", {"all": "All pages", **STATES}), READERS),
    has_period=False,
    has_audience=False,
    has_comparison=False,
    is_drilled=False,
    first_sort="-unreadDays",
    group="Crawlers",
)


class PageFinding(NamedTuple):
    """What crawlers know of a page. `delay`: from its publication to the first reading, None where either was before
    fetches were recorded. `unread_since`: since when it has been another one than they know, or published without being
    read; None while they know it as it is."""

    page: PageNow
    state: PageState
    first_read_at: datetime | None
    last_read_at: datetime | None
    delay: timedelta | None
    unread_since: datetime | None


class _Times(NamedTuple):
    """`recorded_since`: what was published before may have been read before."""

    currency: str
    recorded_since: datetime
    at: datetime


def has_other_price(page: PageNow, reading: ReadPrice, currency: str) -> bool:
    """Whether a crawler last read another price than the page has now. What was not noted is no other price."""
    if reading.price_minor is None or page.price_minor is None:
        return False
    return (reading.price_minor, reading.currency) != (page.price_minor, currency)


def find(session: Session, kind: str, currency: str, at: datetime) -> list[PageFinding]:
    """Every page. `kind`: of the crawlers."""
    by_path = readers.prices_by_path(session, kind)
    pages = pages_now(session, at)
    last_read = {path: max(map(_last_ok_at, found)) for path, found in by_path.items()}
    changed = {
        page.path: last_read[page.path]
        for page in pages
        if page.path in last_read and page.changed_at is not None and page.changed_at > last_read[page.path]
    }
    unread, about = changes_since(session, changed, at), _Times(currency, readers.recorded_since(session) or at, at)
    return [_finding(page, by_path.get(page.path, ()), unread.get(page.path, ()), about) for page in pages]


_last_ok_at = attrgetter("last_ok_at")


def _finding(
    page: PageNow,
    found: Sequence[ReadPrice],
    changes: Sequence[SeenChange],
    about: _Times,
) -> PageFinding:
    published = page.published_at
    first, last = None, None
    for reading in found:
        if published is not None and reading.last_ok_at < published:
            continue
        is_first_known = published is None or reading.first_ok_at >= published
        began = reading.first_ok_at if is_first_known else reading.last_ok_at
        first = began if first is None or began < first else first
        last = reading if last is None or reading.last_ok_at > last.last_ok_at else last
    if first is None or last is None:
        since = about.recorded_since if published is None else max(published, about.recorded_since)
        is_new = about.at - since < SEARCH_TIME
        return PageFinding(page, "new" if is_new else "never", None, None, None, since)
    state: PageState = "stale" if changes else "known"
    if has_other_price(page, last, about.currency):
        state = "price"
    unread_since = changes[0].at if changes else (last.last_ok_at if state == "price" else None)
    is_delay_known = published is not None and published >= about.recorded_since
    delay = first - published if published is not None and is_delay_known else None
    return PageFinding(page, state, first, last.last_ok_at, delay, unread_since)


def answer_pages(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    currency = money.shop_currency().code
    found = find(session, query.choices["readers"], currency, at)
    counts = Counter[str](finding.state for finding in found)
    state = built_state(session, Span(query.since, query.until))
    wanted, labels = query.choices["state"], readers.labels(session, query.choices["readers"])
    rows = [_row(finding, at) for finding in found if wanted in ("all", finding.state)]
    on_page, count, has_more = page_of_rows(sorted_rows(rows, query.sort), query, limit)
    by_path = {finding.page.path: finding for finding in found}
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        state.first_day,
        False,
        {"pages": len(found), **{name: counts[name] for name in STATES}},
        None,
        None,
        LeftOut(0, 0, 0),
        ReportSeries("name", list(STATES.values()), [{"pages": counts[name]} for name in STATES], [], None, "state"),
        [_with_words(row, by_path[row.key], at) for row in on_page],
        count,
        has_more,
        [STRIP_NOTE, *notes(labels)] if labels else [],
        empty=_empty(rows, wanted) if labels else NOTHING_READ,
    )


def notes(labels: Sequence[str]) -> list[str]:
    """`labels`: of the crawlers whose readings are looked at."""
    if not labels:
        return []
    return [f"Readings of {', '.join(labels)}.", *readers.notes_of(labels)]


def _empty(rows: Sequence[ReportRow], wanted: str) -> str:
    if rows:
        return ""
    return "No page is published." if wanted == "all" else f"No page is in the state “{STATES[wanted]}”."


def _marks(finding: PageFinding, at: datetime) -> tuple[ReportMark, ...]:
    """The last one is now."""
    published, changed = finding.page.published_at, finding.page.changed_at
    marks = [] if published is None else [ReportMark(published, "published")]
    marks += [ReportMark(time, "read") for time in (finding.first_read_at, finding.last_read_at) if time is not None]
    if changed is not None and changed != published:
        marks.append(ReportMark(changed, "changed"))
    return (*sorted(marks), ReportMark(at, "read"))


def _row(finding: PageFinding, at: datetime) -> ReportRow:
    page, since = finding.page, finding.unread_since
    delay = None if finding.delay is None else readers.whole_seconds(finding.delay)
    days = None if since is None else (at - since) // _DAY
    return ReportRow(page.path, page.name, {"firstRead": delay, "unreadDays": days}, None, href=page.path)


def _with_words(row: ReportRow, finding: PageFinding, at: datetime) -> ReportRow:
    """Written for the rows that are shown alone."""
    return replace(
        row,
        words={
            "state": STATES[finding.state],
            "published": readers.second_text(finding.page.published_at),
            "first": readers.second_text(finding.first_read_at),
            "last": readers.second_text(finding.last_read_at),
        },
        marks=_marks(finding, at),
    )
