"""R1 of reports of money: what one answer costs, with 100,000 orders of 400 days by 60,000 learners."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from bench.comparison import ResultLine
from bench.processes import freeze_startup_objects
from domain.attribution.rules import AttributionRules
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.reports.all_reports import SOURCES
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.sale_builder import SaleDayBuilder
from domain.reports.visit_reports.parameters import read_parameters
from domain.tables import (
    Category,
    Learner,
    Order,
    OrderLine,
    Product,
    SessionLearner,
    Touchpoint,
    VisitDay,
    VisitRollup,
)
from domain.visits.days.channels import NONE
from domain.visits.raw.local_days import DayRules, microseconds, time_of

ORDERS, LEARNERS, DAYS, PRODUCTS = 100_000, 60_000, 400, 2_000
# Sessions a day that followed the link of a student and signed in, of as many students.
LINKS, STUDENTS = 200, 5_000
CALLS = 20
LIMIT_MS = 200.0
MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = MIDNIGHT + timedelta(days=DAYS, hours=12)
_PART = 5_000
_ONE_DAY = timedelta(days=1)
# Report, days and choices.
PERIODS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("students", 28, {}),
    ("students", 365, {}),
    ("partners", 365, {}),
    ("coupons", 28, {}),
    ("coupons", 365, {}),
    ("cohorts", 365, {"by": "month"}),
    ("cohorts", 365, {"by": "week"}),
    ("cohorts", 365, {"by": "channel"}),
    ("products", 365, {}),
)


def r1reports() -> list[ResultLine]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        database = Database(database_url(None, Path(name)), deadline_s=600)
        runner.upgrade(database.engine)
        _fill(database)
        builders = (
            SaleDayBuilder(database, DayRules(), lambda: LATER),
            CreditDayBuilder(database, DayRules(), lambda: LATER, AttributionRules()),
        )
        start = time.process_time()
        for builder in builders:
            builder.build_due(3600)
        freeze_startup_objects()
        build_ms = (time.process_time() - start) * 1000 / DAYS
        lines = [_measured(database, *period, build_ms) for period in PERIODS]
        database.engine.dispose()
    return lines


def _measured(database: Database, name: str, days: int, choices: dict[str, str], build_ms: float) -> ResultLine:
    source = SOURCES[name]
    today = LATER.date()
    values = {"from": f"{today - (days - 1) * _ONE_DAY}", "to": f"{today}", **choices}
    query, errors = read_parameters(source.report, values, today)
    if errors:
        raise ValueError(f"{name}: {errors}")
    times = []
    with database.read_session() as session:
        for _ in range(CALLS):
            start = time.process_time()
            source.answer(session, query, DayRules(), LATER, None)
            times.append((time.process_time() - start) * 1000)
    times.sort()
    p95 = times[int(0.95 * (CALLS - 1))]
    what = " by ".join([f"{name} of {days} days", *choices.values()])
    return ResultLine(
        "R1",
        f"{what}, {ORDERS:,} orders of {LEARNERS:,} learners, CPU, p95 of {CALLS}",
        f"<= {LIMIT_MS:.0f} ms",
        f"{p95:.0f} ms, half {times[CALLS // 2]:.0f}",
        f"{build_ms:.0f} ms to compute a day",
        None,
        p95 <= LIMIT_MS,
    )


def _fill(database: Database) -> None:
    chance = Random(20260401)
    with database.write_session() as session:
        session.add(Category(id=9000, slug="bench", name="Bench", position=0))
        for start in range(1, LEARNERS + 1, _PART):
            _insert(session, Learner, [_learner(number) for number in range(start, start + _PART)])
        session.flush()
        rows = [_product(number) for number in range(1, PRODUCTS + 1)]
        _insert(session, Product, rows)
    for start in range(1, ORDERS + 1, _PART):
        numbers = range(start, start + _PART)
        with database.write_session() as session:
            orders = [_order(number, chance) for number in numbers]
            _insert(session, Order, orders)
            _insert(session, OrderLine, [_line(order, chance) for order in orders])
    for number in range(DAYS):
        with database.write_session() as session:
            _fill_day(session, number, chance)


def _insert(session: Any, table: Any, rows: Sequence[dict[str, Any]]) -> None:
    session.execute(insert(table.__table__), rows)


def _learner(number: int) -> dict[str, Any]:
    name = {"name": f"Buyer {number}", "student_number": f"s-{number:06}", "email": f"{number}@example.test"}
    return {"id": number, "issuer": "https://bench.example", "subject": str(number), "created_at": MIDNIGHT, **name}


def _product(number: int) -> dict[str, Any]:
    return {
        **{"id": number, "kind": "course", "slug": f"course-{number}", "name": f"Course {number}"},
        **{"status": "published", "category_id": 9000, "list_price": 100, "updated_at": MIDNIGHT},
    }


def _order(number: int, chance: Random) -> dict[str, Any]:
    at = MIDNIGHT + timedelta(seconds=(number - 1) * DAYS * 86_400 // ORDERS)
    total = chance.randrange(500, 50_000)
    return {
        **{"id": number, "code": f"BENCH{number:015}", "learner_id": chance.randrange(LEARNERS) + 1, "state": "paid"},
        **{"currency": "USD", "price_mode": "exclusive", "tax_place": "", "tax_kind": "none", "engine_version": 1},
        **{"form_key": str(number), "content_digest": "0" * 64, "email": "a@example.test", "terms_date": "2026-01-01"},
        **{"email_key": "a@example.test", "quote": {}, "billing": {}, "delivery": None, "refund_terms": {}},
        **dict.fromkeys(("discount_minor", "delivery_minor", "tax_minor"), 0),
        **{"subtotal_minor": total, "total_minor": total, "placed_at": at, "paid_at": at, "changed_at": at},
    }


def _line(order: dict[str, Any], chance: Random) -> dict[str, Any]:
    total = order["total_minor"]
    code = f"code-{chance.randrange(60)}" if chance.random() < 0.3 else ""
    return {
        **{"order_id": order["id"], "number": 1, "kind": "product", "name": "Course", "line_code": code},
        **{"product_id": chance.randrange(PRODUCTS) + 1, "quantity": 1, "unit_minor": total, "list_minor": total},
        **{"net_minor": total, "tax_minor": 0, "total_minor": total, "taxes": []},
        "steps": [{"step": "list", "change_minor": total}],
    }


def _fill_day(session: Any, number: int, chance: Random) -> None:
    day, midnight = (MIDNIGHT + number * _ONE_DAY).date(), MIDNIGHT + number * _ONE_DAY
    session.add(VisitRollup(site=0, day=day, zone="UTC", built_at=midnight + _ONE_DAY))
    session.flush()
    steps, proofs = [], []
    for place in range(LINKS):
        at = microseconds(midnight + timedelta(seconds=chance.randrange(86_000)))
        name = f"tab-{number}-{place}"
        about = {"day": day, "session_id": name, "channel": chance.choice(("paid", "email", "search", "social"))}
        about |= {"student": f"s-{chance.randrange(STUDENTS) + 1:06}", "partner": NONE}
        if place % 4 == 0:
            about |= {"student": NONE, "partner": f"partner-{chance.randrange(50)}"}
        steps.append(_touchpoint(f"{number:08x}-0000-4000-8000-{place:012}", at, about))
        proofs.append(
            {
                **{"day": day, "event_id": str(UUID(int=number * 1000 + place)), "visited_at": at + 60_000_000},
                **{"session_id": name, "learner_id": chance.randrange(LEARNERS) + 1},
            }
        )
    _insert(session, Touchpoint, [_timed(row) for row in steps])
    _insert(session, SessionLearner, [_timed(row) for row in proofs])
    _insert(session, VisitDay, list(_visit_days(day, steps, chance)))


def _timed(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "visited_at": time_of(row["visited_at"])}


def _touchpoint(event_id: str, at: int, about: dict[str, Any]) -> dict[str, Any]:
    return {
        **{"event_id": event_id, "visited_at": at, "landing": "/shop", "product": "", "source": "a"},
        **{
            "campaign": "a / b / c",
            "coupon": NONE,
            "special": NONE,
            "was_anonymous": True,
            "traffic_class": "human",
            **about,
        },
        **dict.fromkeys(("term", "content", "referrer"), ""),
    }


def _visit_days(day: Any, steps: Sequence[dict[str, Any]], chance: Random) -> Iterator[dict[str, Any]]:
    values = {("student", row["student"]) for row in steps} | {("partner", row["partner"]) for row in steps}
    values |= {("coupon", f"code-{number}") for number in range(60)}
    values |= {("product", str(chance.randrange(PRODUCTS) + 1)) for _ in range(300)}
    names = [column.name for column in VisitDay.__table__.columns if not column.primary_key]
    for dimension, key in sorted(values):
        counted = dict.fromkeys(names, 0)
        counted.update(visits=3, sessions=1)
        yield {"site": 0, "day": day, "dimension": dimension, "key": key, "audience": "people", **counted}
