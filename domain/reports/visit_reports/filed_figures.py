"""Figures of visits that fit several filters, from the files of days. What a report needs is asked for at once, as a
list of requests: the files may be on another machine, whose worker answers them all."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.orm import Session

from domain.reports.visit_reports.figures import StoredSums
from domain.reports.visit_reports.stored_figures import Span, Value
from domain.reports.warehouse import PAGES, SESSIONS, TABLES, Warehouse
from domain.visits.days.figures import BY_VISIT
from domain.visits.days.paths import PurchaseStep
from domain.visits.days.traffic_class import CONFIRMED, POSSIBLE, TrafficClass, audience_of
from domain.visits.raw.local_days import hour_of, microseconds, time_of_hour
from domain.visits.stored_days import file_list
from domain.visits.stored_days.file_list import FileKind, WrittenFile
from domain.visits.stored_days.keys import NAMES

# What rows may be of, beside a dimension.
AUDIENCE, DAY, HOUR = "audience", "day", "hour"
_STEPS = [step for step in PurchaseStep if step >= PurchaseStep.PRODUCT]
_CLASSES: Mapping[str, Sequence[str]] = {
    audience: [str(one) for one in TrafficClass if audience_of(one) == audience]
    for audience in ("people", "suspected", "crawlers")
}
# Which column of `pages` counts each session once, by the dimensions that say of which page it is: with a page and a
# path the one of both.
_COUNTED_ONCE = {"page": "page_sessions", "path": "path_sessions", "product": "product_sessions"}


class FigureRequest(NamedTuple):
    """The figures of a span of days. `by`: a dimension, or AUDIENCE, DAY or HOUR; `audience`: "" for each of them."""

    by: str
    audience: str
    span: Span
    filters: tuple[Value, ...] = ()


# Text, day or hour -> figures.
FigureRows = dict[Any, StoredSums]


Lists = Mapping[FileKind, Sequence[WrittenFile]]


def current_lists(session: Session) -> Lists:
    """The files that there are now."""
    return {kind: file_list.current(session, kind) for kind in TABLES}


def has_files(warehouse: Warehouse, lists: Lists) -> bool:
    """Whether they are on this machine."""
    return all(warehouse.has(file.name) for files in lists.values() for file in files)


def read(warehouse: Warehouse, lists: Lists, requests: Iterable[FigureRequest]) -> dict[FigureRequest, FigureRows]:
    """Raises WarehouseUnavailable: also when a file was deleted since the lists were read."""
    found: dict[FigureRequest, FigureRows] = {}
    listed = list(requests)
    by_day = {request._replace(by=AUDIENCE, audience=""): request for request in listed if request.by == DAY}
    # The figures of every audience and the days of one are found in one look at the files.
    for whole, of_days in by_day.items():
        if whole in listed:
            rows = _rows_of(warehouse, lists, whole, DAY)
            classes = _CLASSES[of_days.audience] if of_days.audience else [str(one) for one in TrafficClass]
            found[whole] = figures_of_rows(whole, [(name, *numbers) for name, _, *numbers in rows])
            found[of_days] = figures_of_rows(of_days, [row[1:] for row in rows if row[0] in classes])
    for request in listed:
        if request not in found:
            found[request] = figures_of_rows(request, _rows_of(warehouse, lists, request))
    return found


def _rows_of(warehouse: Warehouse, lists: Lists, request: FigureRequest, *more: str) -> list[tuple[Any, ...]]:
    kind, statement = statement_of(request, *more)
    sources = file_list.sources(lists[kind], request.span.since, request.span.until)
    return warehouse.rows_of(statement, {kind: sources})


def statement_of(request: FigureRequest, *more: str) -> tuple[FileKind, Select[Any]]:
    """The statement and the file that it is over: that of pages only for what is of single pages. `more`: columns that
    rows are of too."""
    dimensions = {dimension for dimension, _ in request.filters} | {request.by}
    is_of_pages = not dimensions.isdisjoint(BY_VISIT)
    kind: FileKind = "pages" if is_of_pages else "sessions"
    columns = (PAGES if is_of_pages else SESSIONS).c
    traffic_class = columns.traffic_class
    # Rows by audience are those by class, of which each audience has some.
    key = traffic_class if request.by == AUDIENCE else columns[request.by]
    numbers = _of_pages(dimensions) if is_of_pages else _of_sessions()
    conditions: list[ColumnElement[bool]] = [columns.day >= request.span.since, columns.day <= request.span.until]
    if request.audience:
        conditions.append(traffic_class.in_(_CLASSES[request.audience]))
    if request.span.cut is not None:
        is_early = columns.hour < hour_of(microseconds(request.span.cut))
        conditions.append(case((columns.day == request.span.until, is_early), else_=True))
    conditions += [columns[dimension] == value for dimension, value in request.filters]
    if request.by in BY_VISIT:
        # No product is no value.
        conditions.append(key != "")
    keys = [key, *(columns[name] for name in more)]
    return kind, select(*keys, *numbers).where(*conditions).group_by(*keys)


def _of_sessions() -> list[ColumnElement[Any]]:
    columns = SESSIONS.c
    return [
        *_counted(columns.visits, columns.sessions, columns.traffic_class),
        *(func.sum(columns[name]) for name in ("bounces", "timed_sessions", "seconds")),
        *(_sum_if(columns.reached >= int(step), columns.sessions) for step in _STEPS),
    ]


def _of_pages(dimensions: set[str]) -> list[ColumnElement[Any]]:
    """Only visits and sessions are counted by page."""
    places = dimensions & set(BY_VISIT)
    sessions = PAGES.c[_COUNTED_ONCE[places.pop()] if len(places) == 1 else "sessions"]
    return _counted(PAGES.c.visits, sessions, PAGES.c.traffic_class)


def _counted(
    visits: ColumnElement[Any], sessions: ColumnElement[Any], traffic_class: ColumnElement[Any]
) -> list[ColumnElement[Any]]:
    certain = (_sum_if(traffic_class.in_(sorted(classes)), sessions) for classes in (CONFIRMED, POSSIBLE))
    return [func.sum(visits), func.sum(sessions), *certain]


def _sum_if(condition: ColumnElement[bool], column: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.sum(case((condition, column), else_=0))


def figures_of_rows(request: FigureRequest, rows: Sequence[Sequence[Any]]) -> FigureRows:
    found: FigureRows = {}
    for key, *numbers in rows:
        name = _key_of(request, key)
        sums = StoredSums.of([*numbers, *(0 for _ in NAMES[len(numbers) :])])
        found[name] = found.get(name, StoredSums.zeros()).plus(sums)
    return found


def _key_of(request: FigureRequest, key: Any) -> Any:
    if request.by == AUDIENCE:
        return audience_of(TrafficClass(key))
    return time_of_hour(key) if request.by == HOUR else key


def to_wire(request: FigureRequest) -> list[Any]:
    """As in contracts/payloads.py, RunReport."""
    since, until, cut = request.span
    hour = None if cut is None else hour_of(microseconds(cut))
    days = (since.isoformat(), until.isoformat(), hour)
    return [request.by, request.audience, *days, [list(value) for value in request.filters]]


def from_wire(wire: Sequence[Any]) -> FigureRequest:
    """Raises ValueError, TypeError."""
    by, audience, since, until, hour, filters = wire
    cut = None if hour is None else time_of_hour(hour)
    span = Span(date.fromisoformat(since), date.fromisoformat(until), cut)
    return FigureRequest(by, audience, span, tuple((str(name), str(value)) for name, value in filters))


def rows_to_wire(rows: FigureRows) -> list[Any]:
    """Days as text, hours as numbers since 1970."""
    return [[_wire_key(key), list(sums.values())] for key, sums in rows.items()]


def rows_from_wire(request: FigureRequest, wire: Sequence[Any]) -> FigureRows:
    readers: Mapping[str, Callable[[Any], Any]] = {DAY: date.fromisoformat, HOUR: time_of_hour}
    read_key = readers.get(request.by, str)
    return {read_key(key): StoredSums.of(numbers) for key, numbers in wire}


def _wire_key(key: Any) -> str | int:
    if isinstance(key, datetime):
        return hour_of(microseconds(key))
    return key.isoformat() if isinstance(key, date) else str(key)
