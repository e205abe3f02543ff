"""Old rows are deleted by tasks, after the settings' number of days."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, null, select, update

from contracts.tasks import Task
from domain.outbox import queue
from domain.tables import AuditEvent, DeadLetter, Outbox, PriceChange, Product
from domain.visits import dead_letters
from tests.support import factories
from workers import periodic

LONG_AGO = datetime(1990, 1, 1, tzinfo=UTC)
KIND = {"topic": "mail", "kind": "mail.contact_confirmation", "body": {}}


@pytest.fixture
def records(database, monkeypatch):
    """Five done rows, five dead rows and five dead letters of 3 and of 1 days ago; two are deleted at a time."""
    monkeypatch.setattr(periodic, "database", lambda: database)
    monkeypatch.setattr(queue, "DELETE_BATCH", 2)
    monkeypatch.setattr(dead_letters, "BATCH", 2)
    now = datetime.now(UTC)
    with database.write_session() as session:
        for days in (3, 1):
            at = now - timedelta(days=days)
            for _ in range(5):
                session.add(Outbox(created_at=at, done_at=at, next_at=null(), **KIND))
                session.add(Outbox(created_at=at, dead_at=at, next_at=null(), **KIND))
                session.add(DeadLetter(failed_at=at, task="visits.store", body={}, error=""))
        session.add(Outbox(created_at=now - timedelta(days=9), next_at=now, **KIND))
    return database


def counts(database) -> tuple[int, ...]:
    """Done, dead and waiting rows, and dead letters."""
    with database.read_session() as session:
        rows = session.execute(select(func.count(), func.count(Outbox.done_at), func.count(Outbox.dead_at))).one()
        letters = session.scalar(select(func.count()).select_from(DeadLetter))
    return rows[1], rows[2], rows[0] - rows[1] - rows[2], letters


@pytest.mark.each_database
def test_done_rows_are_kept_for_outbox_keep_days(records, monkeypatch):
    monkeypatch.setenv("OUTBOX_KEEP_DAYS", "2")
    periodic.run(Task.DELETE_DONE_OUTBOX_ROWS)
    assert counts(records) == (5, 10, 1, 10)


@pytest.mark.each_database
def test_dead_rows_and_letters_are_kept_for_dead_letters_keep_days(records, monkeypatch):
    monkeypatch.setenv("DEAD_LETTERS_KEEP_DAYS", "2")
    periodic.run(Task.DELETE_OLD_DEAD_LETTERS)
    assert counts(records) == (10, 5, 1, 5)


def test_0_keeps_them_for_ever(records, monkeypatch):
    monkeypatch.setenv("OUTBOX_KEEP_DAYS", "0")
    monkeypatch.setenv("DEAD_LETTERS_KEEP_DAYS", "0")
    with records.write_session() as session:
        session.execute(update(Outbox).where(Outbox.done_at.is_not(None)).values(done_at=LONG_AGO))
        session.execute(update(Outbox).where(Outbox.dead_at.is_not(None)).values(dead_at=LONG_AGO))
        session.execute(update(DeadLetter).values(failed_at=LONG_AGO))
    periodic.run(Task.DELETE_DONE_OUTBOX_ROWS)
    periodic.run(Task.DELETE_OLD_DEAD_LETTERS)
    assert counts(records) == (10, 10, 1, 10)


def test_what_was_planned_for_now_is_done_as_a_recorded_change_of_the_system(records):
    at = datetime.now(UTC) - timedelta(minutes=1)
    with records.write_session() as session:
        category = factories.category(session).id
        factories.course(session, category, status="scheduled", published_at=at, list_price=Decimal(0))
        product = factories.course(session, category, "vat-at-work").id
        session.add(PriceChange(product_id=product, starts_at=at, list_price=Decimal(120), changed_at=at))
    for _ in range(2):
        periodic.run(Task.PUBLISH_DUE)
    with records.read_session() as session:
        rows = select(AuditEvent.area, AuditEvent.action, AuditEvent.reason).order_by(AuditEvent.number)
        told = [*session.execute(rows)]
        price = session.get_one(Product, product).list_price
    assert (told[-1], price) == (("system", "price.apply", "Its time has come."), Decimal(120))
    assert [(area, action) for area, action, _ in told[:-1]] == [("system", "course.publish")]


def test_by_default_a_week_and_a_month_are_kept(records):
    periodic.run(Task.DELETE_DONE_OUTBOX_ROWS)
    periodic.run(Task.DELETE_OLD_DEAD_LETTERS)
    assert counts(records) == (10, 10, 1, 10)
