"""The tasks of days of visits and of sales: by the settings of workers, and at the next run without the database."""

import logging
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from contracts.tasks import Queue, Task
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports import accesses
from domain.reports.visit_reports.accesses import ReportLook
from domain.tables import CreditDay, OrderPath, ReportAccess, SaleDay, SaleRollup, Visit, VisitDay, VisitRollup
from domain.visits.days.build import DayBuilder
from tests.domain.reports import selling_days
from tests.domain.reports.attribution import worlds
from tests.domain.visits.days.worlds import NOON, add, visit
from tests.support import factories
from workers import periodic, reports
from workers.app import app


@pytest.fixture
def used(database, monkeypatch):
    monkeypatch.setattr(reports, "database", lambda: database)
    return database


def test_days_are_computed_by_the_settings(used, monkeypatch):
    monkeypatch.setenv("REPORT_TIME_ZONE", "Pacific/Auckland")
    with used.write_session() as session:
        add(session, visit(1, NOON))
    reports.rollup_visits()
    with used.read_session() as session:
        rows = session.execute(select(VisitRollup.day, VisitRollup.zone).where(VisitRollup.visits == 1)).all()
        counted = session.scalar(select(VisitDay.visits).where(VisitDay.dimension == "all"))
    assert [(str(day), zone) for day, zone in rows] == [("2026-03-03", "Pacific/Auckland")]
    assert counted == 1


def test_without_the_database_the_next_run_does_it(used, monkeypatch, caplog):
    def fail(_self):
        raise OperationalError("SELECT", {}, Exception("gone away"))

    monkeypatch.setattr(DayBuilder, "build_due", fail)
    with caplog.at_level(logging.WARNING):
        reports.rollup_visits()
    assert "days of visits wait for the next run" in caplog.text


def test_days_of_sales_are_computed_by_the_settings(used, monkeypatch):
    monkeypatch.setenv("REPORT_TIME_ZONE", "Pacific/Auckland")
    with used.write_session() as session:
        selling_days.fill(session)
    reports.rollup_sales()
    with used.read_session() as session:
        first = session.execute(select(SaleDay.day, SaleDay.orders).order_by(SaleDay.day, SaleDay.currency).limit(1))
        assert [(str(day), orders) for day, orders in first] == [("2026-03-02", 1)]
        assert set(session.scalars(select(SaleRollup.zone))) == {"Pacific/Auckland"}


def test_without_the_database_the_next_run_computes_the_sales(used, monkeypatch, caplog):
    def fail(_self):
        raise OperationalError("SELECT", {}, Exception("gone away"))

    monkeypatch.setattr(SaleDayBuilder, "build_due", fail)
    with caplog.at_level(logging.WARNING):
        reports.rollup_sales()
    assert "days of sales wait for the next run" in caplog.text


def test_days_of_credits_are_computed_by_the_settings(used, monkeypatch):
    monkeypatch.setenv("REPORT_TIME_ZONE", "Pacific/Auckland")
    monkeypatch.setenv("ATTRIBUTION_DAYS", "7")
    with used.write_session() as session:
        week = worlds.fill(session)
    reports.rollup_visits()
    reports.rollup_credits()
    with used.read_session() as session:
        path = session.get_one(OrderPath, week.mixed.id)
        assert (path.window_days, path.closed_at is None) == (7, False)
        assert set(session.scalars(select(CreditDay.day))) == {
            day + selling_days.ONE_DAY for day in selling_days.DAYS[:4]
        }


def test_without_the_database_the_next_run_computes_the_credits(used, monkeypatch, caplog):
    def fail(_self):
        raise OperationalError("SELECT", {}, Exception("gone away"))

    monkeypatch.setattr(CreditDayBuilder, "build_due", fail)
    with caplog.at_level(logging.WARNING):
        reports.rollup_credits()
    assert "days of credits wait for the next run" in caplog.text


@pytest.mark.parametrize("name", [Task.ROLLUP_VISITS, Task.ROLLUP_SALES, Task.ROLLUP_CREDITS])
def test_a_run_is_in_a_queue_of_its_own_and_never_delivered_again(name):
    assert not app.tasks[str(name)].acks_late
    assert app.conf.task_routes[str(name)] == {"queue": str(Queue.ROLLUPS)}


@pytest.mark.parametrize(("days", "left"), [("", 1), ("300", 2), ("0", 2), ("90", 1)])
def test_old_visits_are_deleted_by_the_settings(used, monkeypatch, days, left):
    monkeypatch.setattr(periodic, "database", lambda: used)
    monkeypatch.setenv("VISITS_KEEP_DAYS", days)
    now = datetime.now(UTC)
    with used.write_session() as session:
        add(session, visit(1, now - timedelta(days=200)), visit(2, now - timedelta(days=2)))
    periodic.run(Task.RETAIN_VISITS)
    with used.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Visit)) == left
        assert session.scalar(select(func.count(VisitRollup.finalised_at))) == 2 - left


@pytest.mark.parametrize(("days", "left"), [("", 1), ("0", 2), ("60", 0)])
def test_looks_at_reports_are_deleted_after_the_period_of_hours(used, monkeypatch, days, left):
    monkeypatch.setattr(periodic, "database", lambda: used)
    monkeypatch.setenv("TOUCHPOINTS_KEEP_DAYS", days)
    now, look = datetime.now(UTC), ReportLook("overview", "", 1, "view")
    with used.write_session() as session:
        learner_id = factories.learner(session).id
        for age in (401, 61):
            accesses.record_access(session, learner_id, look, now - timedelta(days=age))
    periodic.run(Task.RETAIN_VISITS)
    with used.read_session() as session:
        assert session.scalar(select(func.count()).select_from(ReportAccess)) == left
