"""One run of retention: days become final, then what is too old is deleted, with a pause after each part."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from domain.crawlers import crawl_storage
from domain.database.database import Database
from domain.visits.days import storage
from domain.visits.days.day_files import DayFileWriter
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.retention import deleting, due_days
from domain.visits.retention.deleting import Late
from domain.visits.retention.finalising import Finaliser, OpenReason
from domain.visits.retention.periods import Periods

log = logging.getLogger("coursefront.visits.retention")

# After each part as long as it took, at least this: others who write get their turn.
MIN_PAUSE_S = 0.02
# With a title: a function that is called with the days that are done and the days in all.
ProgressBar = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
Day = tuple[int, date]


@dataclass
class RetentionReport:
    """What a run did, or a dry one would do. `open_days`: those that should be final and are not; `late`: of the days
    whose visits were deleted; `touchpoints`: with the rows of learners; `crawls`: changes of pages, and what crawlers
    knew of pages. `is_whole`: nothing is left for the next run."""

    final: list[Day] = field(default_factory=list)
    open_days: list[tuple[int, date, OpenReason]] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)
    visits: int = 0
    signs: int = 0
    touchpoints: int = 0
    hours: int = 0
    searches: int = 0
    crawls: int = 0
    is_whole: bool = True


def _no_bar(_title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    return nullcontext(lambda _done, _total: None)


@dataclass
class Retention:
    """Safe to run twice, also at the same time, and to kill at any point: the next run ends as an undisturbed one.
    `run_s`: no part begins later than that, and those of one kind not after their share of it, so that days that stay
    open, or many that are new, keep no time from the rest."""

    database: Database
    rules: DayRules
    periods: Periods
    now: Callable[[], datetime]
    run_s: float = float("inf")
    files: DayFileWriter | None = None
    pause: Callable[[float], None] = time.sleep
    _until: float = 0.0

    def run(self, bar: ProgressBar = _no_bar) -> RetentionReport:
        report = RetentionReport()
        self.database.write_sync(storage.hold_final_days, self.now())
        phases: tuple[
            tuple[float, str, Callable[..., list[date]], Callable[[RetentionReport, int, date], None]], ...
        ] = (
            (0.5, "Days become final", due_days.days_to_finalise, self._finalise),
            (0.8, "Deleting visits", due_days.days_to_delete, self._delete_visits),
            (0.9, "Deleting touchpoints and hours", due_days.days_with_hours, self._delete_hours),
        )
        began = time.monotonic()
        for share, title, find, work in phases:
            self._until = began + share * self.run_s
            if days := self._days(find):
                with bar(title) as show:
                    self._do(report, work, days, show)
        self._until = began + self.run_s
        if self.periods.visits:
            self._delete_left_signs(report)
        self._delete_searches(report)
        self._delete_crawls(report)
        return report

    def _do(
        self,
        report: RetentionReport,
        work: Callable[[RetentionReport, int, date], None],
        days: list[Day],
        show: Callable[[int, int], None],
    ) -> None:
        for done, (site, day) in enumerate(days, 1):
            if time.monotonic() > self._until:
                report.is_whole = False
                return
            try:
                work(report, site, day)
            except SQLAlchemyError:
                raise
            except Exception:
                # A row that nobody expects, for example: the other days go on all the same.
                log.exception("%s of site %d stays as it is", day, site)
                self._stays_open(report, site, day, OpenReason.FAILED)
            show(done, len(days))

    def _days(self, find: Callable[..., list[date]]) -> list[Day]:
        with self.database.read_session() as session:
            sites, at = due_days.sites(session), self.now()
            return [(site, day) for site in sites for day in find(session, site, self.rules, self.periods, at)]

    def _finalise(self, report: RetentionReport, site: int, day: date) -> None:
        reason = Finaliser(self.database, self.rules, self.periods, self.now, self.files).finalise(day, site)
        if reason is None:
            report.final.append((site, day))
            return
        self._stays_open(report, site, day, reason)
        level = logging.ERROR if reason in (OpenReason.CHANGED, OpenReason.FEWER) else logging.INFO
        log.log(level, "%s of site %d does not become final: %s", day, site, reason)

    def _stays_open(self, report: RetentionReport, site: int, day: date, reason: OpenReason) -> None:
        report.open_days.append((site, day, reason))
        self.database.write_sync(storage.mark_checked, [day], self.now(), site)

    def _delete_visits(self, report: RetentionReport, site: int, day: date) -> None:
        report.signs += self._repeat(report, deleting.delete_signs, site, day, self.rules)
        report.visits += self._repeat(report, deleting.delete_visits, site, day, self.rules)
        with self.database.read_session() as session:
            late = deleting.late_visits(session, site, day, self.rules)
        if late is not None:
            report.late.append(late)
            log.warning("%d visits of %s came after it was final: no figure counts them", late.visits, day)

    def _delete_hours(self, report: RetentionReport, site: int, day: date) -> None:
        if site == SHOP:
            report.touchpoints += self._repeat(report, deleting.delete_visitors, day)
        report.hours += self._repeat(report, deleting.delete_hours, site, day, self.now())

    def _delete_left_signs(self, report: RetentionReport) -> None:
        with self.database.read_session() as session:
            imported = due_days.sites(session)[1:]
        for site in imported:
            about = (site, self.rules, self.periods, self.now())
            report.signs += self._repeat(report, deleting.delete_left_signs, *about)

    def _delete_searches(self, report: RetentionReport) -> None:
        with self.database.read_session() as session:
            days = due_days.days_with_old_searches(session, self.rules, self.periods, self.now())
        for day in days:
            report.searches += self._repeat(report, deleting.delete_searches, day, self.rules, self.now())

    def _delete_crawls(self, report: RetentionReport) -> None:
        if self.periods.touchpoints:
            before = self.now() - timedelta(days=self.periods.touchpoints)
            report.crawls = self._repeat(report, crawl_storage.delete_old, before, deleting.PART)

    def _repeat(self, report: RetentionReport, delete: Callable[..., int], *args: Any) -> int:
        """Until nothing is left; the number of deleted rows."""
        count = 0
        while True:
            began = time.monotonic()
            if began > self._until:
                report.is_whole = False
                return count
            if not (done := self.database.write_sync(delete, *args)):
                return count
            count += done
            self.pause(max(MIN_PAUSE_S, time.monotonic() - began))
