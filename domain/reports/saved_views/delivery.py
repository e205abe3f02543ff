"""Mails of saved views: computed where the files of days are, and written once for each period, whatever is killed.

The row that says that a period has its mail, the row of the outbox that sends it and the access are one transaction.
Two workers may compute the same mail; the second finds the row of the first, or the database refuses its own.
"""

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from sqlalchemy import delete, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from contracts.payloads import ReportMailItem
from contracts.tasks import OutboxKind
from domain import fault_points
from domain.database.database import Database, affected_rows
from domain.errors import DomainError, NotFound
from domain.identity.learners import lock_account
from domain.outbox import queue as outbox_queue
from domain.reports import all_reports
from domain.reports.saved_views import periods, subscriptions, view_queries
from domain.reports.saved_views.mail_content import FILE_ROWS, MailContent, content_of
from domain.reports.saved_views.subscriptions import EndReason
from domain.reports.visit_reports import accesses, filed_figures
from domain.reports.visit_reports.accesses import ReportLook
from domain.reports.visit_reports.answers import FiledFigures, ReportAnswer, plan_of
from domain.reports.visit_reports.figure_sources import ReportUnavailable
from domain.reports.visit_reports.filed_figures import FigureRequest, FigureRows
from domain.reports.visit_reports.parameters import ReportQuery, query_text
from domain.reports.warehouse import Warehouse, WarehouseUnavailable
from domain.tables import ReportDelivery, ReportSubscription, SavedReport
from domain.visits.raw.local_days import DayRules

log = logging.getLogger("coursefront.reports")

# Longer than the longest period: the row of one that can still be due stays.
KEEP_DELIVERIES = timedelta(days=62)
# The next run goes on: a task may take 20 s.
RUN_S = 12.0
# Rows in one transaction.
PART = 500


_IS_ACTIVE = ReportSubscription.ended_at.is_(None)


class DueMail(NamedTuple):
    """`period`: the day on which it was due."""

    subscription_id: int
    learner_id: int
    view_id: int
    period: date


class WrittenMail(NamedTuple):
    """`query` None: the report does not exist any more."""

    query: ReportQuery | None
    content: MailContent
    rows: int


def due_mails(session: Session, rules: DayRules, at: datetime) -> list[DueMail]:
    """Mails of the last period alone: there is one for who was not reached for weeks."""
    is_its = ReportDelivery.subscription_id == ReportSubscription.id
    last = select(func.max(ReportDelivery.period)).where(is_its).correlate(ReportSubscription).scalar_subquery()
    joined = select(ReportSubscription, last).join(SavedReport, SavedReport.id == ReportSubscription.saved_report_id)
    rows = session.execute(joined.where(_IS_ACTIVE, SavedReport.deleted_at.is_(None)).order_by(ReportSubscription.id))
    found = []
    for one, sent in rows:
        day = subscriptions.due_day(one.frequency, one.hour, rules.zone, at)
        if subscriptions.due_at(day, one.hour, rules.zone) > one.starts_at and (sent is None or sent < day):
            found.append(DueMail(one.id, one.learner_id, one.saved_report_id, day))
    return found


class ReportMails:
    """`warehouse`: the files of days on this machine, which reports with filters need."""

    def __init__(self, database: Database, rules: DayRules, warehouse: Warehouse | None):
        self._database, self._rules, self._warehouse = database, rules, warehouse

    def write_due(self, at: datetime) -> int:
        """How many mails were written; those of reports that cannot be answered now are tried again."""
        with self._database.read_session() as session:
            due = due_mails(session, self._rules, at)
        until = time.monotonic() + RUN_S
        return sum(self._write(one, at) for one in due if time.monotonic() < until)

    def _write(self, due: DueMail, at: datetime) -> bool:
        try:
            with self._database.read_session() as session:
                reason = _reason(session, due)
            if reason is not None:
                self._database.write_sync(end, due, reason, at)
                return False
            written = self._compute(due, at)
            if written is None:
                return False
            fault_points.hit("report_mail.computed")
            is_written = self._database.write_sync(write_mail, due, written, at)
        except (SQLAlchemyError, DomainError, WarehouseUnavailable) as error:
            log.warning("the mail of saved view %d waits for the next run: %s", due.view_id, error)
            return False
        except Exception:
            # A report that fails takes no mails of others with it.
            log.exception("the mail of saved view %d failed until the next run", due.view_id)
            return False
        fault_points.hit("report_mail.committed")
        return is_written

    def _compute(self, due: DueMail, at: datetime) -> WrittenMail | None:
        """None: the view was deleted. Raises ReportUnavailable, WarehouseUnavailable."""
        with self._database.read_session() as session:
            saved = session.get(SavedReport, due.view_id)
        if saved is None:
            return None
        chosen = (saved.report, saved.query, saved.period)
        opened = view_queries.opened(*chosen, due.period, periods.whole_days_of)
        if opened.query is None:
            return WrittenMail(None, MailContent(saved.name, saved.report, "", empty=opened.notice), 0)
        answer = self._answer(opened.query, at)
        return WrittenMail(opened.query, content_of(saved.name, answer, opened.notice), len(answer.rows))

    def _answer(self, query: ReportQuery, at: datetime) -> ReportAnswer:
        if query.needs_files:
            found = self._filtered(replace(query, limit=FILE_ROWS), at)
        else:
            with self._database.read_session() as session:
                found = all_reports.answer(session, query, self._rules, at, FILE_ROWS)
        if found.is_blank:
            raise ReportUnavailable("None of the days has been computed yet.")
        return found

    def _filtered(self, query: ReportQuery, at: datetime) -> ReportAnswer:
        with self._database.read_session() as session:
            days, requests = plan_of(session, query, self._rules, at)
            lists = filed_figures.current_lists(session)
        if self._warehouse is None or not filed_figures.has_files(self._warehouse, lists):
            raise ReportUnavailable("The files of days are not on this machine.")
        figures: Mapping[FigureRequest, FigureRows] = filed_figures.read(self._warehouse, lists, requests)
        with self._database.read_session() as session:
            return all_reports.filtered_answer(session, query, self._rules, at, FiledFigures(days, figures))


def write_mail(session: Session, due: DueMail, written: WrittenMail, at: datetime) -> bool:
    """The mail, its access and its row of the outbox; False when it has one already, or is not to be sent any more."""
    try:
        lock_account(session, due.learner_id)
    except NotFound:
        return False
    chosen = select(ReportSubscription).where(ReportSubscription.id == due.subscription_id, _IS_ACTIVE)
    subscription = session.scalar(chosen.with_for_update())
    saved = session.get(SavedReport, due.view_id, populate_existing=True)
    if subscription is None or saved is None or saved.deleted_at is not None:
        return False
    if subscriptions.end_reason(session, subscription, saved) is not None:
        # The next run ends it.
        return False
    if session.get(ReportDelivery, (due.subscription_id, due.period), populate_existing=True) is not None:
        return False
    content = json.dumps(written.content.as_json(), ensure_ascii=False)
    about = {"subscription_id": due.subscription_id, "period": due.period}
    session.add(ReportDelivery(**about, written_at=at, content=content))
    session.flush()
    query = "" if written.query is None else query_text(written.query, urlencode)
    look = ReportLook(saved.report, query, written.rows, "mail")
    accesses.record_access(session, due.learner_id, look, at)
    item = ReportMailItem(subscription_id=due.subscription_id, period=due.period.isoformat())
    outbox_queue.enqueue(session, OutboxKind.REPORT, item, at)
    session.flush()
    fault_points.hit("report_mail.written")
    return True


def _reason(session: Session, due: DueMail) -> EndReason | None:
    subscription = session.get(ReportSubscription, due.subscription_id)
    saved = session.get(SavedReport, due.view_id)
    if subscription is None or saved is None:
        return None
    return subscriptions.end_reason(session, subscription, saved)


def end(session: Session, due: DueMail, reason: EndReason, at: datetime) -> None:
    """No more mails, by the rights of now."""
    chosen = select(ReportSubscription).where(ReportSubscription.id == due.subscription_id, _IS_ACTIVE)
    subscription = session.scalar(chosen.with_for_update())
    if subscription is not None:
        subscription.ended_at, subscription.ended_reason = at, reason
        log.info("mails of saved view %d to learner %d have ended: %s", due.view_id, due.learner_id, reason)


def delete_old(session: Session, at: datetime) -> int:
    """Rows of periods long past, with what was never sent; at most PART. Their number."""
    old = select(ReportDelivery.subscription_id, ReportDelivery.period)
    rows = session.execute(old.where(ReportDelivery.period < (at - KEEP_DELIVERIES).astimezone(UTC).date()).limit(PART))
    count = 0
    for subscription_id, period in rows.all():
        is_it = (ReportDelivery.subscription_id == subscription_id, ReportDelivery.period == period)
        count += affected_rows(session, delete(ReportDelivery).where(*is_it))
    return count
