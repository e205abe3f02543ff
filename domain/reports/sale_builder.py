"""Computes days of sales and stores them: those that are due, when beat or a loop of a host asks, or those of a
command."""

import logging
import time
from collections.abc import Callable, Sequence
from datetime import date, datetime

from sqlalchemy.exc import SQLAlchemyError

from domain.database.database import Database
from domain.reports import sale_days, sale_storage
from domain.reports.sale_storage import ComputedSales
from domain.visits.raw.local_days import DayRules

log = logging.getLogger("coursefront.reports.sales")

# A run ends before the next one begins; what is due still waits for that.
RUN_S = 30.0


class SaleDayBuilder:
    """Orders are read without any lock; only storing the result is a transaction that writes. Any number of processes
    may do so at a time: of two that read the same day, the second stores nothing."""

    def __init__(self, database: Database, rules: DayRules, now: Callable[[], datetime]):
        self._database = database
        self._rules = rules
        self._now = now

    def build_due(self, run_s: float = RUN_S) -> int:
        """The number of days that were stored."""
        until, built = time.monotonic() + run_s, 0
        self.find_changed()
        with self._database.read_session() as session:
            days = sale_storage.due_days(session, self._rules, self._now())
        for day in days:
            if time.monotonic() >= until:
                break
            try:
                built += self.build(day)
            except SQLAlchemyError:
                raise
            except Exception:
                # A row that nobody expects, for example: the other days are computed all the same.
                log.exception("the sales of %s cannot be computed", day)
        return built

    def find_changed(self) -> None:
        """Mark the days whose orders have changed since they were last looked for."""
        with self._database.read_session() as session:
            changes = sale_storage.find_changes(session, self._rules, self._now())
        self._database.write_sync(sale_storage.note_changes, changes)

    def build(self, day: date) -> bool:
        """Whether the day is stored as it was computed: not when another process has stored it meanwhile."""
        computed = self.compute(day)
        if computed is None:
            self._database.write_sync(sale_storage.add_day, day, self._now())
            computed = self.compute(day)
        is_changed = None if computed is None else self._database.write_sync(sale_storage.store, computed, self._rules)
        if is_changed:
            log.info("the sales of %s have changed", day)
        return is_changed is not None

    def compute(self, day: date) -> ComputedSales | None:
        """None for a day without a row."""
        read_at = self._now()
        with self._database.read_session() as session:
            version = sale_storage.version_of(session, day)
            if version is None:
                return None
            return ComputedSales(day, sale_days.compute(session, day, self._rules), version, read_at)

    def wrong_days(self, days: Sequence[date]) -> list[date]:
        """The days whose stored rows are not those that their orders give now."""
        with self._database.read_session() as session:
            return [
                day
                for day in days
                if sale_storage.stored_rows(session, day) != sale_days.compute(session, day, self._rules)
            ]
