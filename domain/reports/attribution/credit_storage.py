"""Credits as they are stored, and the one transaction that writes those of a day."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.attribution.credits import DIMENSIONS
from domain.database.parts import parts_of
from domain.reports.attribution import coded_orders, cohort_days, referral_days, stored_paths
from domain.reports.attribution.coded_orders import DayCodes
from domain.reports.attribution.cohort_days import DayCohorts
from domain.reports.attribution.credit_days import CreditKey, CreditRow, CreditSums, DayCredits
from domain.reports.attribution.referral_days import DayReferrals
from domain.reports.attribution.stored_paths import StoredPath
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED, DayRollups
from domain.tables import CreditDay, CreditRollup, OrderCredit
from domain.visits.raw.local_days import DayRules

ROLLUPS = DayRollups(CreditRollup)
_CREDITS = [getattr(OrderCredit, name) for name in CreditRow._fields]
_PART = 5_000


@dataclass(frozen=True)
class ComputedCredits:
    """A day as it was at `read_at`. `paths`: those of its orders that differ from the stored ones; `rows`: the credits
    of each order, as their lines come; `version`: of the row of the day."""

    day: date
    paths: tuple[StoredPath, ...]
    rows: dict[int, list[CreditRow]]
    sums: DayCredits
    referrals: DayReferrals
    cohorts: DayCohorts
    coded: DayCodes
    open_paths: int
    version: int
    read_at: datetime


def store(session: Session, computed: ComputedCredits, rules: DayRules) -> bool | None:
    """Whether anything differs from before; None, and nothing is written, when the day has another version, or another
    day has stored one of its paths: that of another zone."""
    rollup = ROLLUPS.lock(session, computed.day, computed.version)
    if rollup is None:
        return None
    heads = stored_paths.load(session, [path.order_id for path in computed.paths], for_update=True)
    if any(_is_other(heads[path.order_id], path) for path in computed.paths if path.order_id in heads):
        return None
    stored_paths.replace(session, computed.paths)
    changed = _changed_orders(session, computed)
    _replace_credits(session, changed, [row for order_id in changed for row in computed.rows[order_id]])
    is_changed = stored_days(session, computed.day) != computed.sums
    if is_changed:
        _replace_days(session, computed)
    others = (
        referral_days.replace(session, computed.day, computed.referrals),
        cohort_days.replace(session, computed.day, computed.cohorts),
        coded_orders.replace(session, computed.day, computed.coded),
    )
    rollup.open_paths = computed.open_paths
    ROLLUPS.note_built(rollup, rules, computed.read_at)
    session.flush()
    return bool(is_changed or any(others) or changed or computed.paths)


def _is_other(stored: StoredPath, path: StoredPath) -> bool:
    return stored.closed_at is not None or stored.ref != path.ref


def _changed_orders(session: Session, computed: ComputedCredits) -> list[int]:
    stored = stored_credits(session, computed.rows)
    return sorted(order_id for order_id, rows in computed.rows.items() if stored.get(order_id) != rows)


def stored_credits(session: Session, order_ids: Collection[int]) -> dict[int, list[CreditRow]]:
    """By the order, in the order of their keys."""
    found: dict[int, list[CreditRow]] = {}
    for part in parts_of(sorted(order_ids), CHUNK):
        query = select(*_CREDITS).where(OrderCredit.order_id.in_(part)).order_by(*_CREDITS[:4])
        for row in session.execute(query):
            found.setdefault(row[0], []).append(CreditRow._make(row))
    return found


def _replace_credits(session: Session, order_ids: Sequence[int], rows: Sequence[CreditRow]) -> None:
    for part in parts_of(order_ids, CHUNK):
        session.execute(delete(OrderCredit).where(OrderCredit.order_id.in_(part)), execution_options=UNSYNCHRONISED)
    _insert(session, "credits", CreditRow._fields, rows)


def _insert(session: Session, table: str, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """The driver takes the tuples as they are: SQLAlchemy's handling of each value would cost more than the insert."""
    places = ", ".join(["?" if session.get_bind().dialect.name == "sqlite" else "%s"] * len(names))
    # `key` is a word of MariaDB's own, and both databases take a name in these quotes.
    columns = ", ".join(f"`{name}`" for name in names)
    text = f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608 names of tables and columns
    for part in parts_of(rows, _PART):
        session.connection().exec_driver_sql(text, list(part))


def stored_days(session: Session, day: date) -> DayCredits:
    """By their keys, as they are computed."""
    names = (*CreditKey._fields, *CreditSums._fields)
    rows = session.execute(select(*(getattr(CreditDay, name) for name in names)).where(*_of_day(day)))
    return tuple(sorted((CreditKey._make(row[:4]), CreditSums._make(row[4:])) for row in rows))


def _replace_days(session: Session, computed: ComputedCredits) -> None:
    session.execute(delete(CreditDay).where(*_of_day(computed.day)), execution_options=UNSYNCHRONISED)
    day = computed.day.isoformat()
    names = ("day", *CreditKey._fields, *CreditSums._fields)
    _insert(session, "credit_days", names, [(day, *key, *sums) for key, sums in computed.sums])


def _of_day(day: date) -> tuple[Any, ...]:
    """The dimensions are named, as the key begins with them."""
    return CreditDay.dimension.in_(DIMENSIONS), CreditDay.day == day
