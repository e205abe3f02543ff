"""Keeps the files of days in order: closed months become one file, what is too old or erased goes, and days whose files
are lost are computed again. Each step may be done twice, and a killed one is made up by the next run."""

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import groupby

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.database.parts import parts_of
from domain.reports.warehouse import SESSIONS, Warehouse, WarehouseUnavailable
from domain.tables import ErasedNumber, Learner, VisitRollup, WarehouseFile
from domain.visits.days import storage
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.retention.periods import Periods
from domain.visits.stored_days import file_list
from domain.visits.stored_days.file_list import KINDS, FileKind, WrittenFile

log = logging.getLogger("coursefront.warehouse")

# Visits of a closed month may still come late; a day that is computed again has a file of its own until the next merge.
MERGE_AFTER = timedelta(days=3)
# Days that one run marks to be computed again because their files are missing, and days that it looks at for that.
MARKED_DAYS, EXAMINED_DAYS = 5, 20
# How often the bytes of all files are read.
CHECK_EVERY = timedelta(hours=1)
_DAY = timedelta(days=1)
_CHUNK = 500
_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass
class WarehouseUpkeep:
    """`run` is cheap when nothing is to be done: it comes every minute."""

    database: Database
    warehouse: Warehouse
    rules: DayRules
    periods: Periods
    now: Callable[[], datetime]
    _checked_at: datetime = field(default=_EVER, init=False)

    def run(self) -> None:
        """Raises SQLAlchemyError."""
        at = self.now()
        is_check_due = at - self._checked_at >= CHECK_EVERY
        try:
            self._drop_lost(thorough=is_check_due)
            if self.warehouse.is_writable():
                self._erase(thorough=is_check_due)
                for site in self._sites():
                    for kind in KINDS:
                        self._drop_old(site, kind, at)
                        self._merge(site, kind, at)
                self._mark_missing(at)
            self._sweep(at)
        except (OSError, WarehouseUnavailable) as error:
            self.warehouse.failures += 1
            log.error("the files of days in %s wait for the next run: %s", self.warehouse.folder, error)
            return
        if is_check_due:
            self._checked_at = at

    def _current(self, site: int, kind: FileKind) -> list[WrittenFile]:
        with self.database.read_session() as session:
            return file_list.current(session, kind, site)

    def _sites(self) -> list[int]:
        with self.database.read_session() as session:
            return sorted(session.scalars(select(WarehouseFile.site).distinct()))

    def _drop_lost(self, *, thorough: bool) -> None:
        """Take files off the list that are not there, or are not those that were written."""
        files = [file for site in self._sites() for kind in KINDS for file in self._current(site, kind)]
        is_right = self.warehouse.is_intact if thorough else lambda file: self.warehouse.has(file.name)
        if lost := [file.name for file in files if not is_right(file)]:
            log.error("%d files of days are missing or changed in %s: %s", len(lost), self.warehouse.folder, lost[:5])
            self.database.write_sync(file_list.forget, lost)

    def _drop_old(self, site: int, kind: FileKind, at: datetime) -> None:
        """Days beyond the period of touchpoints: whole files, and of a month its first days."""
        since = self.periods.first_day_of_files(self.rules, at)
        if since is None:
            return
        files = self._current(site, kind)
        if gone := [file.name for file in files if file.last_day < since]:
            self.database.write_sync(file_list.replace, gone, (), at)
        for file in files:
            if file.first_day < since <= file.last_day:
                self._rewrite([file], since, {}, at)

    def _merge(self, site: int, kind: FileKind, at: datetime) -> None:
        """One file for each month that is over and of which no day is waiting."""
        files, today = self._current(site, kind), self.rules.day_of(at)
        with self.database.read_session() as session:
            missing = set(file_list.days_without_file(session, site))
        for (year, month), group in groupby(files, lambda file: (file.first_day.year, file.first_day.month)):
            of_month, first = list(group), date(year, month, 1)
            after = (first + 31 * _DAY).replace(day=1)
            is_closed = after + MERGE_AFTER <= today
            if is_closed and len(of_month) > 1 and not any(first <= day < after for day in missing):
                self._rewrite(of_month, first, {}, at)

    def _rewrite(self, files: Sequence[WrittenFile], since: date, erased: dict[str, date], at: datetime) -> None:
        since = max(since, min(file.first_day for file in files))
        sources = file_list.sources(files, since, max(file.last_day for file in files))
        written = self.warehouse.rewrite(files, sources, since, erased)
        names = {file.name for file in files}
        if not self.database.write_sync(_replace_if_same, names, written, at):
            log.info("%s waits for the next run: its days were computed meanwhile", written.name)

    def _erase(self, *, thorough: bool) -> None:
        """Student numbers of learners who were erased; once an hour also those that nobody has any more."""
        with self.database.read_session() as session:
            numbers = {number: self.rules.day_of(until) for number, until in _erased_numbers(session)}
        if not numbers and not thorough:
            return
        for file in self._current(SHOP, "sessions"):
            found = self._numbers_in(file)
            with self.database.read_session() as session:
                gone = dict.fromkeys(found - _existing(session, found), file.last_day)
            own = {number: numbers[number] for number in found & numbers.keys() if file.first_day <= numbers[number]}
            if erased := {**gone, **own}:
                at = self.now()
                self._rewrite([file], file.first_day, erased, at)
                # Whoever still opens one of these finds none, and reads the list again.
                self._delete_replaced(at)

    def _numbers_in(self, file: WrittenFile) -> set[str]:
        statement = select(SESSIONS.c.student).distinct()
        rows = self.warehouse.rows_of(statement, {"sessions": [file_list.FileSource(file.name)]})
        return {number.lower() for (number,) in rows if not number.startswith("(")}

    def _mark_missing(self, at: datetime) -> None:
        """Open days without files are computed again, the newest first. Not those that have fewer visits than they
        counted: their figures may be all that is left of them."""
        with self.database.read_session() as session:
            missing = file_list.days_without_file(session)
            is_open = (VisitRollup.site == SHOP, VisitRollup.finalised_at.is_(None), VisitRollup.dirty_at.is_(None))
            rows = {row.day: row.visits for row in session.scalars(select(VisitRollup).where(*is_open))}
            oldest = self.periods.first_day_of_files(self.rules, at)
            days = [day for day in reversed(missing) if day in rows and (oldest is None or day >= oldest)]
            if len(days) > EXAMINED_DAYS:
                days = sorted(random.sample(days, EXAMINED_DAYS), reverse=True)
            due = list(_whole_days(session, days, rows, self.rules))
        if due:
            self.database.write_sync(storage.mark_dirty, due, at)
            log.info("%d days have no files and are computed again", len(due))

    def _sweep(self, at: datetime) -> None:
        """Delete files that were replaced over an hour ago, and those that are not listed."""
        before = at - file_list.KEEP_REPLACED
        self._delete_replaced(before)
        with self.database.read_session() as session:
            listed = set(session.scalars(select(WarehouseFile.name)))
        self.warehouse.delete_others(listed, before)

    def _delete_replaced(self, until: datetime) -> None:
        with self.database.read_session() as session:
            is_old = WarehouseFile.replaced_at <= until
            old = list(session.scalars(select(WarehouseFile.name).where(is_old)))
        for name in old:
            self.warehouse.delete(name)
        if old:
            self.database.write_sync(file_list.forget, old)


def _replace_if_same(session: Session, names: set[str], written: WrittenFile, at: datetime) -> bool:
    """Whether the files are still those that were read: a day may have been computed meanwhile, or a site removed."""
    is_theirs = (WarehouseFile.name.in_(sorted(names)), WarehouseFile.replaced_at.is_(None))
    listed = session.scalars(select(WarehouseFile.name).where(*is_theirs).with_for_update()).all()
    if set(listed) != names:
        return False
    file_list.replace(session, names, [written], at)
    return True


def _erased_numbers(session: Session) -> list[tuple[str, datetime]]:
    """In lower case, each with when it was erased; their visits are being looked through."""
    rows = session.execute(select(ErasedNumber.number, ErasedNumber.erased_at))
    return [(number.lower(), until) for number, until in rows]


def _existing(session: Session, numbers: set[str]) -> set[str]:
    found: set[str] = set()
    for part in parts_of(sorted(numbers), _CHUNK):
        is_one = func.lower(Learner.student_number).in_(part)
        found |= {number.lower() for number in session.scalars(select(Learner.student_number).where(is_one))}
    return found


def _whole_days(session: Session, days: Sequence[date], visits: dict[date, int], rules: DayRules) -> Iterator[date]:
    found = 0
    for day in days:
        if found == MARKED_DAYS:
            return
        if raw_visits(SHOP).count_of(session, rules.window(day)) >= visits[day]:
            found += 1
            yield day
