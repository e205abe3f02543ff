"""A report, from the figures of days of visits: totals, a series over its period, and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy.orm import Session

from domain.display_text import clock_text, count_text, day_text
from domain.reports.visit_reports import stored_figures
from domain.reports.visit_reports.day_progress import ReportProgress
from domain.reports.visit_reports.descriptions import DAY, HOUR, label_of
from domain.reports.visit_reports.figure_sources import FigureSource, FiledSource, StoredSource
from domain.reports.visit_reports.figures import FIGURES, FigureSums, FigureValue, StoredSums, figures_of
from domain.reports.visit_reports.filed_figures import FigureRequest, FigureRows
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import EVERYTHING, BuiltState, Span
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.raw.local_days import DayRules
from domain.visits.stored_days import file_list
from domain.visits.stored_days.file_list import FileDays

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
Figures = dict[str, FigureValue]
UP_TO_NOW = "The period is not over: it is compared up to the same time of its last day, to the nearest hour."
NOT_OVER = "The period is not over: this value is compared once it is."


class ReportMark(NamedTuple):
    """Something that happened: `what` is published, read or changed."""

    at: datetime
    what: Literal["published", "read", "changed"]


@dataclass(frozen=True)
class ReportRow:
    """`key`: the stored value, a day or an hour. `previous` None: there is nothing to compare with. `words`: texts of
    the columns `words` of the report; `links`: where some of them lead. `instead`: texts that a page shows in place of
    figures. `href`: where the row leads, "": to the report of its value. `marks`: what happened, where the report has a
    strip."""

    key: str
    label: str
    figures: Figures
    previous: Figures | None
    words: Mapping[str, str] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)
    href: str = ""
    marks: tuple[ReportMark, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportSeries:
    """`labels`: days, hours in UTC, months as 2026-03, or names. A value None: nothing was counted then. `previous` is
    empty without a comparison. `unfinished_from`: the first point whose values will change. `each`: what a point is,
    where its kind does not say it."""

    kind: Literal["day", "hour", "month", "name"]
    labels: list[str]
    values: Sequence[FigureSums | None]
    previous: Sequence[FigureSums | None]
    unfinished_from: int | None
    each: str = ""


@dataclass(frozen=True)
class LeftOut:
    """Visits that the figures do not count: `suspected` and `crawlers` of other audiences; `without_session` are in
    visits and in no sessions."""

    suspected: int
    crawlers: int
    without_session: int


@dataclass(frozen=True)
class ReportAnswer:
    """`low` and `high`: how many sessions of people there were at least and at most, of the audience people alone.
    `row_count`: of all pages. `first_day`: since when visits are counted, None: not yet. The rest
    is not of reports about days of visits: `empty`: why there is nothing to show, "" when there is something;
    `currency`: of amounts, one of `currencies`; `chosen_label`: the chosen value in words. `progress`: None: all days
    that it reads have been computed."""

    query: ReportQuery
    zone: str
    built_at: datetime | None
    first_day: date | None
    is_unfinished: bool
    totals: Figures
    previous: Figures | None
    sessions_range: tuple[int, int] | None
    left_out: LeftOut
    series: ReportSeries
    rows: list[ReportRow]
    row_count: int
    has_more: bool
    notes: list[str]
    empty: str | None = None
    currency: str | None = None
    currencies: tuple[str, ...] = ()
    chosen_label: str = ""
    progress: ReportProgress | None = None

    @property
    def is_blank(self) -> bool:
        """Whether no day that it is of has been computed yet: it says nothing."""
        return self.progress is not None and self.progress.is_blank


class ReportPeriods(NamedTuple):
    """`before` None: no comparison."""

    now: Span
    before: Span | None


def answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    """From stored figures. `limit`: how many rows there are on a page, None: as many as the query says."""
    return _answer(session, _About(query, rules, at, StoredSource(session, query.chosen or EVERYTHING)), limit)


class FiledFigures(NamedTuple):
    """What the requests of a plan gave."""

    days: FileDays
    answers: Mapping[FigureRequest, FigureRows]


class FiledPlan(NamedTuple):
    """Which days had files when a report was asked for, and what it is made from."""

    days: FileDays
    requests: Sequence[FigureRequest]


def plan_of(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, oldest: date | None = None
) -> FiledPlan:
    """`oldest`: the first day whose files are not deleted yet, None: that of the first visit."""
    days = file_list.file_days(session, oldest)
    source = FiledSource(query.filters, days, None)
    _answer(session, _About(query, rules, at, source), None)
    return FiledPlan(days, list(source.requests))


def filtered_answer(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, figures: FiledFigures
) -> ReportAnswer:
    """From the files of days that there were for the plan: there may be more by now."""
    return _answer(session, _About(query, rules, at, FiledSource(query.filters, *figures)), None)


def blank_answer(session: Session, query: ReportQuery, rules: DayRules, at: datetime) -> ReportAnswer:
    """A report with filters without any figures."""
    return _answer(session, _About(query, rules, at, FiledSource(query.filters, FileDays(query.since), None)), None)


def _answer(session: Session, about: "_About", limit: int | None) -> ReportAnswer:
    query, rules, source = about.query, about.rules, about.source
    spans = periods_of(query, rules, about.at)
    state = stored_figures.built_state(session, spans.now)
    if source.reach is not None:
        state = state._replace(first_day=source.reach)
        spans = spans._replace(now=spans.now._replace(since=max(spans.now.since, source.reach)))
    before = spans.before if has_before(source, spans.before, state) else None
    about = about._replace(now=spans.now, before=before, state=state)
    found = source.by_audience(spans.now)
    own = found.get(query.audience, StoredSums.zeros())
    rows = _rows(about)
    return ReportAnswer(
        query,
        rules.zone,
        state.built_at,
        state.first_day,
        about.is_unfinished,
        figures_of(own, _columns(query)),
        _previous(about),
        (own["confirmed"], sum(sums["possible"] for sums in found.values())) if query.audience == "people" else None,
        _left_out(about, found),
        _series(about),
        *page_of_rows(rows, query, limit),
        _notes(about, is_compared=spans.before is not None),
    )


def page_of_rows(rows: list[ReportRow], query: ReportQuery, limit: int | None) -> tuple[list[ReportRow], int, bool]:
    """The rows of the page, how many there are of all pages, and whether there are more after it."""
    first, limit = (query.page - 1) * query.limit, limit or query.limit
    return rows[first : first + limit], len(rows), len(rows) > first + limit


class _About(NamedTuple):
    """`source`: where the figures are. `before`: what they are compared with, None: nothing."""

    query: ReportQuery
    rules: DayRules
    at: datetime
    source: FigureSource
    now: Span = Span(date.min, date.min)
    before: Span | None = None
    state: BuiltState = BuiltState(None, None, 0)

    @property
    def is_unfinished(self) -> bool:
        return self.rules.day_of(self.at) <= self.query.until


def _columns(query: ReportQuery) -> tuple[str, ...]:
    """The figures that are made from days of visits: a report may show others beside them."""
    names = dict.fromkeys((*query.report.shown, *query.report.columns))
    return tuple(name for name in names if name in FIGURES)


def periods_of(query: ReportQuery, rules: DayRules, at: datetime) -> ReportPeriods:
    """A period that is not over is compared up to the same time of its last day, to the nearest hour."""
    shift, now = query.shift, Span(query.since, query.until)
    if shift is None:
        return ReportPeriods(now, None)
    last = query.until - shift
    if rules.day_of(at) != query.until:
        return ReportPeriods(now, Span(query.since - shift, last))
    passed = at - rules.window(query.until).since
    cut = rules.window(last).since + passed + _HOUR / 2
    return ReportPeriods(now, Span(query.since - shift, last, cut.replace(minute=0, second=0, microsecond=0)))


def has_before(source: FigureSource, before: Span | None, state: BuiltState) -> bool:
    """Whether all of the earlier period was counted, and can be cut where it must be."""
    if before is None or state.first_day is None or state.first_day > before.since:
        return False
    return before.cut is None or source.has_hours(before.until)


def _previous(about: _About) -> Figures | None:
    """Without figures by the hour, a period that is not over cannot be compared."""
    if about.before is None or not about.source.is_comparable(about.before):
        return None
    found = about.source.by_audience(about.before)
    return figures_of(found.get(about.query.audience, StoredSums.zeros()), _columns(about.query))


def _left_out(about: _About, found: Mapping[str, StoredSums]) -> LeftOut:
    """`found`: of each audience. Of the others nothing is left out when one of them is what is shown."""
    alone = about.source.without_session(about.now)
    others = found if about.query.audience == "people" else {}
    return LeftOut(
        suspected=others.get("suspected", StoredSums.zeros())["visits"],
        crawlers=others.get("crawlers", StoredSums.zeros())["visits"],
        without_session=alone.get(about.query.audience, StoredSums.zeros())["visits"],
    )


def _series(about: _About) -> ReportSeries:
    query, before, first = about.query, about.before, about.state.first_day
    if query.days == 1 and about.source.is_hourly and about.source.has_hours(query.since):
        return _hours(about)
    days = [query.since + number * _DAY for number in range(query.days)]
    found = about.source.by_day(query.audience, about.now)
    values = [None if first is None or day < first else found.get(day, StoredSums.zeros()) for day in days]
    earlier: list[StoredSums | None] = []
    if before is not None:
        counted = about.source.by_day(query.audience, before)
        earlier = [counted.get(before.since + number * _DAY, StoredSums.zeros()) for number in range(query.days)]
        if not about.source.is_comparable(before):
            # A whole day beside a part of one.
            earlier[-1] = None
    unfinished = query.days - 1 if about.is_unfinished else None
    return ReportSeries("day", [day.isoformat() for day in days], values, earlier, unfinished)


def _hours(about: _About) -> ReportSeries:
    query, before, at = about.query, about.before, about.at
    hours = hours_of(query.since, about.rules)
    found = about.source.by_hour(query.audience, query.since)
    values: list[StoredSums | None] = [None if hour > at else found.get(hour, StoredSums.zeros()) for hour in hours]
    earlier: list[StoredSums | None] = []
    if before is not None:
        counted = about.source.by_hour(query.audience, before.since)
        all_earlier = [counted.get(hour, StoredSums.zeros()) for hour in hours_of(before.since, about.rules)]
        # A day of 23 hours has no value for the last of a usual one.
        earlier = [*all_earlier, None, None][: len(hours)]
    begun = [place for place, hour in enumerate(hours) if hour <= at]
    labels = [_hour_key(hour) for hour in hours]
    return ReportSeries("hour", labels, values, earlier, begun[-1] if about.is_unfinished and begun else None)


def _hour_key(hour: datetime) -> str:
    return hour.replace(tzinfo=None).isoformat(timespec="minutes")


def hours_of(day: date, rules: DayRules) -> list[datetime]:
    """The hours of UTC that a day has a part of."""
    window = rules.window(day)
    first = window.since.replace(minute=0, second=0, microsecond=0)
    count = -((first - window.until) // _HOUR)
    return [first + number * _HOUR for number in range(count)]


def _rows(about: _About) -> list[ReportRow]:
    query, columns = about.query, about.query.report.columns
    if query.by == DAY:
        days = about.source.by_day(query.audience, about.now)
        rows = [ReportRow(f"{day}", day_text(day), figures_of(sums, columns), None) for day, sums in days.items()]
    elif query.by == HOUR:
        hours = about.source.by_hour(query.audience, query.since)
        rows = [
            ReportRow(_hour_key(hour), f"{clock_text(hour)} UTC", figures_of(sums, columns), None)
            for hour, sums in hours.items()
        ]
    else:
        rows = _values(about)
    return sorted_rows(rows, query.sort)


def _values(about: _About) -> list[ReportRow]:
    query, columns, before = about.query, about.query.report.columns, about.before
    found = dict(about.source.by_key(query.by, query.audience, about.now))
    if query.chosen is not None and not query.needs_files:
        # Every session of the chosen value has one of this dimension, and no other session has.
        found.pop("(none)", None)
        found.pop(WITHOUT_SESSION, None)
    earlier: Mapping[str, StoredSums] | None = None
    if before is not None and about.source.is_comparable(before, query.by):
        earlier = about.source.by_key(query.by, query.audience, before)
    return [
        ReportRow(
            key,
            label_of(query.by, key),
            figures_of(sums, columns),
            None if earlier is None else figures_of(earlier.get(key, StoredSums.zeros()), columns),
        )
        for key, sums in found.items()
    ]


def sorted_rows(rows: Sequence[ReportRow], sort: str) -> list[ReportRow]:
    """Rows with equal figures by their keys; those without the figure come last."""
    name, is_descending = sort.removeprefix("-"), sort.startswith("-")
    by_key = sorted(rows, key=lambda row: row.key)
    if name == "name":
        return by_key[::-1] if is_descending else by_key

    def place(row: ReportRow) -> tuple[bool, float]:
        number = row.figures[name]
        return number is None, 0 if number is None else -number if is_descending else number

    return sorted(by_key, key=place)


def _notes(about: _About, *, is_compared: bool) -> list[str]:
    query, first, before = about.query, about.state.first_day, about.before
    notes = []
    if first is not None and query.since < first:
        day = day_text(first)
        notes.append(f"Filters reach back to {day}." if query.needs_files else f"Visits are counted since {day}.")
    if about.state.waiting:
        days = "1 day is" if about.state.waiting == 1 else f"{count_text(about.state.waiting)} days are"
        notes.append(f"{days} still to be computed again; the figures may change within minutes.")
    if is_compared and before is None and first is not None:
        notes.append("Nothing is compared: the earlier period was not counted as a whole.")
    if before is not None and before.cut is not None:
        notes.append(UP_TO_NOW if about.source.is_comparable(before) else NOT_OVER)
        if query.by in query.report.dimensions and not about.source.is_comparable(before, query.by):
            notes.append("Rows are compared once the period is over.")
    return notes


def change_percent(now: FigureValue, before: FigureValue) -> FigureValue:
    """By how many percent a count has changed, with one decimal; None from nothing."""
    if now is None or not before:
        return None
    return round(100 * (now - before) / before, 1)
