"""What the page of a report shows of an answer, and what its file has."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date

from domain import money
from domain.display_text import moment_text
from domain.money import Currency
from domain.reports.visit_reports.answers import ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import DAY, HOUR, TIMES, ReportDescription, label_of, name_of
from domain.reports.visit_reports.figures import Figure, FigureValue, definitions
from domain.reports.visit_reports.parameters import (
    AUDIENCES,
    COMPARE,
    CURRENCY,
    MAX_FILTERS,
    ReportQuery,
    levels_of,
    names_of,
    usual_sort,
)
from domain.reports.visit_reports.served_report import seen_text
from domain.reports.visit_reports.stored_figures import Value
from domain.reports.visit_reports.wording import (
    AUDIENCE_TEXTS,
    COMPARE_TEXTS,
    change_text,
    currency_of,
    empty_text,
    heading_of,
    range_text,
    value_text,
)
from domain.text_direction import isolated
from domain.typed_values import read_day
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Cell, Column, StripPart, TextCell
from host.reports import links
from host.reports.models import (
    ChosenValues,
    ColumnMeaning,
    ReportField,
    ReportFigure,
    ReportFilter,
    ReportForm,
    ReportLink,
)


def figures(answer: ReportAnswer) -> list[ReportFigure]:
    report, currency = answer.query.report, currency_of(answer)
    texts, table = {**definitions(), **definitions(report.definitions)}, report.figures
    return [
        {
            "key": key,
            "label": table[key].label,
            "value": value_text(table[key], answer.totals[key], currency),
            "change": change_text(table[key], answer),
            "range": range_text(answer) if key == "sessions" else seen_text(answer, key),
            "meaning": texts[key].meaning,
            "example": texts[key].example,
        }
        for key in report.shown
    ]


def columns(answer: ReportAnswer) -> list[ColumnMeaning]:
    """What the figures of the rows mean that do not stand above the table."""
    report = answer.query.report
    texts, table = {**definitions(), **definitions(report.definitions)}, report.figures
    return [
        {"label": table[key].short, "meaning": texts[key].meaning, "example": texts[key].example}
        for key in report.columns_of(answer.query.by)
        if key not in report.shown
    ]


def table(answer: ReportAnswer, today: date) -> ShortTable:
    query = answer.query
    title = f"By {heading_of(query).lower()}" if query.by in TIMES else heading_of(query)
    strip = (_strip(query.report.strip),) if query.report.strip else ()
    shown = (_name(query, today), *strip, *_words(query), *_numbers(answer, is_file=False))
    return short_table("rows", title, empty_text(answer) or "No rows.", shown, answer.rows)


_MARK_TEXTS = {"published": "Published", "read": "Read", "changed": "Changed"}


def _strip(heading: str) -> Column[ReportRow]:
    """Each line ends at the same time: now."""

    def strips(rows: Iterable[ReportRow]) -> list[Cell | None]:
        return [_strip_cell(row) for row in rows]

    return Column("strip", heading, "strip", strips)


# Along a line from 5 to 105: an upright, a disc and a triangle.
_MARK_PATHS = {
    "published": "M{x} 1V13",
    "read": "M{x} 3.5a3.5 3.5 0 1 0 .01 0z",
    "changed": "M{x} 2l4.5 9h-9z",
}


def _strip_cell(row: ReportRow) -> Cell | None:
    """The last mark is the end of the line."""
    if len(row.marks) < 2:
        return None
    first, last = row.marks[0].at, row.marks[-1].at
    whole, shown = max((last - first).total_seconds(), 1), row.marks[:-1]
    places = [5 + round(100 * (mark.at - first).total_seconds() / whole) for mark in shown]
    reads = [place for place, mark in zip(places, shown, strict=True) if mark.what == "read"]
    parts: list[StripPart] = [{"what": "line", "path": "M5 7H105"}]
    if reads:
        parts.append({"what": "known", "path": f"M{reads[0]} 7H{reads[-1]}"})
    for what, path in _MARK_PATHS.items():
        drawn = "".join(path.format(x=place) for place, mark in zip(places, shown, strict=True) if mark.what == what)
        parts += [{"what": what, "path": drawn}] if drawn else []
    words = ", ".join(f"{_MARK_TEXTS[mark.what]} {moment_text(mark.at)}" for mark in shown)
    return {"kind": "strip", "parts": parts, "text": words}


def file_columns(answer: ReportAnswer) -> tuple[Column[ReportRow], ...]:
    """Numbers as they are, for programs."""
    query = answer.query
    name = cells.text("name", heading_of(query), _file_name(query))
    return (name, *_words(query), *_numbers(answer, is_file=True))


def _words(query: ReportQuery) -> Iterable[Column[ReportRow]]:
    """Days and hours have no words."""
    for key, heading in query.report.words.items() if query.by not in TIMES else ():
        yield _word(key, heading)


def _word(key: str, heading: str) -> Column[ReportRow]:
    """A link where it leads anywhere."""

    def words(rows: Iterable[ReportRow]) -> list[Cell | None]:
        return [_link_or_text(row.words.get(key, ""), row.links.get(key, "")) for row in rows]

    return Column(key, heading, "text", words)


def _link_or_text(text: str, href: str) -> Cell | None:
    if not text:
        return None
    return {"kind": "link", "text": text, "href": href} if href else {"kind": "text", "text": text}


def _file_name(query: ReportQuery) -> Callable[[ReportRow], str]:
    return lambda row: row.key if query.by in TIMES else row.label


def _name(query: ReportQuery, today: date) -> Column[ReportRow]:
    is_full = len(query.filters) == MAX_FILTERS and query.by not in TIMES
    if query.by == HOUR or is_full or (query.by == DAY and query.days == 1):
        return cells.text("name", heading_of(query), lambda row: row.label)
    if query.by == DAY or query.report.is_drilled:
        return cells.link("name", heading_of(query), lambda row: (row.label, _row_href(query, row, today)))
    return _linked_name(query, today)


def _linked_name(query: ReportQuery, today: date) -> Column[ReportRow]:
    """Each row is a link where it leads anywhere."""

    def names(rows: Iterable[ReportRow]) -> list[Cell | None]:
        return [_link_or_text(row.label, links.row_href(query, row.href, today)) for row in rows]

    return Column("name", heading_of(query), "link", names)


def _row_href(query: ReportQuery, row: ReportRow, today: date) -> str:
    if query.by == DAY:
        return links.day_href(query, read_day(row.key), today)
    if row.href:
        return links.row_href(query, row.href, today)
    return links.value_href(query, query.by, row.key, today)


def _numbers(answer: ReportAnswer, *, is_file: bool) -> Iterable[Column[ReportRow]]:
    """With what there was before of one of them, where rows are compared."""
    report = answer.query.report
    columns, currency = report.columns_of(answer.query.by), currency_of(answer)
    for key in columns:
        figure = report.figures[key]
        yield _number(figure, currency, is_file=is_file)
        if key == report.compared and any(row.previous for row in answer.rows):
            yield _number(replace(figure, key="before", heading="Before"), currency, is_file=is_file, previous=key)


_UNITS = {"percent": " (%)", "seconds": " (s)", "duration": " (s)"}
# The darkest ground of a share, and from which share on.
SHADES, FULL_SHADE = 5, 100


def _number(figure: Figure, currency: Currency, *, is_file: bool, previous: str | None = None) -> Column[ReportRow]:
    """`previous`: the figure of the earlier period that is shown instead."""

    def value(row: ReportRow) -> FigureValue:
        if previous is not None:
            return None if row.previous is None else row.previous[previous]
        return row.figures.get(figure.key)

    has_unit = is_file or figure.unit == "seconds"
    label = figure.short + _UNITS.get(figure.unit, "") if has_unit else figure.short
    if figure.unit == "money" and (is_file or currency is money.shop_currency()):
        return cells.minor(figure.key, label, lambda row: None if (minor := value(row)) is None else round(minor))
    if is_file or figure.unit not in ("percent", "money", "number", "duration"):
        return cells.count(figure.key, label, value)

    def texts(rows: Iterable[ReportRow]) -> list[Cell | None]:
        """A whole percent says too little of a conversion, a whole number of a share of orders."""
        return [_text_cell(figure, value(row), currency, row.instead.get(figure.key)) for row in rows]

    return Column(figure.key, label, "count", texts)


def _text_cell(figure: Figure, value: FigureValue, currency: Currency, instead: str | None) -> Cell | None:
    if value is None or instead is not None:
        return None if instead is None else {"kind": "text", "text": instead}
    cell: TextCell = {"kind": "text", "text": value_text(figure, value, currency)}
    if figure.is_shaded:
        cell["shade"] = min(math.ceil(value * SHADES / FULL_SHADE), SHADES)
    return cell


def form(answer: ReportAnswer, today: date) -> ReportForm:
    query = answer.query
    report, known = query.report, names_of(query.report)
    choices = [_field(one.name, one.label, query.choices[one.name], [*one.options.items()]) for one in report.choices]
    fields: list[ReportField] = [
        _field("compare", "Compare with", query.compare, [(name, COMPARE_TEXTS[name]) for name in COMPARE]),
        _field("audience", "Who", query.audience, [(name, AUDIENCE_TEXTS[name]) for name in AUDIENCES]),
        *choices,
        *_currencies(answer),
        _field("sort", "Sort by", query.sort, _sorts(query)),
    ]
    return {
        "path": links.path_of(report),
        "since": query.since.isoformat() if report.has_period else "",
        "until": query.until.isoformat() if report.has_period else "",
        "today": today.isoformat(),
        "fields": [field for field in fields if field["name"] in known],
        "hidden": links.hidden(query),
        "saveHref": links.save_href(query),
    }


def _currencies(answer: ReportAnswer) -> list[ReportField]:
    """A choice where there are several."""
    if answer.currency is None or len(answer.currencies) < 2:
        return []
    return [_field(CURRENCY, "Currency", answer.currency, [(code, code) for code in answer.currencies])]


def _sorts(query: ReportQuery) -> list[tuple[str, str]]:
    """The highest figures first; of an order that the form does not offer, its own words."""
    heading = heading_of(query)
    is_by_time = query.by in TIMES or usual_sort(query.report, query.by) == "-name"
    names = [("-name", "Newest first"), ("name", "Oldest first")] if is_by_time else [("name", heading)]
    found = [*names, *((f"-{key}", query.report.figures[key].short) for key in query.report.columns_of(query.by))]
    if query.sort in dict(found):
        return found
    name = query.sort.removeprefix("-")
    return [*found, (query.sort, f"{heading if name == 'name' else query.report.figures[name].short}, the other way")]


def _field(name: str, label: str, value: str, options: Sequence[tuple[str, str]]) -> ReportField:
    return {
        "name": name,
        "label": label,
        "value": value,
        "options": [{"value": option, "label": text} for option, text in options],
    }


def levels(query: ReportQuery, today: date) -> list[ReportLink]:
    """What the rows may be of; empty when there is one way alone."""
    names, texts = levels_of(query), {**TIMES, **query.report.levels}
    if len(names) == 1:
        return []
    return [
        {"text": texts[name], "href": links.level_href(query, name, today), "isCurrent": name == query.by}
        for name in names
    ]


def chosen(answer: ReportAnswer, today: date) -> ChosenValues | None:
    query = answer.query
    if not query.filters:
        return None
    filters: list[ReportFilter] = [
        {"text": _filter_text(answer, value), "href": links.without_href(query, value, today)}
        for value in query.filters
    ]
    return {"filters": filters, "href": links.all_href(query, today)}


def _filter_text(answer: ReportAnswer, value: Value) -> str:
    dimension, key = value
    heading = answer.query.report.levels.get(dimension) or name_of(dimension)
    return f"{heading}: {isolated(answer.chosen_label or label_of(dimension, key))}"


def ignored(report: ReportDescription, errors: Iterable[str]) -> list[str]:
    """Parameters that were not understood, in the order of the table."""
    wrong = set(errors)
    return [name for name in names_of(report) if name in wrong]
