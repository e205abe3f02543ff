"""R4: what a replay of the credits of 100,000 orders costs, each with five touchpoints, by five models."""

import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert

from bench.comparison import ResultLine
from domain.attribution.rules import AttributionRules
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.reports.attribution import replay, stored_paths
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.attribution.replay import Replay
from domain.reports.attribution.stored_paths import PathStep, StoredPath, digest_of
from domain.tables import CreditRollup, Learner, Order, OrderLine
from domain.visits.raw.local_days import DayRules

ORDERS = 100_000
DAYS = 100
TOUCHPOINTS = 5
LIMIT_S = 60.0
# Orders of which every third has a second line.
LINES_EVERY = 3
FIRST = date(2026, 1, 1)
MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)
LATER = MIDNIGHT + timedelta(days=DAYS + 30)
_CHANNELS = ("paid", "partner", "email", "search", "social", "direct")
_PART = 5_000


def r4() -> list[ResultLine]:
    with tempfile.TemporaryDirectory(prefix="cf-bench-") as name:
        database = Database(database_url(None, Path(name)), deadline_s=600)
        runner.upgrade(database.engine)
        _fill(database)
        builder = CreditDayBuilder(database, DayRules(), lambda: LATER, AttributionRules())
        days = [FIRST + timedelta(days=number) for number in range(DAYS)]
        first, digest = _seconds(lambda: _last(replay.replay_days(builder, days)))
        again, same = _seconds(lambda: _last(replay.replay_days(builder, days)))
        checked, found = _seconds(lambda: _last(replay.check_days(builder, days)))
        database.engine.dispose()
    is_right = digest.sha256 == same.sha256 == found.sha256 and not found.wrong
    figures = f"{again:.1f} s again, {checked:.1f} s to check, {digest.credits:,} credits"
    return [
        ResultLine(
            "R4",
            f"replay {ORDERS:,} orders with {TOUCHPOINTS} touchpoints by five models",
            f"<= {LIMIT_S:.0f} s",
            f"{first:.1f} s",
            figures,
            None,
            is_right and first <= LIMIT_S,
        )
    ]


def _seconds(work: Callable[[], Replay]) -> tuple[float, Replay]:
    start = time.monotonic()
    result = work()
    return time.monotonic() - start, result


def _last(steps: Iterator[Replay]) -> Replay:
    *_, result = steps
    return result


def _fill(database: Database) -> None:
    chance = Random(20260401)
    with database.write_session() as session:
        for number in range(1, 1001):
            about = {
                "name": f"Buyer {number}",
                "student_number": f"s-{number:06}",
                "email": f"{number}@example.test",
                "created_at": MIDNIGHT,
            }
            session.add(Learner(id=number, issuer="https://bench.example", subject=str(number), **about))
        session.flush()
        days = [{"day": FIRST + timedelta(days=number), "zone": "", "version": 0} for number in range(DAYS)]
        session.execute(insert(CreditRollup), days)
    for start in range(1, ORDERS + 1, _PART):
        numbers = range(start, start + _PART)
        with database.write_session() as session:
            session.execute(insert(Order), [_order(number) for number in numbers])
            lines = [line for number in numbers for line in _lines(number, chance)]
            session.execute(insert(OrderLine), lines)
            stored_paths.replace(session, [_path(number, chance) for number in numbers])


def _placed_at(number: int) -> datetime:
    return MIDNIGHT + timedelta(seconds=(number - 1) * DAYS * 86_400 // ORDERS)


def _order(number: int) -> dict[str, Any]:
    at = _placed_at(number)
    return {
        **{"id": number, "code": f"BENCH{number:015}", "learner_id": number % 1000 + 1, "state": "paid"},
        **{"currency": "USD", "price_mode": "exclusive", "tax_place": "", "tax_kind": "none", "engine_version": 1},
        **{"form_key": str(number), "content_digest": "0" * 64, "email": "a@example.test", "terms_date": "2026-01-01"},
        **{"email_key": "a@example.test", "quote": {}, "billing": {}, "delivery": None, "refund_terms": {}},
        **dict.fromkeys(("subtotal_minor", "discount_minor", "delivery_minor", "tax_minor", "total_minor"), 0),
        **{"placed_at": at, "paid_at": at, "changed_at": at},
    }


def _lines(number: int, chance: Random) -> Iterator[dict[str, Any]]:
    for place in range(1, 3 if number % LINES_EVERY == 0 else 2):
        net = chance.randrange(500, 50_000)
        yield {
            **{"id": 2 * number + place, "order_id": number, "number": place, "kind": "product", "name": "Course"},
            **{"quantity": 1, "unit_minor": net, "list_minor": net, "net_minor": net, "tax_minor": 0},
            **{"total_minor": net, "steps": [{"step": "list", "change_minor": net}], "taxes": []},
        }


def _path(number: int, chance: Random) -> StoredPath:
    placed_at = _placed_at(number)
    times = sorted(chance.randrange(30 * 86_400) for _ in range(TOUCHPOINTS))
    steps = tuple(
        PathStep(
            position=position,
            event_id=f"{number:08x}-0000-4000-8000-{position:012}",
            visited_at=placed_at - timedelta(seconds=seconds),
            channel=chance.choice(_CHANNELS),
            source=f"source-{chance.randrange(40)}",
            campaign=f"source / email / campaign-{chance.randrange(200)}",
            **dict.fromkeys(("term", "content", "referrer"), ""),
            coupon=chance.choice(("(none)", "(none)", "spring")),
            special="(none)",
            student=chance.choice(("(none)", f"s-{chance.randrange(1000):06}")),
            partner=chance.choice(("(none)", f"partner-{chance.randrange(50)}")),
            landing="/shop",
            is_own=False,
        )
        for position, seconds in enumerate(reversed(times), 1)
    )
    about = (f"R{number:09}", "USD", placed_at, placed_at, 30, 168, LATER)
    return StoredPath(number, *about, digest_of(steps), steps)
