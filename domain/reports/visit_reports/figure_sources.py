"""Where the figures of a report come from: what days store, of one value at a time, or their files, by filters."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Protocol, cast

from sqlalchemy.orm import Session

from domain.errors import ServiceUnavailable
from domain.reports.visit_reports import descriptions, stored_figures
from domain.reports.visit_reports.figures import StoredSums
from domain.reports.visit_reports.filed_figures import AUDIENCE, DAY, HOUR, FigureRequest, FigureRows
from domain.reports.visit_reports.stored_figures import Span, Value
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.days.figures import BY_VISIT
from domain.visits.stored_days.file_list import FileDays


class ReportUnavailable(ServiceUnavailable):
    """A report with filters has no answer now. Its text says what to do."""


class FigureSource(Protocol):
    """`reach`: the first day that it knows, None: as stored. `is_hourly`: whether it has figures by the hour."""

    @property
    def reach(self) -> date | None: ...
    @property
    def is_hourly(self) -> bool: ...
    def has_hours(self, day: date) -> bool: ...
    def is_comparable(self, before: Span, dimension: str = "") -> bool: ...
    def by_audience(self, span: Span) -> Mapping[str, StoredSums]: ...
    def without_session(self, span: Span) -> Mapping[str, StoredSums]: ...
    def by_key(self, dimension: str, audience: str, span: Span) -> Mapping[str, StoredSums]: ...
    def by_day(self, audience: str, span: Span) -> Mapping[date, StoredSums]: ...
    def by_hour(self, audience: str, day: date) -> Mapping[datetime, StoredSums]: ...


class StoredSource:
    """Stored figures of one value, or of everything."""

    reach = None

    def __init__(self, session: Session, value: Value):
        self._session, self._value = session, value

    @property
    def is_hourly(self) -> bool:
        return descriptions.is_hourly(self._value[0])

    def has_hours(self, day: date) -> bool:
        return stored_figures.has_hours(self._session, day)

    def is_comparable(self, before: Span, dimension: str = "") -> bool:
        """Whether a period that ends at an hour has figures of the value, or of the values of a dimension."""
        return before.cut is None or descriptions.is_hourly(dimension or self._value[0])

    def by_audience(self, span: Span) -> Mapping[str, StoredSums]:
        return stored_figures.by_audience(self._session, self._value, span)

    def without_session(self, span: Span) -> Mapping[str, StoredSums]:
        if self._value != stored_figures.EVERYTHING:
            return {}
        return stored_figures.by_audience(self._session, ("channel", WITHOUT_SESSION), span)

    def by_key(self, dimension: str, audience: str, span: Span) -> Mapping[str, StoredSums]:
        return stored_figures.by_key(self._session, dimension, audience, span)

    def by_day(self, audience: str, span: Span) -> Mapping[date, StoredSums]:
        return stored_figures.by_day(self._session, self._value, audience, span)

    def by_hour(self, audience: str, day: date) -> Mapping[datetime, StoredSums]:
        return stored_figures.by_hour(self._session, self._value, audience, day)


class FiledSource:
    """Figures from files, by requests. Without their answers it notes what is asked for, in `requests`, and everything
    is nothing: so a report says itself what it needs."""

    def __init__(self, filters: tuple[Value, ...], days: FileDays, found: Mapping[FigureRequest, FigureRows] | None):
        self.reach = days.first
        self.requests: dict[FigureRequest, None] = {}
        self._filters, self._found = filters, found
        self._is_of_pages = any(dimension in BY_VISIT for dimension, _ in filters)

    @property
    def is_hourly(self) -> bool:
        return not self._is_of_pages

    def has_hours(self, _day: date) -> bool:
        return True

    def is_comparable(self, before: Span, dimension: str = "") -> bool:
        """The file of pages has no hours."""
        return before.cut is None or (self.is_hourly and dimension not in BY_VISIT)

    def by_audience(self, span: Span) -> Mapping[str, StoredSums]:
        return self._rows(FigureRequest(AUDIENCE, "", span, self._filters))

    def without_session(self, span: Span) -> Mapping[str, StoredSums]:
        if any(dimension == "channel" for dimension, _ in self._filters):
            return {}
        return self._rows(FigureRequest(AUDIENCE, "", span, (*self._filters, ("channel", WITHOUT_SESSION))))

    def by_key(self, dimension: str, audience: str, span: Span) -> Mapping[str, StoredSums]:
        return self._rows(FigureRequest(dimension, audience, span, self._filters))

    def by_day(self, audience: str, span: Span) -> Mapping[date, StoredSums]:
        return cast("Mapping[date, StoredSums]", self._rows(FigureRequest(DAY, audience, span, self._filters)))

    def by_hour(self, audience: str, day: date) -> Mapping[datetime, StoredSums]:
        rows = self._rows(FigureRequest(HOUR, audience, Span(day, day), self._filters))
        return cast("Mapping[datetime, StoredSums]", rows)

    def _rows(self, request: FigureRequest) -> FigureRows:
        if self._found is not None:
            return self._found[request]
        self.requests[request] = None
        return {}
