"""What the mail of a saved view shows of its report: figures, the first rows with those before, and a file of all."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from domain.csv_text import BOM, csv_lines, safe_text
from domain.display_text import count_text, moment_text
from domain.money import Currency, from_minor
from domain.reports.visit_reports import wording
from domain.reports.visit_reports.answers import ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import TIMES
from domain.reports.visit_reports.figures import Figure, FigureValue

# Rows in the mail itself, and in its file.
SHOWN_ROWS, FILE_ROWS = 10, 1_000
# Columns of figures in the mail: more do not fit a telephone.
SHOWN_FIGURES = 3
_UNITS = {"percent": " (%)", "seconds": " (s)", "duration": " (s)"}


@dataclass(frozen=True)
class MailContent:
    """All of it in words. `figures`: label, value and change; `rows`: of as many texts as `headings`; `empty`: why
    there are none; `file`: CSV, "" without rows."""

    view: str
    title: str
    period: str
    figures: list[dict[str, str]] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    more: str = ""
    empty: str = ""
    notes: list[str] = field(default_factory=list)
    file_name: str = ""
    file: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def content_of(view: str, answer: ReportAnswer, notice: str) -> MailContent:
    """`notice`: what has changed about the view, "" for nothing."""
    query, empty = answer.query, wording.empty_text(answer)
    notes = [notice] if notice else []
    period = f"{wording.period_text(query)}, {answer.zone}" if query.report.has_period else ""
    if empty:
        return MailContent(view, query.report.title, period, empty=empty, notes=notes)
    days = f"-{query.since.isoformat()}-{query.until.isoformat()}" if query.report.has_period else ""
    return MailContent(
        view,
        query.report.title,
        period,
        _figures(answer),
        *_rows(answer),
        more=_more(answer),
        notes=[*notes, *wording.notes(answer), *_built(answer)],
        file_name=f"{query.report.name}{days}.csv" if answer.rows else "",
        file=file_text(answer) if answer.rows else "",
    )


def _figures(answer: ReportAnswer) -> list[dict[str, str]]:
    report, currency = answer.query.report, wording.currency_of(answer)
    return [
        {
            "label": report.figures[key].label,
            "value": wording.value_text(report.figures[key], answer.totals[key], currency),
            "change": wording.change_text(report.figures[key], answer),
        }
        for key in report.shown
        if key in answer.totals
    ]


def _rows(answer: ReportAnswer) -> tuple[list[str], list[list[str]]]:
    """Headings and the first rows: the name, the compared figure with the one before, and others."""
    query, currency = answer.query, wording.currency_of(answer)
    shown = list(_columns(answer))
    compared = [(figure, is_before) for figure, is_before in shown if figure.key == query.report.compared]
    others = [column for column in shown if column not in compared]
    chosen = [*compared, *others][:SHOWN_FIGURES]
    words = list(query.report.words.items())[:1] if query.by not in TIMES and not compared else []
    headings = [wording.heading_of(query), *(heading for _, heading in words)]
    headings += ["Before" if is_before else figure.short for figure, is_before in chosen]
    rows = [
        [_line(row.label), *(_line(row.words.get(key, "")) for key, _ in words), *_texts(row, chosen, currency)]
        for row in answer.rows[:SHOWN_ROWS]
    ]
    return headings, rows


def _line(text: str) -> str:
    return " ".join(text.split())


def _texts(row: ReportRow, chosen: Iterable[tuple[Figure, bool]], currency: Currency) -> Iterable[str]:
    for figure, is_before in chosen:
        instead = None if is_before else row.instead.get(figure.key)
        yield instead or wording.value_text(figure, _value(row, figure, is_before=is_before), currency)


def _columns(answer: ReportAnswer) -> Iterable[tuple[Figure, bool]]:
    """Each figure of a row, and the compared one once more as it was before."""
    report = answer.query.report
    for key in report.columns_of(answer.query.by):
        yield report.figures[key], False
        if key == report.compared and any(row.previous for row in answer.rows):
            yield report.figures[key], True


def _value(row: ReportRow, figure: Figure, *, is_before: bool) -> FigureValue:
    if is_before:
        return None if row.previous is None else row.previous[figure.key]
    return row.figures.get(figure.key)


def _more(answer: ReportAnswer) -> str:
    if answer.row_count <= SHOWN_ROWS:
        return ""
    if answer.row_count <= FILE_ROWS:
        return f"The attached file has all {count_text(answer.row_count)} rows."
    return f"The attached file has the first {count_text(FILE_ROWS)} of {count_text(answer.row_count)} rows."


def _built(answer: ReportAnswer) -> list[str]:
    return [] if answer.built_at is None else [f"Computed at {moment_text(answer.built_at)}."]


def file_text(answer: ReportAnswer) -> str:
    """As the file that the page of the report offers, of as many rows as there are in the answer."""
    query, currency = answer.query, wording.currency_of(answer)
    columns = list(_columns(answer))
    words = {} if query.by in TIMES else query.report.words
    headings = [wording.heading_of(query), *words.values()]
    headings += [_file_heading(figure, currency, is_before=is_before) for figure, is_before in columns]
    rows = [
        [
            safe_text(row.key if query.by in TIMES else row.label),
            *(safe_text(row.words.get(key, "")) for key in words),
            *(_number(figure, _value(row, figure, is_before=is_before), currency) for figure, is_before in columns),
        ]
        for row in answer.rows
    ]
    return BOM + csv_lines([[safe_text(heading) for heading in headings], *rows])


def _file_heading(figure: Figure, currency: Currency, *, is_before: bool) -> str:
    unit = f" ({currency.code})" if figure.unit == "money" else _UNITS.get(figure.unit, "")
    return ("Before" if is_before else figure.short) + unit


def _number(figure: Figure, value: FigureValue, currency: Currency) -> str:
    if value is None:
        return ""
    return f"{from_minor(round(value), currency):f}" if figure.unit == "money" else str(value)
