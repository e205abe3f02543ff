"""The chart of a report."""

from collections.abc import Iterable, Mapping

from domain import money
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureSums
from domain.reports.visit_reports.wording import AUDIENCE_TEXTS, currency_of, empty_text, period_text, value_text
from host.loaders.ui.chart_props import ChartProps, ChartSeries, ChartUnit, PointKind

_POINTS: Mapping[str, PointKind] = {"day": "day", "hour": "time", "month": "month", "name": "category"}


def chart(answer: ReportAnswer) -> ChartProps:
    """One figure of the report, over its days or hours, or by the names that its source gives."""
    query, series = answer.query, answer.series
    figure = charted_figure(query.report)
    own = _values(answer, figure, series.values)
    drawn: list[ChartSeries] = [{"label": figure.label, "values": own}]
    if series.previous:
        before = _values(answer, figure, series.previous)
        label = "A year earlier" if query.compare == "year" else "The period before"
        drawn.append({"label": label, "values": before, "isPrevious": True})
    has_values = any(own)
    props: ChartProps = {
        "kind": "line" if series.kind == "day" else "bar",
        "title": f"{figure.label} by {series.each or series.kind}",
        "summary": _summary(answer, figure),
        "unit": _unit(answer, figure),
        "unitLabel": _unit_label(answer, figure),
        "period": _period(answer),
        "points": {"kind": _POINTS[series.kind], "labels": series.labels},
        "series": drawn if has_values else [{"label": figure.label, "values": [None for _ in own]}],
        "empty": empty_text(answer)
        or ("Nothing was counted by the hour." if series.kind == "hour" else "There is nothing in these days."),
        "csvHref": None,
    }
    if series.unfinished_from is not None:
        props["unfinishedFrom"] = series.unfinished_from
    return props


def _period(answer: ReportAnswer) -> str:
    if not answer.query.report.has_period:
        return "as of now"
    return f"{period_text(answer.query)}, {'hours of UTC' if answer.series.kind == 'hour' else answer.zone}"


def charted_figure(report: ReportDescription) -> Figure:
    return report.figures[(report.charted or report.shown)[0]]


def _unit(answer: ReportAnswer, figure: Figure) -> ChartUnit:
    """The chart knows amounts in the shop's currency; others are numbers."""
    if figure.unit == "money" and currency_of(answer) is money.shop_currency():
        return "money"
    return "percent" if figure.unit == "percent" else "count"


def _unit_label(answer: ReportAnswer, figure: Figure) -> str:
    if figure.unit == "money":
        return currency_of(answer).code
    return AUDIENCE_TEXTS[answer.query.audience] if answer.query.report.has_audience else figure.label


def _values(answer: ReportAnswer, figure: Figure, points: Iterable[FigureSums | None]) -> list[int | float | None]:
    values = [None if sums is None else figure.compute(sums) for sums in points]
    if figure.unit != "money" or _unit(answer, figure) == "money":
        return values
    currency = currency_of(answer)
    return [None if value is None else float(money.from_minor(round(value), currency)) for value in values]


def _summary(answer: ReportAnswer, figure: Figure) -> str:
    if figure.key not in answer.totals:
        return ""
    if answer.progress is not None and answer.totals[figure.key] is None:
        return f"{figure.label}: not known yet."
    currency = currency_of(answer)
    total = f"{value_text(figure, answer.totals[figure.key], currency)} {figure.label.lower()}"
    if answer.previous is None or figure.key not in answer.previous:
        return f"{total}."
    before = value_text(figure, answer.previous[figure.key], currency)
    return f"{total}, {before} in the period that they are compared with."
