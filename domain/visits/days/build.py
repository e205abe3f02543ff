"""Computes days and stores them: those that are due, when beat or a loop of a host asks, or those of a command."""

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from datetime import date, datetime
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from domain import fault_points
from domain.database.database import Database
from domain.visits.days import coupon_hours, due, storage
from domain.visits.days.compute import ComputedDay, compute, with_files
from domain.visits.days.day_files import DayFileWriter
from domain.visits.days.storage import DayLease, LeaseLost
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.stored_days.day_rows import is_intact, rollup_of

log = logging.getLogger("coursefront.visits.days")

# A run ends before the next one begins; what is due still waits for that.
RUN_S = 45.0


class DayBuilder:
    """Visits are read without any lock; only storing the result is a transaction that writes. Any number of processes
    may do so: the lease of a day decides."""

    def __init__(
        self,
        database: Database,
        rules: DayRules,
        now: Callable[[], datetime],
        site: int = SHOP,
        files: DayFileWriter | None = None,
    ):
        self._database = database
        self._rules = rules
        self._now = now
        self._site = site
        self._files = files

    @property
    def is_of_shop(self) -> bool:
        return self._site == SHOP

    def build_due(self, run_s: float = RUN_S) -> int:
        """The number of days of the shop that were computed."""
        until, built = time.monotonic() + run_s, 0
        self.find_changed()
        self.count_last_hours()
        tried: set[date] = set()
        while time.monotonic() < until and (day := self._next_due(tried)) is not None:
            tried.add(day)
            try:
                built += self.build(day)
            except SQLAlchemyError:
                raise
            except Exception:
                # A row that nobody expects, for example: the other days are computed all the same.
                log.exception("%s cannot be computed", day)
        return built

    def _next_due(self, tried: set[date]) -> date | None:
        """Looked up each time: other processes compute days meanwhile."""
        with self._database.read_session() as session:
            days = due.due_days(session, self._rules, self._now())
        return next((day for day in days if day not in tried), None)

    def find_changed(self) -> None:
        """Mark the days that visits or orders have changed since they were computed."""
        at = self._now()
        with self._database.read_session() as session:
            changes = due.find_changes(session, self._rules, at)
        self._database.write_sync(due.note_changes, changes, at)

    def count_last_hours(self) -> None:
        """Count who came with coupons in the last hours: the alarm about leaks waits for it, and today may be computed
        again only after a while."""
        with self._database.read_session() as session:
            counted = coupon_hours.count_last(session, self._rules, self._now())
        self._database.write_sync(coupon_hours.store_last, counted)

    def build(self, day: date) -> bool:
        """Whether the day is stored as it is to be: not when another process computes it, or when it is final."""
        lease = DayLease(day, uuid4().hex, self._now(), self._site)
        if not self._database.write_sync(storage.take, lease):
            return False
        try:
            if self.stands(day):
                self._database.write_sync(storage.give_back, lease)
                return True
            computed = with_files(self.compute(day), day, self._site, self._files)
            fault_points.hit("rollup.computed")
            is_changed = self._database.write_sync(storage.store, lease, computed, self._rules, self._now())
        except LeaseLost as error:
            log.warning("a day is not stored: %s", error)
            return False
        except BaseException:
            # Without it the lease ends by itself.
            with contextlib.suppress(SQLAlchemyError):
                self._database.write_sync(storage.give_back, lease)
            raise
        log.info("%s: %d visits, %s", day, computed.visits, "changed" if is_changed else "as before")
        return True

    def compute(self, day: date) -> ComputedDay:
        with self._database.read_session() as session:
            return compute(session, day, self._rules, self._site)

    def stands(self, day: date) -> bool:
        with self._database.read_session() as session:
            row = rollup_of(session, day, self._site)
            return row is not None and due.stands(session, row, self._rules)

    def is_stored(self, day: date) -> bool:
        """Whether what is stored of a day is what was computed, and what its raw visits give now, where they can say
        it."""
        with self._database.read_session() as session:
            row = rollup_of(session, day, self._site)
            if row is None or not is_intact(session, row):
                return False
            if row.finalised_at is not None or due.stands(session, row, self._rules):
                return True
            return row.digest == compute(session, day, self._rules, self._site).digest

    def final_days(self, days: Sequence[date]) -> set[date]:
        """The days that are never computed again."""
        with self._database.read_session() as session:
            return storage.final_days(session, days, self._site)
