"""Writes the mails of saved views in a child process that is killed at a fault point (tests/support/children.py)."""

from typing import Any

from sqlalchemy import delete, make_url
from sqlalchemy.orm import Session

from domain import fault_points
from domain.database.database import Database
from domain.reports.saved_views import delivery
from domain.tables import ReportDelivery
from tests.domain.reports.saved_views.mail_worlds import write_due


def run(url: str, point: str, is_guarded: bool) -> None:
    """Not guarded: the row of the outbox is committed by itself, before the one that says that the period has its
    mail."""
    if not is_guarded:
        enqueue = delivery.outbox_queue.enqueue

        def enqueue_first(session: Session, *row: Any) -> None:
            session.execute(delete(ReportDelivery))
            enqueue(session, *row)
            session.commit()
            fault_points.hit("report_mail.written")
            raise AssertionError

        delivery.outbox_queue.enqueue = enqueue_first
    fault_points.arm(point)
    write_due(Database(make_url(url), deadline_s=30, busy_ms=30_000))
