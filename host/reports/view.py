"""What the page of a report shows of an answer."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from domain.display_text import count_text, day_text, minutes_text, percent_text, short_text
from domain.reports.visit_reports.answers import ReportAnswer, ReportRow, change_percent
from domain.reports.visit_reports.descriptions import DAY, HOUR, TIMES, label_of, name_of
from domain.reports.visit_reports.figures import FIGURES, Figure, FigureValue, definitions
from domain.reports.visit_reports.parameters import AUDIENCES, COMPARE, MAX_FILTERS, NAMES, ReportQuery, levels_of
from domain.reports.visit_reports.stored_figures import Value
from domain.text_direction import isolated
from domain.typed_values import read_day
from host.loaders.ui import table_cells as cells
from host.loaders.ui.chart_props import ChartProps, ChartSeries
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Cell, Column
from host.reports import links
from host.reports.models import ChosenValues, ReportField, ReportFigure, ReportFilter, ReportForm, ReportLink

NO_VALUE = "\N{EN DASH}"
COMPARE_TEXTS = {"previous": "Period before", "year": "Year earlier", "none": "Nothing"}
AUDIENCE_TEXTS = {"people": "People", "suspected": "Suspected programs", "crawlers": "Crawlers"}


def value_text(figure: Figure, value: FigureValue) -> str:
    if value is None:
        return NO_VALUE
    if figure.unit == "percent":
        return percent_text(value)
    return _time_text(round(value)) if figure.unit == "seconds" else count_text(round(value))


def _time_text(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes_text(minutes)} {count_text(rest)} s" if minutes else f"{count_text(rest)} s"


def figures(answer: ReportAnswer) -> list[ReportFigure]:
    texts, shown = definitions(), answer.query.report.shown
    return [
        {
            "key": key,
            "label": FIGURES[key].label,
            "value": value_text(FIGURES[key], answer.totals[key]),
            "change": _change(FIGURES[key], answer),
            "range": _range(answer) if key == "sessions" else "",
            "meaning": texts[key].meaning,
            "example": texts[key].example,
        }
        for key in shown
    ]


def _change(figure: Figure, answer: ReportAnswer) -> str:
    """A share changes by points, all else by percent; "" where nothing is compared."""
    if answer.previous is None:
        return ""
    now, before = answer.totals[figure.key], answer.previous[figure.key]
    earlier = f"before: {value_text(figure, before)}"
    if figure.unit == "percent":
        points = None if now is None or before is None else round(now - before, 1)
        return earlier if points is None else f"{_signed(points, short_text(abs(points)))} points ({earlier})"
    change = change_percent(now, before)
    return earlier if change is None else f"{_signed(change, percent_text(abs(change)))} ({earlier})"


def _signed(number: float, text: str) -> str:
    sign = "+" if number > 0 else "\N{MINUS SIGN}" if number < 0 else "±"
    return f"{sign}{text}"


def _range(answer: ReportAnswer) -> str:
    if answer.sessions_range is None:
        return ""
    low, high = answer.sessions_range
    return f"{count_text(low)} to {count_text(high)} are people"


def period_text(query: ReportQuery) -> str:
    if query.days == 1:
        return day_text(query.since)
    return f"{day_text(query.since)} to {day_text(query.until)}"


def chart(answer: ReportAnswer) -> ChartProps:
    """The chart shows the first figure of the report."""
    query, series = answer.query, answer.series
    figure = FIGURES[query.report.shown[0]]
    own: list[int | float | None] = [None if sums is None else figure.compute(sums) for sums in series.values]
    drawn: list[ChartSeries] = [{"label": figure.label, "values": own}]
    if series.previous:
        before = [None if sums is None else figure.compute(sums) for sums in series.previous]
        label = "A year earlier" if query.compare == "year" else "The period before"
        drawn.append({"label": label, "values": before, "isPrevious": True})
    has_values = any(own)
    props: ChartProps = {
        "kind": "bar" if series.kind == "hour" else "line",
        "title": f"{figure.label} by {series.kind}",
        "summary": _summary(answer, figure),
        "unit": "count",
        "unitLabel": AUDIENCE_TEXTS[query.audience],
        "period": f"{period_text(query)}, {'hours of UTC' if series.kind == 'hour' else answer.zone}",
        "points": {"kind": "time" if series.kind == "hour" else "day", "labels": series.labels},
        "series": drawn if has_values else [{"label": figure.label, "values": [None for _ in own]}],
        "empty": empty_text(answer) or "Nothing was counted by the hour.",
        "csvHref": None,
    }
    if series.unfinished_from is not None:
        props["unfinishedFrom"] = series.unfinished_from
    return props


def _summary(answer: ReportAnswer, figure: Figure) -> str:
    total = f"{value_text(figure, answer.totals[figure.key])} {figure.label.lower()}"
    if answer.previous is None:
        return f"{total}."
    return f"{total}, {value_text(figure, answer.previous[figure.key])} in the period that they are compared with."


def empty_text(answer: ReportAnswer) -> str:
    """Why there is nothing to show, else ""."""
    if answer.first_day is None:
        return "No day has been counted yet. The first figures appear a minute after the first visit."
    if answer.query.until < answer.first_day and answer.query.needs_files:
        return f"Filters reach back to {day_text(answer.first_day)}: choose later days, or remove filters."
    if answer.query.until < answer.first_day:
        return f"Visits are counted since {day_text(answer.first_day)}: choose later days."
    if answer.row_count == 0 and not answer.totals["visits"]:
        who = AUDIENCE_TEXTS[answer.query.audience].lower()
        fitting = " that fit the filters" if answer.query.filters else ""
        return f"No visits of {who}{fitting} were counted in these days."
    return ""


def table(answer: ReportAnswer, today: date) -> ShortTable:
    query = answer.query
    title = f"By {heading_of(query).lower()}" if query.by in TIMES else heading_of(query)
    shown = (_name(query, today), *_numbers(answer, is_file=False))
    return short_table("rows", title, empty_text(answer) or "No rows.", shown, answer.rows)


def file_columns(answer: ReportAnswer) -> tuple[Column[ReportRow], ...]:
    """Numbers as they are, for programs."""
    return (cells.text("name", heading_of(answer.query), _file_name(answer.query)), *_numbers(answer, is_file=True))


def heading_of(query: ReportQuery) -> str:
    levels = {**TIMES, **query.report.levels}
    return levels[query.by]


def _file_name(query: ReportQuery) -> Callable[[ReportRow], str]:
    return lambda row: row.key if query.by in TIMES else row.label


def _name(query: ReportQuery, today: date) -> Column[ReportRow]:
    is_full = len(query.filters) == MAX_FILTERS and query.by not in TIMES
    if query.by == HOUR or is_full or (query.by == DAY and query.days == 1):
        return cells.text("name", heading_of(query), lambda row: row.label)
    return cells.link("name", heading_of(query), lambda row: (row.label, _row_href(query, row.key, today)))


def _row_href(query: ReportQuery, key: str, today: date) -> str:
    if query.by == DAY:
        return links.day_href(query, read_day(key), today)
    return links.value_href(query, query.by, key, today)


def _numbers(answer: ReportAnswer, *, is_file: bool) -> Iterable[Column[ReportRow]]:
    """With how many sessions there were before, where rows are compared."""
    for key in answer.query.report.columns:
        yield _number(FIGURES[key], is_file=is_file)
        if key == "sessions" and any(row.previous for row in answer.rows):
            yield cells.count("before", "Before", _sessions_before)


def _sessions_before(row: ReportRow) -> int | None:
    return None if row.previous is None else int(row.previous["sessions"] or 0)


_UNITS = {"percent": " (%)", "seconds": " (s)", "count": ""}


def _number(figure: Figure, *, is_file: bool) -> Column[ReportRow]:
    label = figure.short + _UNITS[figure.unit] if is_file or figure.unit == "seconds" else figure.short
    if is_file or figure.unit != "percent":
        return cells.count(figure.key, label, lambda row: row.figures[figure.key])

    def texts(rows: Iterable[ReportRow]) -> list[Cell | None]:
        """A whole percent says too little of a conversion."""
        values = [row.figures[figure.key] for row in rows]
        return [None if value is None else {"kind": "text", "text": percent_text(value)} for value in values]

    return Column(figure.key, label, "count", texts)


def form(query: ReportQuery, today: date) -> ReportForm:
    fields: list[ReportField] = [
        _field("compare", "Compare with", query.compare, [(name, COMPARE_TEXTS[name]) for name in COMPARE]),
        _field("audience", "Who", query.audience, [(name, AUDIENCE_TEXTS[name]) for name in AUDIENCES]),
        _field("sort", "Sort by", query.sort, _sorts(query)),
    ]
    return {
        "path": links.path_of(query.report),
        "since": query.since.isoformat(),
        "until": query.until.isoformat(),
        "today": today.isoformat(),
        "fields": fields,
        "hidden": links.hidden(query),
    }


def _sorts(query: ReportQuery) -> list[tuple[str, str]]:
    """The highest figures first; of an order that the form does not offer, its own words."""
    heading = heading_of(query)
    names = [("-name", "Newest first"), ("name", "Oldest first")] if query.by in TIMES else [("name", heading)]
    found = [*names, *((f"-{key}", FIGURES[key].short) for key in query.report.columns)]
    if query.sort in dict(found):
        return found
    name = query.sort.removeprefix("-")
    return [*found, (query.sort, f"{heading if name == 'name' else FIGURES[name].short}, the other way")]


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


def chosen(query: ReportQuery, today: date) -> ChosenValues | None:
    if not query.filters:
        return None
    filters: list[ReportFilter] = [
        {"text": filter_text(value), "href": links.without_href(query, value, today)} for value in query.filters
    ]
    return {"filters": filters, "href": links.all_href(query, today)}


def filter_text(value: Value) -> str:
    dimension, key = value
    return f"{name_of(dimension)}: {isolated(label_of(dimension, key))}"


def notes(answer: ReportAnswer) -> list[str]:
    left, found = answer.left_out, list(answer.notes)
    if left.suspected or left.crawlers:
        found.append(
            f"Left out: {count_text(left.suspected)} visits of suspected programs and {count_text(left.crawlers)} of "
            "crawlers."
        )
    if left.without_session:
        found.append(
            f"{count_text(left.without_session)} of the visits have no session: these browsers ask not to be followed."
        )
    if answer.query.report.name == "pages" and answer.query.by not in TIMES:
        found.append("A session is in the row of each page that it opened, so sessions do not add up.")
    return found


def ignored(errors: Iterable[str]) -> list[str]:
    """Parameters that were not understood, in the order of the table."""
    wrong = set(errors)
    return [name for name in NAMES if name in wrong]
