"""What an answer may say while some of its days are still to be computed."""

from dataclasses import replace
from datetime import date, timedelta

from domain.reports.visit_reports.answers import Figures, ReportAnswer, ReportRow, ReportSeries
from domain.reports.visit_reports.day_progress import ReportProgress
from domain.reports.visit_reports.descriptions import TIMES
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span

NOTHING_COMPARED = "Nothing is compared before all days of both periods have been computed."


def spans_of(query: ReportQuery) -> list[Span]:
    """The days that a report is of, then those that it is compared with; none of a report of the state of now."""
    if not query.report.has_period:
        return []
    now, shift = Span(query.since, query.until), _shift_of(query)
    return [now] if shift is None else [now, Span(query.since - shift, query.until - shift)]


def with_progress(answer: ReportAnswer, progress: ReportProgress | None) -> ReportAnswer:
    """Days that are not known have no values in the series, instead of zeros, and nothing is compared with them. While
    some days of the period wait, a figure of nothing is not known either."""
    if progress is None:
        return answer
    query, answer = answer.query, _without_zeros(answer) if progress.is_partial else answer
    series = _without_days(answer.series, progress)
    if not progress.unknown and not any(_is_before(day, query) for day in progress.waiting):
        return replace(answer, progress=progress, series=series)
    return replace(
        answer,
        progress=progress,
        previous=None,
        series=replace(series, previous=[]),
        rows=[replace(row, previous=None) for row in answer.rows],
        notes=[*answer.notes, NOTHING_COMPARED],
    )


def _without_zeros(answer: ReportAnswer) -> ReportAnswer:
    """Rows of days and hours are of computed days alone: what they count is known."""
    totals, rows = _known(answer.totals), answer.rows
    if answer.query.by not in TIMES:
        rows = [_known_row(row) for row in rows]
    is_range_known = totals.get("sessions") is not None
    return replace(answer, totals=totals, rows=rows, sessions_range=answer.sessions_range if is_range_known else None)


def _known_row(row: ReportRow) -> ReportRow:
    return replace(row, figures=_known(row.figures))


def _known(figures: Figures) -> Figures:
    return {name: value or None for name, value in figures.items()}


def _without_days(series: ReportSeries, progress: ReportProgress) -> ReportSeries:
    if series.kind != "day" or series.each:
        return series
    unknown = {day.isoformat() for day in progress.unknown}
    values = [None if label in unknown else value for label, value in zip(series.labels, series.values, strict=True)]
    return replace(series, values=values)


def _shift_of(query: ReportQuery) -> timedelta | None:
    return query.shift if query.report.has_comparison else None


def _is_before(day: date, query: ReportQuery) -> bool:
    shift = _shift_of(query)
    return shift is not None and query.since - shift <= day <= query.until - shift
