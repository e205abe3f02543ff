"""Makes all credits anew, from paths and sales, and proves them by one SHA-256."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.attribution.paths import order_path
from domain.attribution.rules import AttributionRules
from domain.database.cycle_collector import paused_collector
from domain.errors import ServiceUnavailable
from domain.reports import sales_lines
from domain.reports.attribution import (
    coded_orders,
    cohort_days,
    credit_storage,
    order_paths,
    referral_days,
    stored_paths,
)
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.attribution.credit_days import CreditRow, DayCredits, DaySums, credited_orders, hash_rows
from domain.reports.attribution.order_paths import PathOrder
from domain.reports.attribution.stored_paths import StoredPath, digest_of
from domain.reports.sales_lines import SaleLine
from domain.tables import CreditRollup
from domain.visits.raw.local_days import DayRules

# How often a day is read again that another process stores at the same time.
TRIES = 3
# (currency, channel, model) -> amount and thousandths of orders.
ChannelSums = dict[tuple[str, str, str], list[int]]


@dataclass
class Replay:
    """`wrong`: what is stored and should be otherwise, in words."""

    orders: int = 0
    credits: int = 0
    digest: Any = field(default_factory=sha256)
    channels: ChannelSums = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    wrong: list[str] = field(default_factory=list)

    def add(self, rows: Mapping[int, Sequence[CreditRow]], sums: DayCredits) -> None:
        for of_order in rows.values():
            self.orders += 1
            self.credits += len(of_order)
            hash_rows(self.digest, of_order)
        for key, (amount, milli) in sums:
            if key.dimension == "channel":
                found = self.channels[key.currency, key.key, key.model]
                found[0] += amount
                found[1] += milli

    @property
    def sha256(self) -> str:
        digest: str = self.digest.hexdigest()
        return digest


def days_of(session: Session, first: date | None, last: date | None) -> list[date]:
    """Days with paid orders, as far as they are known."""
    conditions = [*([CreditRollup.day >= first] if first else []), *([CreditRollup.day <= last] if last else [])]
    return list(session.scalars(select(CreditRollup.day).where(*conditions).order_by(CreditRollup.day)))


def replay_days(builder: CreditDayBuilder, days: Sequence[date]) -> Iterator[Replay]:
    """Store the credits of these days as they are made now; the sums so far after each. Raises ServiceUnavailable when
    other processes store a day again and again."""
    result = Replay()
    for day in days:
        for _ in range(TRIES):
            computed = builder.compute(day)
            if computed is not None and builder.database.write_sync(builder.store, computed) is not None:
                result.add(computed.rows, computed.sums)
                break
        else:
            raise ServiceUnavailable(f"Another process stores the credits of {day}: replay them again.")
        yield result


def reopen_empty(builder: CreditDayBuilder, days: Sequence[date]) -> int:
    """Let `replay_days` look up again the closed paths of these days that have no touchpoints; their number."""
    return sum(builder.database.write_sync(stored_paths.reopen_empty, builder.rules.window(day)) for day in days)


def check_days(builder: CreditDayBuilder, days: Sequence[date]) -> Iterator[Replay]:
    """Compare what is stored with what the stored paths and the sales of now give; writes nothing."""
    result = Replay()
    for day in days:
        with builder.database.read_session() as session, paused_collector():
            found = _stored_day(session, builder.rules, day)
            rows, sums = found.credits()
            result.wrong += _wrong(session, found, rows, sums)
            result.wrong += _wrong_buyers(session, found, builder.rules)
        result.add(rows, sums)
        yield result


def what_if(
    builder: CreditDayBuilder, days: Sequence[date], window_days: int | None, half_life_hours: int | None
) -> Iterator[Replay]:
    """The credits that another window, or another half-life, would give; writes nothing. A longer window finds what
    touchpoints there still are."""
    result = Replay()
    for day in days:
        with builder.database.read_session() as session, paused_collector():
            found = _stored_day(session, builder.rules, day)
            paths = found.paths
            if window_days is not None:
                paths = _other_paths(session, found, window_days, builder.attribution)
            if half_life_hours is not None:
                paths = {key: path._replace(half_life_hours=half_life_hours) for key, path in paths.items()}
            rows, sums = found._replace(paths=paths).credits()
        result.add(rows, sums)
        yield result


class _StoredDay(NamedTuple):
    """A day with the paths that are stored, or others in their place."""

    day: date
    lines: list[SaleLine]
    orders: dict[int, PathOrder]
    paths: dict[int, StoredPath]

    def credits(self) -> tuple[dict[int, list[CreditRow]], DayCredits]:
        sums, rows = DaySums(), {}
        for order in credited_orders(self.lines, self.paths):
            sums.add(order)
            rows[order.order_id] = order.rows
        return rows, sums.rows


def _stored_day(session: Session, rules: DayRules, day: date) -> _StoredDay:
    window = rules.window(day)
    lines = list(sales_lines.lines(session, window.since, window.until))
    orders = order_paths.orders_of(lines)
    return _StoredDay(day, lines, orders, stored_paths.load(session, orders))


def _wrong(
    session: Session, found: _StoredDay, rows: Mapping[int, Sequence[CreditRow]], sums: DayCredits
) -> Iterator[str]:
    for order_id, path in found.paths.items():
        if digest_of(path.steps) != path.digest:
            yield f"{found.day}: the path of order {order_id} is not the one that was chosen"
    stored = credit_storage.stored_credits(session, found.orders)
    for order_id in found.orders:
        if order_id not in found.paths:
            yield f"{found.day}: order {order_id} has no path yet"
        elif stored.get(order_id) != rows[order_id]:
            yield f"{found.day}: other credits of order {order_id} are stored than path and sales give"
    if credit_storage.stored_days(session, found.day) != sums:
        yield f"{found.day}: other sums are stored than the credits give"
    if referral_days.load(session, found.day) != referral_days.count(found.lines, found.paths):
        yield f"{found.day}: other orders by links are stored than the paths give"


def _wrong_buyers(session: Session, found: _StoredDay, rules: DayRules) -> Iterator[str]:
    buyers = cohort_days.buyers_of(session, found.day, rules, found.lines)
    if cohort_days.load(session, found.day) != cohort_days.count(session, buyers, {}).rows:
        yield f"{found.day}: other learners by their first order are stored than the orders give"
    if coded_orders.load(session, found.day) != coded_orders.count(found.lines, buyers.own):
        yield f"{found.day}: other orders with codes are stored than there are"


def _other_paths(session: Session, day: _StoredDay, window_days: int, rules: AttributionRules) -> dict[int, StoredPath]:
    """The touchpoints that are stored with each path, and those of its learner that there still are."""
    other = replace(rules, window_days=window_days)
    looked_up = order_paths.choose(session, list(day.orders.values()), {}, other, {})
    found = {}
    for order_id, path in looked_up.items():
        before = day.paths.get(order_id, path)
        # Touchpoints of an erased buyer have no ids.
        steps = {step.event_id or f"{step.position:05}": step for step in (*before.steps, *path.steps)}
        named = (step._replace(event_id=name).touchpoint for name, step in steps.items())
        chosen = order_path(named, path.placed_at, other.window)
        found[order_id] = before._replace(steps=order_paths.in_places(chosen, steps))
    return found
