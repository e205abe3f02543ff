"""Content gaps of a period, by their kind, and what to do about each."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import Session

from domain.reports.searches import gaps
from domain.reports.searches.gap_kinds import GAPS, GapKind
from domain.reports.searches.gaps import Gap, GapPeriod
from domain.reports.searches.report_period import DEFINITIONS, NOTHING_LEFT_OUT, empty_period, period_of
from domain.reports.searches.search_report import FIGURES as SEARCH_FIGURES
from domain.reports.visit_reports.answers import (
    Figures,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    page_of_rows,
    sorted_rows,
)
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.figures import Figure, figures_of, percent, sum_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.visits.raw.local_days import DayRules

DETAIL, ACTION = "detail", "action"
_ALL = "gaps"
FIGURES: Mapping[str, Figure] = {
    **{key: SEARCH_FIGURES[key] for key in ("searches", "noResults", "inSessions", "abandoned")},
    **{
        figure.key: figure
        for figure in (
            Figure(_ALL, "Gaps", "count", sum_of(_ALL)),
            *(Figure(gap.figure, gap.label, "count", sum_of(kind)) for kind, gap in GAPS.items()),
            Figure("sessions", "Sessions", "count", sum_of("sessions")),
            Figure("visits", "Visits", "count", sum_of("visits")),
            Figure("entrances", "Entrances", "count", sum_of("entrances")),
            Figure("bounceRate", "Bounce rate", "percent", lambda row: percent(row["bounces"], row["entrances"])),
        )
    },
}
GAP_REPORT = ReportDescription(
    "gaps",
    "Content gaps",
    "What people looked for and did not get, and what to do about it.",
    {kind: gap.label for kind, gap in GAPS.items()},
    columns_by={kind: gap.columns for kind, gap in GAPS.items()},
    columns=GAPS[GapKind.NO_RESULTS].columns,
    shown=tuple(gap.figure for gap in GAPS.values()),
    charted=(_ALL,),
    figures=FIGURES,
    definitions=DEFINITIONS,
    words={DETAIL: "Details", ACTION: "What to do"},
    has_audience=False,
    is_drilled=False,
    first_sort="-searches",
    group="Search",
)


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    """`limit`: how many rows there are on a page, None: as many as the query says."""
    period, today = period_of(session, query, rules, at), rules.day_of(at)
    found = gaps.find(session, GapPeriod(period.days, today, rules))
    counts = {kind: len(of_kind) for kind, of_kind in found.items()}
    kind, before = GapKind(query.by), period.compared
    earlier: Mapping[GapKind, list[Gap]] | None = None
    if before is not None:
        earlier = gaps.find(session, GapPeriod(before, today, rules))
    rows = _rows(kind, found[kind], None if earlier is None else earlier[kind])
    on_page, count, has_more = page_of_rows(sorted_rows(rows, query.sort), query, limit)
    on_page = _with_texts(on_page, found[kind])
    is_none = not any(counts.values())
    notes = period.notes_with("The period is not over: gaps are compared once it is.")
    empty = empty_period(query, period.state.first_day)
    return ReportAnswer(
        query,
        rules.zone,
        period.state.built_at,
        period.state.first_day,
        period.is_unfinished,
        _counted(counts),
        None if earlier is None else _counted({one: len(of_kind) for one, of_kind in earlier.items()}),
        None,
        NOTHING_LEFT_OUT,
        ReportSeries(
            "name", [gap.label for gap in GAPS.values()], [{_ALL: count} for count in counts.values()], [], None, "kind"
        ),
        on_page,
        count,
        has_more,
        [GAPS[kind].advice if rows else "There are no gaps of this kind in these days.", *notes],
        empty=empty or ("No gaps were found: people got what they looked for in these days." if is_none else ""),
    )


def _counted(counts: Mapping[GapKind, int]) -> Figures:
    return {_ALL: sum(counts.values()), **{GAPS[kind].figure: count for kind, count in counts.items()}}


def _rows(kind: GapKind, found: list[Gap], earlier: list[Gap] | None) -> list[ReportRow]:
    columns = GAPS[kind].columns
    before = None if earlier is None else {gap.key: gap.sums for gap in earlier}
    return [
        ReportRow(
            gap.key,
            gap.label,
            figures_of(gap.sums, columns, FIGURES),
            None if before is None or gap.key not in before else figures_of(before[gap.key], columns, FIGURES),
        )
        for gap in found
    ]


def _with_texts(rows: Iterable[ReportRow], found: Iterable[Gap]) -> list[ReportRow]:
    """Written for the rows that are shown alone."""
    gaps_by_key = {gap.key: gap for gap in found}
    shown = []
    for row in rows:
        text = gaps_by_key[row.key].describe()
        words = {DETAIL: text.detail, ACTION: text.action[0]}
        shown.append(replace(row, words=words, href=text.href, links={ACTION: text.action[1]}))
    return shown
