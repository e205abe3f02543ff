"""What a run of retention would do, without changes."""

from collections.abc import Collection
from datetime import date, datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.crawlers import crawl_storage
from domain.search import query_log
from domain.tables import VisitHour
from domain.visits.raw.local_days import SHOP, DayRules
from domain.visits.raw.log_rows import raw_visits
from domain.visits.retention import due_days
from domain.visits.retention.finalising import open_reason
from domain.visits.retention.periods import Periods
from domain.visits.retention.run import RetentionReport
from domain.visits.stored_days import commerce_rows, visitor_rows
from domain.visits.stored_days.day_rows import of_day, rollup_of


def dry_run(session: Session, rules: DayRules, periods: Periods, at: datetime) -> RetentionReport:
    """Days are not computed, so it is not seen whether visits come meanwhile. Signs of visitors are not counted."""
    report = RetentionReport()
    for site in due_days.sites(session):
        _add_final(session, report, site, due_days.days_to_finalise(session, site, rules, periods, at), rules)
        final = {day for of_site, day in report.final if of_site == site}
        for day in due_days.days_to_delete(session, site, rules, periods, at, also_final=final):
            report.visits += raw_visits(site).count_of(session, rules.window(day))
        old = due_days.days_with_hours(session, site, rules, periods, at, also_final=final)
        report.hours += _hours(session, site, old)
        if site == SHOP:
            report.hours += sum(commerce_rows.count_of(session, day) for day in old)
            report.touchpoints = sum(visitor_rows.count_of(session, day) for day in old)
    for day in due_days.days_with_old_searches(session, rules, periods, at):
        window = rules.window(day)
        report.searches += query_log.count_between(session, window.since, window.until)
    if periods.touchpoints:
        report.crawls = crawl_storage.count_old(session, at - timedelta(days=periods.touchpoints))
    return report


def _add_final(session: Session, report: RetentionReport, site: int, days: Collection[date], rules: DayRules) -> None:
    for day in days:
        row = rollup_of(session, day, site)
        reason = None if row is None else open_reason(session, row, rules)
        if reason is None:
            report.final.append((site, day))
        else:
            report.open_days.append((site, day, reason))


def _hours(session: Session, site: int, days: Collection[date]) -> int:
    count = select(func.count()).select_from(VisitHour)
    return sum(session.scalar(count.where(*of_day(VisitHour, day, site))) or 0 for day in days)
