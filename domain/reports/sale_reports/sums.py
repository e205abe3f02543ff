"""Sums of days of sales over a period: in each currency, and in the one that a report shows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from domain.money import shop_currency
from domain.reports import sale_days
from domain.reports.sale_days import SaleFigures, SaleKey
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import SaleDay, SaleRollup
from domain.visits.raw.local_days import DayRules, DayWindow

COLUMNS = SaleFigures._fields
_ONE_DAY = timedelta(days=1)
Sums = Counter[str]


@dataclass(frozen=True)
class SaleState:
    """`built_at`: when days of a period were last computed, None: never; `waiting`: its days that are to be computed
    again, because orders have changed."""

    built_at: datetime | None
    waiting: int


def state_of(session: Session, span: Span) -> SaleState:
    in_span = (SaleRollup.day >= span.since, SaleRollup.day <= span.until)
    built_at = session.scalar(select(func.max(SaleRollup.built_at)).where(*in_span))
    is_changed = (SaleRollup.built_at.is_not(None), SaleRollup.dirty_at.is_not(None))
    waiting = session.scalar(select(func.count()).select_from(SaleRollup).where(*in_span, *is_changed))
    return SaleState(built_at, waiting or 0)


def currencies(session: Session, *spans: Span | None) -> tuple[str, ...]:
    """The currencies of the sales and refunds of these days, that of the most orders first; with equal orders the
    shop's."""
    orders: Counter[str] = Counter()
    for span in filter(None, spans):
        in_span = (SaleDay.dimension == "all", SaleDay.day >= span.since, SaleDay.day <= span.until)
        query = select(SaleDay.currency, func.sum(SaleDay.orders)).where(*in_span).group_by(SaleDay.currency)
        orders.update({code: int(count) for code, count in session.execute(query)})
    own = shop_currency().code
    return tuple(sorted(orders, key=lambda code: (-orders[code], code != own, code)))


def window_of(rules: DayRules, span: Span) -> DayWindow:
    """The time of a period, up to its cut."""
    return DayWindow(rules.window(span.since).since, span.cut or rules.window(span.until).until)


class SaleReader:
    """Reads the sums of one currency."""

    def __init__(self, session: Session, rules: DayRules, currency: str):
        self._session = session
        self._rules = rules
        self._currency = currency
        self._cut_days: dict[Span, Sequence[tuple[SaleKey, SaleFigures]]] = {}

    def by_key(self, dimension: str, span: Span) -> Mapping[str, Sums]:
        """The sums of each value. Days of sales have no hours: of a day that is cut the orders themselves are read."""
        found: defaultdict[str, Sums] = defaultdict(Counter)
        last = span.until if span.cut is None else span.until - _ONE_DAY
        for key, *numbers in self._rows(dimension, span.since, last, SaleDay.key):
            _add(found[key], numbers)
        for key, figures in self._cut_day(dimension, span):
            _add(found[key], figures)
        return found

    def total(self, dimension: str, key: str, span: Span) -> Sums:
        """The sums of one value."""
        total: Sums = Counter()
        for found in self.by_day(dimension, span, key).values():
            total.update(found)
        return total

    def by_day(self, dimension: str, span: Span, key: str | None = None, without: str = "") -> Mapping[date, Sums]:
        """The sums of one value; of None: of all but `without`."""
        is_counted = SaleDay.key != without if key is None else SaleDay.key == key
        found: defaultdict[date, Sums] = defaultdict(Counter)
        last = span.until if span.cut is None else span.until - _ONE_DAY
        for day, *numbers in self._rows(dimension, span.since, last, SaleDay.day, is_counted):
            _add(found[day], numbers)
        for of_key, figures in self._cut_day(dimension, span):
            if of_key == key or (key is None and of_key != without):
                _add(found[span.until], figures)
        return found

    def _rows(
        self, dimension: str, first: date, last: date, group: Any, *conditions: ColumnElement[bool]
    ) -> Iterable[tuple[Any, ...]]:
        in_period = (SaleDay.dimension == dimension, SaleDay.day >= first, SaleDay.day <= last)
        sums = [func.sum(getattr(SaleDay, name)) for name in COLUMNS]
        is_chosen = (*in_period, SaleDay.currency == self._currency, *conditions)
        query = select(group, *sums).where(*is_chosen).group_by(group)
        return (tuple(row) for row in self._session.execute(query))

    def _cut_day(self, dimension: str, span: Span) -> Iterable[tuple[str, SaleFigures]]:
        if span.cut is None:
            return
        if span not in self._cut_days:
            since = self._rules.window(span.until).since
            self._cut_days[span] = sale_days.compute_window(self._session, DayWindow(since, span.cut))
        for key, figures in self._cut_days[span]:
            if (key.dimension, key.currency) == (dimension, self._currency):
                yield key.key, figures


def _add(sums: Sums, numbers: Iterable[Any]) -> None:
    sums.update(dict(zip(COLUMNS, map(int, numbers), strict=True)))
