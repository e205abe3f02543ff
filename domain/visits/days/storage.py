"""Days as they are stored: one transaction writes a day, under its lease."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import cast

from sqlalchemy import Table, delete, insert, or_, select, update
from sqlalchemy.orm import Session

from domain import fault_points
from domain.crawlers import crawl_storage
from domain.database.database import affected_rows, insert_ignoring
from domain.database.parts import parts_of
from domain.tables import VisitDay, VisitHour, VisitRollup
from domain.visits.days import traffic_class
from domain.visits.days.compute import ComputedDay
from domain.visits.raw.local_days import CODE_VERSION, SHOP, DayRules, time_of_hour
from domain.visits.stored_days import commerce_rows, demand_rows, file_list, served_rows, visitor_rows
from domain.visits.stored_days.day_rows import StoredRollup, find_locked_rollup, is_day, of_day
from domain.visits.stored_days.keys import NAMES

LEASE = timedelta(minutes=15)
# That of a final day: processes of the build before do not know what final is, but leave alone what somebody has.
FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)
_CHUNK = 1000
_DAYS, _HOURS = cast("Table", VisitDay.__table__), cast("Table", VisitHour.__table__)
_IS_OPEN = VisitRollup.finalised_at.is_(None)


class LeaseLost(Exception):
    """Another process has the day meanwhile; nothing was written."""


@dataclass(frozen=True)
class DayLease:
    """The right to write a day. `taken_at`: what was committed before is in what the day is computed from."""

    day: date
    token: str
    taken_at: datetime
    site: int = SHOP


def rules_version(rules: DayRules) -> str:
    return f"{CODE_VERSION}/{traffic_class.version()}/{rules.keys}/{rules.idle_minutes}"


def add_missing(session: Session, days: Sequence[date], at: datetime, site: int = SHOP) -> None:
    """Rows of days that were never computed."""
    row = {"site": site, "visits": 0, "digest": "", "rules_version": "", "zone": "", "duration_ms": 0}
    insert_ignoring(session, VisitRollup, [{**row, "day": day, "dirty_at": at, "lease_token": ""} for day in days])


def mark_dirty(session: Session, days: Sequence[date], at: datetime, site: int = SHOP) -> None:
    """Let days be computed anew. For days without a row nothing is written: they are computed when they come. Final
    ones are never computed."""
    for day in days:
        session.execute(update(VisitRollup).where(*is_day(day, site), _IS_OPEN).values(dirty_at=at))


def final_days(session: Session, days: Collection[date], site: int = SHOP) -> set[date]:
    """The days that are never computed again."""
    found: set[date] = set()
    for part in parts_of(sorted(days), _CHUNK):
        is_day = (VisitRollup.site == site, VisitRollup.day.in_(part))
        found |= set(session.scalars(select(VisitRollup.day).where(*is_day, VisitRollup.finalised_at.is_not(None))))
    return found


def mark_checked(session: Session, days: Sequence[date], at: datetime, site: int = SHOP) -> None:
    for day in days:
        session.execute(update(VisitRollup).where(*is_day(day, site)).values(checked_at=at))


def take(session: Session, lease: DayLease) -> bool:
    """Whether nobody else has the day, and it is not final."""
    add_missing(session, [lease.day], lease.taken_at, lease.site)
    is_free = or_(VisitRollup.lease_until.is_(None), VisitRollup.lease_until <= lease.taken_at)
    values = {"lease_token": lease.token, "lease_until": lease.taken_at + LEASE}
    taken = update(VisitRollup).where(*is_day(lease.day, lease.site), _IS_OPEN, is_free).values(values)
    return affected_rows(session, taken) == 1


def give_back(session: Session, lease: DayLease) -> None:
    """After an error, so that the next run need not wait."""
    own = VisitRollup.lease_token == lease.token
    is_own = (*is_day(lease.day, lease.site), _IS_OPEN, own)
    session.execute(update(VisitRollup).where(*is_own).values(lease_until=None))


def hold_final_days(session: Session, at: datetime) -> None:
    """A deletion of an account by a host of the build before has taken their leases. Those that have all of their
    visits are computed and become final once more, as it may have computed them since."""
    is_free = (VisitRollup.finalised_at.is_not(None), VisitRollup.lease_until.is_(None))
    is_whole = (VisitRollup.site == SHOP, VisitRollup.deleted_visits == 0)
    opened = {"finalised_at": None, "hours_deleted_at": None, "dirty_at": at}
    session.execute(update(VisitRollup).where(*is_free, *is_whole).values(opened))
    session.execute(update(VisitRollup).where(*is_free).values(lease_until=FOR_EVER))


def revoke_leases(session: Session, at: datetime) -> None:
    """Whoever computes a day now writes nothing, and the day is due."""
    is_taken = (VisitRollup.site == SHOP, _IS_OPEN, VisitRollup.lease_until.is_not(None))
    session.execute(update(VisitRollup).where(*is_taken).values(lease_token="", lease_until=None, dirty_at=at))


def leased_rollup(session: Session, lease: DayLease) -> StoredRollup:
    """Locked. Raises LeaseLost."""
    row = find_locked_rollup(session, lease.day, lease.site)
    if row is None:
        raise LeaseLost(f"site {lease.site} is removed")
    if row.lease_token != lease.token:
        raise LeaseLost(f"another process computes {lease.day}")
    return row


def store(session: Session, lease: DayLease, computed: ComputedDay, rules: DayRules, at: datetime) -> bool:
    """Write the day and give the lease back; whether anything differs from before. Of a day without files, those that
    say something else are listed no longer. Raises LeaseLost."""
    row = leased_rollup(session, lease)
    digest = computed.digest
    is_changed = row.digest != digest
    _write_rows(session, lease, computed)
    if computed.files is not None or is_changed:
        file_list.replace_day(session, lease.site, lease.day, computed.files or (), at)
    row.visits, row.digest = computed.visits, digest
    row.rules_version, row.zone = rules_version(rules), rules.zone
    row.built_at, row.checked_at = lease.taken_at, lease.taken_at
    row.duration_ms = (at - lease.taken_at) // timedelta(milliseconds=1)
    # A mark from after the visits were read stays.
    if row.dirty_at is not None and row.dirty_at <= lease.taken_at:
        row.dirty_at = None
    row.lease_until = None
    session.flush()
    fault_points.hit("rollup.written")
    return is_changed


def _write_rows(session: Session, lease: DayLease, computed: ComputedDay) -> None:
    for stored in (VisitDay, VisitHour):
        session.execute(
            delete(stored).where(*of_day(stored, lease.day, lease.site)),
            execution_options={"synchronize_session": False},
        )
    shared = {"site": lease.site, "day": lease.day}
    days = [{**shared, **key._asdict(), **_columns(sums)} for key, sums in computed.days]
    hours = [
        {**shared, **key._asdict(), "hour": time_of_hour(key.hour), **_columns(sums)} for key, sums in computed.hours
    ]
    for table, rows in ((_DAYS, days), (_HOURS, hours)):
        for part in parts_of(rows, _CHUNK):
            session.execute(insert(table), part)
    if lease.site == SHOP:
        visitor_rows.write(session, lease.day, computed.visitors)
        commerce_rows.write(session, lease.day, computed.commerce)
        crawl_storage.write(session, lease.day, computed.crawls, computed.first_reads)
        demand_rows.write(session, lease.day, computed.demand)
        served_rows.write(session, lease.day, computed.served)


def _columns(sums: Sequence[int]) -> dict[str, int]:
    return dict(zip(NAMES, sums, strict=True))
