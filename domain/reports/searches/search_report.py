"""What people searched for, how often nothing was found, what came of it, and what they bought after it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text
from domain.reports.searches import sums
from domain.reports.searches.report_period import DEFINITIONS, NOTHING_LEFT_OUT, ReportPeriod, empty_period, period_of
from domain.reports.searches.sums import COUNTS, Days, SearchSums
from domain.reports.visit_reports.answers import (
    Figures,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import DAY, ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureSums, figures_of, percent, sum_of
from domain.reports.visit_reports.parameters import MAX_VALUE, ReportQuery
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days.demand_keys import MIN_SEARCHES, RARE

BOUGHT = "bought"
FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("searches", "Searches", "count", sum_of("searches")),
        Figure("noResults", "Without results", "count", sum_of("no_results")),
        Figure("noResultsShare", "Found nothing", "percent", lambda row: percent(row["no_results"], row["searches"])),
        Figure("inSessions", "In sessions", "count", sum_of("in_sessions")),
        Figure("followed", "Followed", "count", sum_of("followed")),
        Figure("followedShare", "Followed", "percent", lambda row: percent(row["followed"], row["in_sessions"])),
        Figure("abandoned", "Abandoned", "count", sum_of("abandoned")),
        Figure("abandonedShare", "Abandoned", "percent", lambda row: percent(row["abandoned"], row["in_sessions"])),
    )
}
SEARCHES = ReportDescription(
    "searches",
    "Searches",
    "What people searched for on this site, what came of it, and what they bought after it.",
    {"query": "Search"},
    columns=("searches", "noResults", "inSessions", "followed", "abandoned"),
    shown=("searches", "noResultsShare", "followedShare", "abandonedShare"),
    charted=("searches", "noResults", "followed", "abandoned"),
    figures=FIGURES,
    definitions=DEFINITIONS,
    words={BOUGHT: "Bought after it"},
    has_audience=False,
    first_sort="-searches",
    group="Search",
)
_NOTHING: SearchSums = dict.fromkeys(COUNTS, 0)
_DAY = timedelta(days=1)


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    """`limit`: how many rows there are on a page, None: as many as the query says."""
    period, chosen = period_of(session, query, rules, at), query.chosen[1] if query.chosen else None
    totals = sums.totals(session, period.days, chosen)
    before = period.compared
    rows = _day_rows(session, period.days, chosen) if query.by == DAY else _rows(session, period)
    on_page, count, has_more = page_of_rows(sorted_rows(rows, query.sort), query, limit)
    empty = empty_period(query, period.state.first_day)
    if not empty and not totals["searches"]:
        empty = "Nobody searched for this in these days." if chosen else "Nobody searched in these days."
    return ReportAnswer(
        query,
        rules.zone,
        period.state.built_at,
        period.state.first_day,
        period.is_unfinished,
        _figures(totals),
        None if before is None else _figures(sums.totals(session, before, chosen)),
        None,
        NOTHING_LEFT_OUT,
        _series(session, period, query, chosen),
        on_page if query.by == DAY else _with_purchases(session, period.days, on_page),
        count,
        has_more,
        _notes(session, period, query),
        empty=empty,
        chosen_label=chosen or "",
    )


def _figures(row: FigureSums) -> Figures:
    return figures_of(row, tuple(FIGURES), FIGURES)


def _rows(session: Session, period: ReportPeriod) -> list[ReportRow]:
    before = period.compared
    earlier = None if before is None else {row.query: row.sums for row in sums.queries(session, before)}
    return [
        ReportRow(
            row.query,
            row.query,
            _figures(row.sums),
            None if earlier is None else _figures(earlier.get(row.query, _NOTHING)),
            # One value of a report has fewer letters than a query may have.
            href=f"/search?{urlencode({'q': row.query})}" if len(row.query) > MAX_VALUE else "",
        )
        for row in sums.queries(session, period.days)
    ]


def _day_rows(session: Session, days: Days, chosen: str | None) -> list[ReportRow]:
    found = sums.by_day(session, days, chosen)
    return [ReportRow(day.isoformat(), day_text(day), _figures(row), None) for day, row in found.items()]


def _with_purchases(session: Session, days: Days, rows: list[ReportRow]) -> list[ReportRow]:
    """Looked up for the rows that are shown alone."""
    texts = sums.bought(session, days, [row.key for row in rows])
    return [replace(row, words={BOUGHT: texts.get(row.key, "")}) for row in rows]


def _series(session: Session, period: ReportPeriod, query: ReportQuery, chosen: str | None) -> ReportSeries:
    days = [query.since + number * _DAY for number in range(query.days)]
    found, first, before = sums.by_day(session, period.days, chosen), period.state.first_day, period.before
    values = [None if first is None or day < first else found.get(day, _NOTHING) for day in days]
    earlier: list[FigureSums | None] = []
    if before is not None:
        counted = sums.by_day(session, before, chosen)
        earlier = [counted.get(before.since + number * _DAY, _NOTHING) for number in range(query.days)]
    unfinished = query.days - 1 if period.is_unfinished else None
    return ReportSeries("day", [day.isoformat() for day in days], values, earlier, unfinished)


def _notes(session: Session, period: ReportPeriod, query: ReportQuery) -> list[str]:
    notes = period.notes_with("The period is not over: its days are compared in the chart, all else once it is.")
    if query.chosen is not None:
        bought = sums.bought(session, period.days, [query.chosen[1]]).get(query.chosen[1])
        return [*notes, *([f"Bought after it: {bought}."] if bought else [])]
    rare = sums.totals(session, period.days, RARE)["searches"]
    if not rare:
        return notes
    text = f"{count_text(rare)} of the searches were of queries that were sent fewer than {MIN_SEARCHES} times a day"
    return [*notes, f"{text}. After some months only their sum is left."]
