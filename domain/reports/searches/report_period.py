"""What both reports say of their period: whether it can be compared, and what is still to be counted."""

from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.display_text import count_text, day_text
from domain.reports.searches.sums import Days
from domain.reports.visit_reports import stored_figures
from domain.reports.visit_reports.answers import LeftOut
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import BuiltState, Span
from domain.visits.raw.local_days import DayRules

DEFINITIONS = Path(__file__).parent / "definitions.json"
NOTHING_LEFT_OUT = LeftOut(0, 0, 0)
NOTHING_COUNTED = "No day has been counted yet. The first figures appear a minute after the first visit."


class ReportPeriod(NamedTuple):
    """`before`: the days that these are compared with, None: nothing. Days of searches have no hours: a period that is
    not over is compared day by day in the chart alone."""

    days: Days
    before: Days | None
    state: BuiltState
    is_unfinished: bool
    notes: list[str]

    @property
    def compared(self) -> Days | None:
        """The earlier days whose totals and rows are compared."""
        return None if self.is_unfinished else self.before

    def notes_with(self, not_over: str) -> list[str]:
        """`not_over`: what is said where a period that is not over is not compared."""
        return [*self.notes, *([not_over] if self.is_unfinished and self.before is not None else [])]


def period_of(session: Session, query: ReportQuery, rules: DayRules, at: datetime) -> ReportPeriod:
    state = stored_figures.built_state(session, Span(query.since, query.until))
    before, shift, first = None, query.shift, state.first_day
    if shift is not None and first is not None and first <= query.since - shift:
        before = Days(query.since - shift, query.until - shift)
    notes = _notes(query, state, is_compared=before is not None)
    return ReportPeriod(Days(query.since, query.until), before, state, rules.day_of(at) <= query.until, notes)


def _notes(query: ReportQuery, state: BuiltState, *, is_compared: bool) -> list[str]:
    notes, first = [], state.first_day
    if first is not None and query.since < first:
        notes.append(f"Days are counted since {day_text(first)}.")
    if state.waiting:
        days = "1 day is" if state.waiting == 1 else f"{count_text(state.waiting)} days are"
        notes.append(f"{days} still to be computed again; the figures may change within minutes.")
    if query.shift is not None and not is_compared and first is not None:
        notes.append("Nothing is compared: the earlier period was not counted as a whole.")
    return notes


def empty_period(query: ReportQuery, first_day: date | None) -> str:
    """Why nothing can be shown of these days, else ""."""
    if first_day is None:
        return NOTHING_COUNTED
    return f"Days are counted since {day_text(first_day)}: choose later days." if query.until < first_day else ""
