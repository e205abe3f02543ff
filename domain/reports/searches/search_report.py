"""What people searched for, how often nothing was found, what came of it, and what they bought after it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
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
# The sums that rows are sorted by.
_ORDERS = {
    "name": "query",
    "searches": "searches",
    "noResults": "no_results",
    "inSessions": "in_sessions",
    "followed": "followed",
    "abandoned": "abandoned",
}


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    """`limit`: how many rows there are on a page, None: as many as the query says."""
    period, chosen = period_of(session, query, rules, at), query.chosen[1] if query.chosen else None
    days = sums.by_day(session, period.days, chosen)
    earlier = None if period.before is None else sums.by_day(session, period.before, chosen)
    totals = sums.total_of(days.values())
    if query.by == DAY:
        on_page, count, has_more = page_of_rows(sorted_rows(_day_rows(days), query.sort), query, limit)
    else:
        # Rows of earlier pages are read for their number alone.
        until = min(query.page * (limit or query.limit) + 1, sums.MAX_QUERIES)
        on_page, count, has_more = page_of_rows(_rows(session, period, query.sort, until), query, limit)
        on_page = _with_purchases(session, period.days, on_page)
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
        None if earlier is None or period.compared is None else _figures(sums.total_of(earlier.values())),
        None,
        NOTHING_LEFT_OUT,
        _series(period, days, earlier),
        on_page,
        count,
        has_more,
        _notes(session, period, query),
        empty=empty,
        chosen_label=chosen or "",
    )


def _figures(row: FigureSums) -> Figures:
    return figures_of(row, tuple(FIGURES), FIGURES)


def _rows(session: Session, period: ReportPeriod, sort: str, until: int) -> list[ReportRow]:
    """The first rows in this order."""
    name, sign = sort.removeprefix("-"), "-" if sort.startswith("-") else ""
    found = sums.queries(session, period.days, sign + _ORDERS[name], until)
    earlier = None
    if period.compared is not None:
        earlier = sums.by_query(session, period.compared, [row.query for row in found])
    return [
        ReportRow(
            row.query,
            row.query,
            _figures(row.sums),
            None if earlier is None else _figures(earlier.get(row.query, _NOTHING)),
            # One value of a report has fewer letters than a query may have.
            href=f"/search?{urlencode({'q': row.query})}" if len(row.query) > MAX_VALUE else "",
        )
        for row in found
    ]


def _day_rows(days: Mapping[date, SearchSums]) -> list[ReportRow]:
    return [ReportRow(day.isoformat(), day_text(day), _figures(row), None) for day, row in days.items()]


def _with_purchases(session: Session, days: Days, rows: list[ReportRow]) -> list[ReportRow]:
    """Looked up for the rows that are shown alone."""
    texts = sums.bought(session, days, [row.key for row in rows])
    return [replace(row, words={BOUGHT: texts.get(row.key, "")}) for row in rows]


def _series(
    period: ReportPeriod, found: Mapping[date, SearchSums], earlier: Mapping[date, SearchSums] | None
) -> ReportSeries:
    days, first = period.days.each, period.state.first_day
    values = [None if first is None or day < first else found.get(day, _NOTHING) for day in days]
    before: list[FigureSums | None] = []
    if earlier is not None and period.before is not None:
        before = [earlier.get(day, _NOTHING) for day in period.before.each]
    unfinished = len(days) - 1 if period.is_unfinished else None
    return ReportSeries("day", [day.isoformat() for day in days], values, before, unfinished)


def _notes(session: Session, period: ReportPeriod, query: ReportQuery) -> list[str]:
    notes = period.notes_with("The period is not over: its days are compared in the chart, all else once it is.")
    if query.chosen is not None:
        bought = sums.bought(session, period.days, [query.chosen[1]]).get(query.chosen[1])
        return [*notes, *([f"Bought after it: {bought}."] if bought else [])]
    rare = sums.total_of(sums.by_day(session, period.days, RARE).values())["searches"]
    if not rare:
        return notes
    text = f"{count_text(rare)} of the searches were of queries that were sent fewer than {MIN_SEARCHES} times a day"
    return [*notes, f"{text}. After some months only their sum is left."]
