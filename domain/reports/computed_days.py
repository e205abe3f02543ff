"""Days that are computed from orders: which are to be computed, and by whom. Each kind has a table of its own, with a
row for each day, and a builder of its own."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from domain.database.database import Database, insert_ignoring
from domain.database.parts import parts_of
from domain.reports import sales_lines
from domain.tables import CreditRollup, SaleRollup, VisitRollup
from domain.visits.raw.local_days import SHOP, DayRules

# Transactions that began earlier may commit after the look for changed orders that did not see them.
COMMIT_TIME = timedelta(minutes=1)
# Days that a run computes although nothing has changed, the ones that were computed longest ago: a product that moved
# to another category, or rows that somebody changed, are found so.
TURNS = 5
TURN_AFTER = timedelta(hours=1)
# A run ends before the next one begins; what is due still waits for that.
RUN_S = 30.0
CHUNK = 500
UNSYNCHRONISED = {"synchronize_session": False}


def outdated_credits(session: Session, today: date) -> list[date]:
    """Days with open paths of orders that were computed before some day of visits that is over: it may say more of
    them. Today's visits change all the time and are left out."""
    is_over = (VisitRollup.site == SHOP, VisitRollup.day < today)
    last_visits = select(func.max(VisitRollup.built_at)).where(*is_over).scalar_subquery()
    is_outdated = (CreditRollup.open_paths > 0, CreditRollup.built_at <= last_visits)
    return list(session.scalars(select(CreditRollup.day).where(*is_outdated).order_by(CreditRollup.day)))


@dataclass(frozen=True)
class OrderChanges:
    """`days` to compute again, found by a look at `at`, whose local day is `today`."""

    days: list[date]
    today: date
    at: datetime


class DayRollups:
    """The rows of `table`: which days are to be computed, and the version of each."""

    def __init__(self, table: type[SaleRollup | CreditRollup]):
        self._table: Any = table

    def find_changes(self, session: Session, rules: DayRules, at: datetime) -> OrderChanges:
        """Only reads. The first time, and after a change of the zone, all days with sales."""
        checked_at: datetime | None = session.scalar(select(func.max(self._table.checked_at)))
        other_zone = select(self._table.day).where(self._table.zone.not_in(("", rules.zone))).limit(1)
        is_all = checked_at is None or session.scalar(other_zone) is not None
        since = None if is_all or checked_at is None else checked_at - COMMIT_TIME
        times = sales_lines.changed_since(session, since)
        return OrderChanges(sorted({rules.day_of(moment) for moment in times}), rules.day_of(at), at)

    def note_changes(self, session: Session, changes: OrderChanges) -> None:
        """In one transaction with the time up to which was looked: a day that is not computed now is the next run's."""
        row: dict[str, Any] = {"zone": "", "version": 0}
        days = sorted({*changes.days, changes.today})
        insert_ignoring(session, self._table, [{**row, "day": day, "dirty_at": changes.at} for day in days])
        self.mark_dirty(session, changes.days, changes.at)
        is_today = self._table.day == changes.today
        session.execute(update(self._table).where(is_today).values(checked_at=changes.at))

    def mark_dirty(self, session: Session, days: Sequence[date], at: datetime, *, forbid: bool = False) -> None:
        """`forbid`: whoever computes one of them now stores nothing."""
        values = {"dirty_at": at, **({"version": self._table.version + 1} if forbid else {})}
        for part in parts_of(days, CHUNK):
            marked = update(self._table).where(self._table.day.in_(part)).values(values)
            session.execute(marked, execution_options=UNSYNCHRONISED)

    def due_days(self, session: Session, rules: DayRules, at: datetime) -> list[date]:
        """Days that have changed, or were computed by another zone, oldest first; then some that take their turn."""
        table = self._table
        is_due = table.dirty_at.is_not(None) | table.built_at.is_(None) | (table.zone != rules.zone)
        due = list(session.scalars(select(table.day).where(is_due).order_by(table.day)))
        is_old = (table.built_at < at - TURN_AFTER, table.day.not_in(due[:CHUNK]))
        turn = select(table.day).where(*is_old).order_by(table.built_at, table.day).limit(TURNS)
        return list(dict.fromkeys((*due, *session.scalars(turn))))

    def version_of(self, session: Session, day: date) -> int | None:
        """None for a day without a row."""
        version: int | None = session.scalar(select(self._table.version).where(self._table.day == day))
        return version

    def add_day(self, session: Session, day: date, at: datetime) -> None:
        insert_ignoring(session, self._table, [{"day": day, "zone": "", "version": 0, "dirty_at": at}])

    def lock(self, session: Session, day: date, version: int) -> Any:
        """The row of a day; None when it has another version: another process has stored the day, or an erasure has
        changed it, since it was read."""
        query = select(self._table).where(self._table.day == day).with_for_update()
        row = session.scalars(query.execution_options(populate_existing=True)).one_or_none()
        return None if row is None or row.version != version else row

    @staticmethod
    def note_built(row: Any, rules: DayRules, read_at: datetime) -> None:
        """For a locked row, in the transaction that stores its day."""
        row.version += 1
        row.zone, row.built_at = rules.zone, read_at
        # A mark from after the orders were read stays.
        if row.dirty_at is not None and row.dirty_at <= read_at:
            row.dirty_at = None


Computed = TypeVar("Computed")


class ComputedDayBuilder(Generic[Computed]):
    """Orders are read without any lock; only storing the result is a transaction that writes. Any number of processes
    may do so at a time: of two that read the same day, the second stores nothing."""

    rollups: ClassVar[DayRollups]
    # What the log calls it.
    noun: ClassVar[str]
    log: ClassVar[logging.Logger]

    def __init__(self, database: Database, rules: DayRules, now: Callable[[], datetime]):
        self.database = database
        self.rules = rules
        self.now = now

    def read(self, session: Session, day: date, version: int, read_at: datetime) -> Computed:
        """The rows of a day, in a session that reads one state."""
        raise NotImplementedError

    def store(self, session: Session, computed: Computed) -> bool | None:
        """Whether anything differs from before; None, and nothing is written, when another has stored the day."""
        raise NotImplementedError

    def due_days(self, session: Session) -> list[date]:
        return self.rollups.due_days(session, self.rules, self.now())

    def build_due(self, run_s: float = RUN_S) -> int:
        """The number of days that were stored."""
        until, built = time.monotonic() + run_s, 0
        self.find_changed()
        with self.database.read_session() as session:
            days = self.due_days(session)
        for day in days:
            if time.monotonic() >= until:
                break
            try:
                built += self.build(day)
            except SQLAlchemyError:
                raise
            except Exception:
                # A row that nobody expects, for example: the other days are computed all the same.
                self.log.exception("the %s of %s cannot be computed", self.noun, day)
        return built

    def find_changed(self) -> None:
        """Mark the days whose orders have changed since they were last looked for."""
        with self.database.read_session() as session:
            changes = self.rollups.find_changes(session, self.rules, self.now())
        self.database.write_sync(self.rollups.note_changes, changes)

    def build(self, day: date) -> bool:
        """Whether the day is stored as it was computed: not when another process has stored it meanwhile."""
        computed = self.compute(day)
        if computed is None:
            self.database.write_sync(self.rollups.add_day, day, self.now())
            computed = self.compute(day)
        is_changed = None if computed is None else self.database.write_sync(self.store, computed)
        if is_changed:
            self.log.info("the %s of %s have changed", self.noun, day)
        return is_changed is not None

    def compute(self, day: date) -> Computed | None:
        """None for a day without a row."""
        read_at = self.now()
        with self.database.read_session() as session:
            version = self.rollups.version_of(session, day)
            return None if version is None else self.read(session, day, version, read_at)
