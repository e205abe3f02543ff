"""A day becomes final: it is computed a last time, and from then on neither computed nor changed, but by an erasure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import uuid4

from sqlalchemy.orm import Session

from domain import fault_points
from domain.database.database import Database
from domain.visits.days import due, storage
from domain.visits.days.compute import ComputedDay, compute, with_files
from domain.visits.days.day_files import DayFileWriter
from domain.visits.days.storage import DayLease, LeaseLost
from domain.visits.raw.local_days import CODE_VERSION, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.retention import due_days
from domain.visits.retention.periods import Periods
from domain.visits.stored_days.day_rows import StoredRollup, is_intact, rollup_of


class OpenReason(StrEnum):
    """Why a day stays open, and its visits stay."""

    CHANGED = "its stored figures are not those that were computed"
    FEWER = "it has fewer visits than were counted"
    BUSY = "another process computes it now"
    GROWING = "visits came while it was computed"
    FAILED = "an unexpected error, which the log has"


class _VisitsChanged(Exception):
    """Nothing was written."""


@dataclass(frozen=True)
class Finaliser:
    """Visits are read without any lock; only storing the result is a transaction that writes."""

    database: Database
    rules: DayRules
    periods: Periods
    now: Callable[[], datetime]
    files: DayFileWriter | None = None

    def finalise(self, day: date, site: int) -> OpenReason | None:
        """None once the day is final."""
        lease = DayLease(day, uuid4().hex, self.now(), site)
        if not self.database.write_sync(storage.take, lease):
            return OpenReason.BUSY
        try:
            if (reason := self._open_reason(day, site)) is not None:
                return reason
            self._compute_and_store(lease)
        except LeaseLost:
            return OpenReason.BUSY
        except _VisitsChanged:
            return OpenReason.GROWING
        finally:
            # That of a final day stays. Without this, that of another one ends by itself.
            self.database.write_sync(storage.give_back, lease)
        return None

    def _open_reason(self, day: date, site: int) -> OpenReason | None:
        with self.database.read_session() as session:
            row = rollup_of(session, day, site)
            return None if row is None else open_reason(session, row, self.rules)

    def _compute_and_store(self, lease: DayLease) -> None:
        with self.database.read_session() as session:
            row = rollup_of(session, lease.day, lease.site)
            is_computed = row is not None and due.stands(session, row, self.rules)
            computed = None if is_computed else compute(session, lease.day, self.rules, lease.site)
        fault_points.hit("retention.computed")
        if computed is not None:
            computed = with_files(computed, lease.day, lease.site, self.files)
        self.database.write_sync(self._store_final, lease, computed)
        fault_points.hit("retention.finalised")

    def _store_final(self, session: Session, lease: DayLease, computed: ComputedDay | None) -> None:
        """Raises LeaseLost and _VisitsChanged: of another site also when an import begins its period anew."""
        at = self.now()
        if not due_days.is_left(storage.leased_rollup(session, lease), self.periods, at):
            raise _VisitsChanged
        if computed is not None:
            storage.store(session, lease, computed, self.rules, at)
        row = storage.leased_rollup(session, lease)
        if raw_visits(lease.site).count_of(session, self.rules.window(lease.day)) != row.visits:
            raise _VisitsChanged
        row.finalised_at, row.dirty_at, row.lease_until = at, None, storage.FOR_EVER
        session.flush()


def open_reason(session: Session, row: StoredRollup, rules: DayRules) -> OpenReason | None:
    """Why a day that was computed stays open, when what is stored now is no result of that: then its visits are all
    that is left to prove or correct it, or the figures are all that is left of the visits."""
    if row.built_at is None or not row.rules_version.startswith(f"{CODE_VERSION}/"):
        return None
    if not is_intact(session, row):
        return OpenReason.CHANGED
    count = raw_visits(row.site).count_of(session, rules.window(row.day))
    return OpenReason.FEWER if row.zone == rules.zone and count < row.visits else None
