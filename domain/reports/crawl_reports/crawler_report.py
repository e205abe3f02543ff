"""The report "crawlers": fetches by crawler, status and kind of page, and how soon they read what has changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.crawlers.fetches import NOT_NOTED
from domain.crawlers.verification import CrawlerVerification
from domain.display_text import count_text, day_text
from domain.reports.crawl_reports import readers
from domain.reports.crawl_reports.pages_now import pages_now
from domain.reports.visit_reports.answers import (
    LeftOut,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import DAY, ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureSums, FigureValue, figures_of, mean, percent, sum_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span, built_state
from domain.tables import ChangeFetch, CrawlDay, PageChange
from domain.typed_values import read_day
from domain.visits.raw.local_days import DayRules

_FETCHED = ("fetches", "fetchesPerDay", "megabytes", "meanMs", "wasted", "wastedShare")
_READ = ("p50", "p90", "notYet")


def _per_day(sums: FigureSums) -> FigureValue:
    return None if not sums["days"] else round(sums["fetches"] / sums["days"], 1)


FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("fetches", "Fetches", "count", sum_of("fetches")),
        Figure("fetchesPerDay", "Fetches a day", "number", _per_day, "A day"),
        Figure("megabytes", "Sent (MB)", "number", lambda sums: round(sums["bytes"] / 1_000_000, 1), "MB"),
        Figure("meanMs", "Mean time (ms)", "count", lambda sums: mean(sums["ms"], sums["timed"]), "Mean ms"),
        Figure("wasted", "Wasted", "count", sum_of("wasted")),
        Figure("wastedShare", "Wasted share", "percent", lambda sums: percent(sums["wasted"], sums["fetches"])),
        Figure("p50", "Half of the changes read within", "duration", lambda _sums: None, "Half read within"),
        Figure("p90", "90% of the changes read within", "duration", lambda _sums: None, "90% read within"),
        Figure("notYet", "Changes not read yet", "count", lambda _sums: None, "Not read yet"),
    )
}
KINDS = {
    "product": "Courses and items",
    "list": "Home, lists and search",
    "page": "Other pages",
    "robots": "robots.txt",
    "sitemap": "Sitemaps",
    "feed": "Feeds for programs",
    "other": "Addresses without a page",
}
CRAWLERS = ReportDescription(
    "crawlers",
    "Crawlers",
    "What search engines, assistants and other declared crawlers fetch, and how soon they read what has changed.",
    {"crawler": "Crawler", "status": "Status", "kind": "Kind of page"},
    columns=(*_FETCHED, *_READ),
    columns_by={"status": _FETCHED, "kind": _FETCHED, DAY: _FETCHED},
    shown=("fetches", "meanMs", "wastedShare", *_READ),
    charted=("fetches",),
    figures=FIGURES,
    definitions=Path(__file__).parent / "definitions.json",
    has_audience=False,
    has_comparison=False,
    first_sort="-fetches",
    group="Crawlers",
)
# Instead of the name of a crawler: the first of those that are shown.
_FIRST_OF_ALL = ""
_SUMS = ("fetches", "bytes", "ms", "wasted")
_NAMES = (*_SUMS, "timed", "days")


@dataclass(frozen=True)
class Fetched:
    """Some fetches of a day, or of all days: `keys` by the names of the levels."""

    keys: Mapping[str, str]
    verification: str
    sums: Mapping[str, int]


@dataclass(frozen=True)
class _ReadTimes:
    """`delays`: seconds from each change until it was read, in order; `not_yet`: changes that were not."""

    delays: Sequence[int]
    not_yet: int

    def figures(self) -> dict[str, FigureValue]:
        return {
            "p50": readers.percentile(self.delays, 50),
            "p90": readers.percentile(self.delays, 90),
            "notYet": self.not_yet,
        }


@dataclass(frozen=True)
class _Counted:
    """`mine`: fetches of the crawlers that are shown, of the chosen value. `shown`: crawlers, and what they are."""

    query: ReportQuery
    mine: Sequence[Fetched]
    days: int
    reads: Mapping[str, _ReadTimes]
    shown: Mapping[str, str]

    def label(self, level: str, key: str) -> str:
        if level == "crawler":
            return readers.label_of(key, is_verified=self.shown.get(key) == CrawlerVerification.VERIFIED)
        if level == "kind":
            return KINDS.get(key, key)
        return "Not noted" if key == f"{NOT_NOTED}" else key

    def totals(self) -> dict[str, FigureValue]:
        """All figures. Times of one crawler are its own, of several those of the first of them."""
        crawlers = {fetched.keys["crawler"] for fetched in self.mine}
        reads = self.reads[next(iter(crawlers)) if len(crawlers) == 1 else _FIRST_OF_ALL]
        return figures_of(_sum(self.mine, self.days), CRAWLERS.columns, FIGURES) | reads.figures()


def answer_crawlers(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    found, today = _fetched(session, query), rules.day_of(at)
    shown = readers.shown_identities((fetched.keys["crawler"], fetched.verification) for fetched in found)
    counted = [fetched for fetched in found if shown.get(fetched.keys["crawler"]) == fetched.verification]
    about = _Counted(
        query,
        [fetched for fetched in counted if _is_chosen(fetched, query)],
        (min(query.until, today) - query.since).days + 1,
        _reads(session, query, rules, at, shown),
        shown,
    )
    state = built_state(session, Span(query.since, query.until))
    is_unfinished = today <= query.until
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        state.first_day,
        is_unfinished,
        about.totals(),
        None,
        None,
        LeftOut(0, 0, 0),
        _series(about, query.days - 1 if is_unfinished else None),
        *page_of_rows(sorted_rows(_rows(about), query.sort), query, limit),
        _notes(found, counted, about),
        empty="" if about.mine else "No crawler has fetched anything in these days.",
        chosen_label="" if query.chosen is None else about.label(*query.chosen),
    )


def _series(about: _Counted, unfinished_from: int | None) -> ReportSeries:
    query, by_day, zeros = about.query, _by_day(about.mine), dict.fromkeys(_NAMES, 0)
    days = [f"{query.since + timedelta(days=number)}" for number in range(query.days)]
    return ReportSeries("day", days, [by_day.get(day, zeros) for day in days], [], unfinished_from)


def _fetched(session: Session, query: ReportQuery) -> list[Fetched]:
    """By day, crawler, status and kind of page."""
    keys = (CrawlDay.day, CrawlDay.crawler, CrawlDay.status, CrawlDay.page_kind, CrawlDay.verification)
    sums: list[Any] = [getattr(CrawlDay, name) for name in _SUMS]
    rows = session.execute(select(*keys, *sums).where(CrawlDay.day >= query.since, CrawlDay.day <= query.until))
    return [
        Fetched(
            {"day": f"{day}", "crawler": crawler, "status": f"{status}", "kind": kind},
            verification,
            {
                **dict(zip(_SUMS, map(int, numbers), strict=True)),
                "timed": 0 if status == NOT_NOTED else int(numbers[0]),
            },
        )
        for day, crawler, status, kind, verification, *numbers in rows
    ]


def _is_chosen(fetched: Fetched, query: ReportQuery) -> bool:
    return query.chosen is None or fetched.keys[query.chosen[0]] == query.chosen[1]


def _sum(found: Iterable[Fetched], days: int) -> dict[str, int]:
    sums = dict.fromkeys(_NAMES, 0) | {"days": days}
    for fetched in found:
        for name, number in fetched.sums.items():
            sums[name] += number
    return sums


def _grouped(found: Iterable[Fetched], level: str) -> dict[str, list[Fetched]]:
    groups: defaultdict[str, list[Fetched]] = defaultdict(list)
    for fetched in found:
        groups[fetched.keys[level]].append(fetched)
    return groups


def _by_day(found: Iterable[Fetched]) -> dict[str, dict[str, int]]:
    return {day: _sum(of_day, 1) for day, of_day in _grouped(found, "day").items()}


def _rows(about: _Counted) -> list[ReportRow]:
    level = about.query.by
    columns = CRAWLERS.columns_of(level)
    if level == DAY:
        return [
            ReportRow(day, day_text(read_day(day)), figures_of(sums, columns, FIGURES), None)
            for day, sums in _by_day(about.mine).items()
        ]
    rows = []
    for key, group in _grouped(about.mine, level).items():
        own = about.reads[key].figures() if level == "crawler" else {}
        figures = figures_of(_sum(group, about.days), columns, FIGURES) | own
        rows.append(ReportRow(key, about.label(level, key), figures, None))
    return rows


def _reads(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, shown: Mapping[str, str]
) -> dict[str, _ReadTimes]:
    """How soon each crawler that is shown, and the first of all, read the changes of the period."""
    since, until = rules.window(query.since).since, min(rules.window(query.until).until, at)
    is_of_period = (PageChange.changed_at >= since, PageChange.changed_at < until, PageChange.kind != "retire")
    changes = {
        row.id: row
        for row in session.execute(select(PageChange.id, PageChange.path, PageChange.changed_at).where(*is_of_period))
    }
    firsts = select(ChangeFetch.change_id, ChangeFetch.crawler, ChangeFetch.verification, ChangeFetch.first_at)
    times: dict[str, dict[int, datetime]] = {name: {} for name in (*shown, _FIRST_OF_ALL)}
    joined = firsts.join(PageChange, PageChange.id == ChangeFetch.change_id).where(*is_of_period)
    for change_id, crawler, verification, first_at in session.execute(joined):
        if shown.get(crawler) == verification:
            times[crawler][change_id] = first_at
            earliest = times[_FIRST_OF_ALL].get(change_id, first_at)
            times[_FIRST_OF_ALL][change_id] = min(earliest, first_at)
    current = {page.path for page in pages_now(session, at)} if changes else set()
    return {
        crawler: _ReadTimes(
            sorted(readers.whole_seconds(time - changes[key].changed_at) for key, time in found.items()),
            sum(1 for key, change in changes.items() if key not in found and change.path in current),
        )
        for crawler, found in times.items()
    }


def _notes(found: Sequence[Fetched], counted: Sequence[Fetched], about: _Counted) -> list[str]:
    notes = readers.notes_of([about.label("crawler", name) for name in about.shown])
    spoofed = sum(fetched.sums["fetches"] for fetched in found if fetched.verification == CrawlerVerification.SPOOFED)
    if spoofed:
        notes.append(f"Left out: {_count(spoofed)} under the name of a crawler that the sender is not.")
    others = sum(fetched.sums["fetches"] for fetched in found) - spoofed
    unproved = others - sum(fetched.sums["fetches"] for fetched in counted)
    if unproved:
        notes.append(f"Left out: {_count(unproved)} that nobody has checked, under a name that others have proved.")
    return notes


def _count(fetches: int) -> str:
    return "1 fetch" if fetches == 1 else f"{count_text(fetches)} fetches"
