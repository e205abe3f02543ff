"""Figures of visits that fit several filters, from the files of days. What a report needs is asked for at once, as a
list of requests: the files may be on another machine, whose worker answers them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.orm import Session

from domain.reports.visit_reports.figures import StoredSums
from domain.reports.visit_reports.stored_figures import Span, Value
from domain.reports.warehouse import PAGES, SESSIONS, TABLES, Warehouse, WarehouseUnavailable
from domain.visits.days.figures import BY_VISIT
from domain.visits.days.paths import PurchaseStep
from domain.visits.days.traffic_class import CONFIRMED, POSSIBLE, TrafficClass, audience_of
from domain.visits.raw.local_days import hour_of, microseconds, time_of_hour
from domain.visits.stored_days import file_list
from domain.visits.stored_days.file_list import FileKind
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


@dataclass(frozen=True)
class FiledFigures:
    """The answers to requests, by which a report is made as from stored figures."""

    answers: Mapping[FigureRequest, FigureRows]

    def rows_of(self, request: FigureRequest) -> FigureRows:
        return self.answers[request]


def read(session: Session, warehouse: Warehouse, requests: Sequence[FigureRequest]) -> dict[FigureRequest, FigureRows]:
    """Raises WarehouseUnavailable."""
    lists = {kind: file_list.current(session, kind) for kind in TABLES}
    found: dict[FigureRequest, FigureRows] = {}
    for request in requests:
        kind, statement = statement_of(request)
        sources = file_list.sources(lists[kind], request.span.since, request.span.until)
        rows = warehouse.rows_of(statement, {kind: sources})
        found[request] = figures_of_rows(request, rows)
    return found


def read_again(
    session: Session, warehouse: Warehouse, requests: Sequence[FigureRequest]
) -> dict[FigureRequest, FigureRows]:
    """As `read`; a file that was deleted since the list was read is not in the list of now. Raises
    WarehouseUnavailable."""
    try:
        return read(session, warehouse, requests)
    except WarehouseUnavailable:
        return read(session, warehouse, requests)


def statement_of(request: FigureRequest) -> tuple[FileKind, Select[Any]]:
    """The statement and the file that it is over: that of pages only for what is of single pages."""
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
    return kind, select(key, *numbers).where(*conditions).group_by(key)


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
