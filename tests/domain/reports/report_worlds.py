"""Answers of reports of money, for tests: orders and visits as rows, days computed, a report asked for."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from domain.attribution.rules import AttributionRules
from domain.database.database import Database
from domain.reports.all_reports import SOURCES
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.parameters import read_parameters
from domain.tables import Order
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from tests.support import order_rows

MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
NOON = MIDNIGHT + 12 * HOUR
LATER = MIDNIGHT + 5 * DAY
RULES = DayRules()
WEEK = {"from": "2026-03-01", "to": "2026-03-06"}


def sell(session: Session, learner_id: int, code: str, at: datetime, *lines: Mapping[str, Any], **about: Any) -> Order:
    """An order that was paid at once, with these lines; without any, one of 100.00."""
    facts = {"placed_at": at, "paid_at": at, "changed_at": at, **about}
    order = order_rows.order(session, learner_id, f"{code:A<20}", **facts)
    rows = [order_rows.order_line(session, order.id, number, **line) for number, line in enumerate(lines or ({},), 1)]
    order.total_minor = sum(row.total_minor for row in rows)
    session.flush()
    return order


def coded(code: str, discount: int, total: int = 10_000, **about: Any) -> dict[str, Any]:
    """A line that a code lowered by `discount`."""
    steps = [{"step": "code", "change_minor": -discount, "total_minor": total, "included_minor": 0}]
    return {"unit_minor": total, "line_code": code, "steps": steps, **about}


def compute(database: Database, at: datetime = LATER, rules: DayRules = RULES) -> None:
    DayBuilder(database, rules, lambda: at).build_due()
    SaleDayBuilder(database, rules, lambda: at).build_due()
    CreditDayBuilder(database, rules, lambda: at, AttributionRules()).build_due()


def ask(database: Database, name: str, at: datetime = LATER, rules: DayRules = RULES, **values: str) -> ReportAnswer:
    source, filters = SOURCES[name], [values["f"]] if "f" in values else []
    query, errors = read_parameters(source.report, {**WEEK, "limit": "500", **values}, rules.day_of(at), filters)
    assert errors == {}
    with database.read_session() as session:
        return source.answer(session, query, rules, at, None)


def figures(answer: ReportAnswer, *keys: str) -> dict[str, tuple[Any, ...]]:
    """The label of each row -> these figures."""
    return {row.label: tuple(row.figures[key] for key in keys) for row in answer.rows}


def labels(answer: ReportAnswer) -> Iterable[str]:
    return [row.label for row in answer.rows]
