"""What reports of money have in common: the period and what it is compared with, the currency, and how an answer is
put together."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text
from domain.money import shop_currency
from domain.reports.sale_reports import sums
from domain.reports.sale_reports.sums import SaleReader, Sums
from domain.reports.visit_reports import stored_figures
from domain.reports.visit_reports.answers import (
    UP_TO_NOW,
    Figures,
    LeftOut,
    ReportAnswer,
    ReportRow,
    ReportSeries,
    has_before,
    page_of_rows,
    periods_of,
    sorted_rows,
)
from domain.reports.visit_reports.figure_sources import StoredSource
from domain.reports.visit_reports.figures import FigureSums
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.visits.raw.local_days import DayRules, DayWindow

_ONE_DAY = timedelta(days=1)
PEOPLE = "people"
NO_LEFT_OUT = LeftOut(0, 0, 0)


@dataclass(frozen=True)
class ReportParts:
    """What a report of money has of its own. `empty`: why there is nothing to show, else "". `has_visits`:
    it says anything of visits."""

    totals: Figures
    previous: Figures | None
    series: ReportSeries
    rows: Sequence[ReportRow]
    empty: str
    notes: Sequence[str] = ()
    chosen_label: str = ""
    has_visits: bool = True


class SaleFrame:
    """A report that is asked for at a time."""

    def __init__(self, session: Session, query: ReportQuery, rules: DayRules, at: datetime):
        self.session = session
        self.query = query
        self.rules = rules
        self.at = at
        self.periods = periods_of(query, rules, at)
        self.currencies = sums.currencies(session, self.periods.now, self.periods.before)
        usual = self.currencies[0] if self.currencies else shop_currency().code
        self.currency = query.currency or usual
        self.sales = SaleReader(session, rules, self.currency)
        self.visit_state = stored_figures.built_state(session, self.periods.now)

    @property
    def now(self) -> Span:
        return self.periods.now

    @property
    def before(self) -> Span | None:
        return self.periods.before

    def window(self, span: Span) -> DayWindow:
        return sums.window_of(self.rules, span)

    def visits_before(self, dimension: str) -> Span | None:
        """The earlier period where its visits can be compared: only some dimensions have hours, to cut its last day."""
        before, source = self.before, StoredSource(self.session, (dimension, ""))
        if before is None or not source.is_comparable(before):
            return None
        return before if has_before(source, before, self.visit_state) else None

    def series(self, by_day: Callable[[Span], Mapping[date, FigureSums]]) -> ReportSeries:
        """The days of the period; `by_day`: the sums of each that has any."""
        query, before = self.query, self.before
        days = [query.since + number * _ONE_DAY for number in range(query.days)]
        found = by_day(self.now)
        zero: Sums = Counter()
        earlier: list[FigureSums | None] = []
        if before is not None:
            counted = by_day(before)
            earlier = [counted.get(before.since + number * _ONE_DAY, zero) for number in range(query.days)]
        unfinished = query.days - 1 if self.is_unfinished else None
        return ReportSeries(
            "day", [f"{day}" for day in days], [found.get(day, zero) for day in days], earlier, unfinished
        )

    @property
    def is_unfinished(self) -> bool:
        return self.rules.day_of(self.at) <= self.query.until

    def answer(self, parts: ReportParts, limit: int | None) -> ReportAnswer:
        state = sums.state_of(self.session, self.now)
        built = [at for at in (state.built_at, self.visit_state.built_at) if at is not None]
        rows = sorted_rows(parts.rows, self.query.sort)
        return ReportAnswer(
            self.query,
            self.rules.zone,
            min(built, default=None),
            None,
            self.is_unfinished,
            parts.totals,
            parts.previous,
            None,
            NO_LEFT_OUT,
            parts.series,
            *page_of_rows(rows, self.query, limit),
            [*self._notes(state.waiting, has_visits=parts.has_visits), *parts.notes],
            parts.empty,
            self.currency,
            self.all_currencies,
            parts.chosen_label,
        )

    @property
    def all_currencies(self) -> tuple[str, ...]:
        """That of the report too, where nothing was sold in it."""
        return tuple(dict.fromkeys((*self.currencies, self.currency)))

    def currency_notes(self) -> list[str]:
        others = [code for code in self.currencies if code != self.currency]
        if not others:
            return []
        return [f"Amounts and orders are those in {self.currency}. There are also sales in {', '.join(others)}."]

    def _notes(self, waiting: int, *, has_visits: bool) -> list[str]:
        notes = self.currency_notes()
        first = self.visit_state.first_day
        if not has_visits:
            pass
        elif first is None:
            notes.append("No day of visits has been counted yet.")
        elif self.query.since < first:
            notes.append(f"Visits are counted since {day_text(first)}.")
        if waiting:
            days = "1 day of sales is" if waiting == 1 else f"{count_text(waiting)} days of sales are"
            notes.append(f"{days} to be computed again; the amounts may change within minutes.")
        if self.before is not None and self.before.cut is not None:
            notes.append(UP_TO_NOW)
        return notes
