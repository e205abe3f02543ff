"""Visits of logs in the database: a line that is stored already changes nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, cast

from sqlalchemy import Table, bindparam, func, insert, literal_column, select
from sqlalchemy.dialects import mysql, sqlite
from sqlalchemy.orm import Session

from domain.tables import ImportedVisit, VisitorSign, VisitRollup, VisitSite
from domain.visits.days import storage
from domain.visits.raw.local_days import DayRules

_VISITS, _SIGNS = cast("Table", ImportedVisit.__table__), cast("Table", VisitorSign.__table__)
_HOUR_S, _QUARTER_S = 3600, 900
HOUR_MS, QUARTER_MS = _HOUR_S * 1000, _QUARTER_S * 1000
# In the order of the columns, without the site.
VisitRow = tuple[str, str, str, str, str, str, str]


@dataclass
class Batch:
    """What one transaction stores. `signs`: session id and hour, in hours since 1970 -> bits. `quarters`: of an hour
    since 1970, those with visits: every time zone's midnight is at the beginning of one."""

    visits: list[VisitRow] = field(default_factory=list)
    signs: dict[tuple[str, int], int] = field(default_factory=dict)
    quarters: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.visits) + len(self.signs)


def find_site(session: Session, name: str) -> int | None:
    return session.scalar(select(VisitSite.id).where(VisitSite.name == name))


def names_of_sites(session: Session) -> list[str]:
    return list(session.scalars(select(VisitSite.name).order_by(VisitSite.name)))


def add_site(session: Session, name: str) -> int:
    """The id of the site, which may exist. Raises IntegrityError when another import adds one at this moment."""
    found = find_site(session, name)
    if found is None:
        # Not that of a removed site, of which an import that runs meanwhile may leave a day.
        numbers = (session.scalar(select(func.max(number))) or 0 for number in (VisitSite.id, VisitRollup.site))
        found = max(numbers) + 1
        session.execute(insert(VisitSite).values(id=found, name=name))
    return found


class SiteRemoved(Exception):
    """While its log is imported. What is stored of it then is gone or will be."""


class Stored(NamedTuple):
    """`new`: visits that were not stored before; `final`: visits of final days, which are left out."""

    new: int
    final: int


class Site(NamedTuple):
    id: int
    name: str


def store(session: Session, of_site: Site, batch: Batch, rules: DayRules, at: datetime) -> Stored:
    """The days of the visits are marked to be computed in the same transaction. Raises SiteRemoved, also when another
    site has its number since."""
    site = of_site.id
    name = session.scalar(select(VisitSite.name).where(VisitSite.id == site).with_for_update(read=True))
    if name != of_site.name:
        raise SiteRemoved
    left = _without_final_days(session, site, batch, rules)
    batch, final = left, len(batch.visits) - len(left.visits)
    new = _insert(session, _visits_statement, site, batch.visits)
    signs = [(_hour_text(hour), name, bits) for (name, hour), bits in batch.signs.items()]
    _insert(session, _signs_statement, site, signs)
    days = {rules.day_of(_time(quarter * _QUARTER_S)) for quarter in batch.quarters}
    storage.add_missing(session, sorted(days), at, site)
    storage.mark_dirty(session, sorted(_changed_days(days, batch, rules)), at, site)
    return Stored(new, final)


def _without_final_days(session: Session, site: int, batch: Batch, rules: DayRules) -> Batch:
    """The visits of a final day are deleted: nobody could tell whether it counts one that comes again."""
    days = {rules.day_of(_time(quarter * _QUARTER_S)) for quarter in batch.quarters}
    final = storage.final_days(session, days, site)
    if not final:
        return batch

    def is_final(text: str) -> bool:
        return rules.day_of(datetime.fromisoformat(text).replace(tzinfo=UTC)) in final

    visits = [row for row in batch.visits if not is_final(row[0])]
    quarters = {quarter for quarter in batch.quarters if rules.day_of(_time(quarter * _QUARTER_S)) not in final}
    signs = {place: bits for place, bits in batch.signs.items() if not _is_of(place[1], final, rules)}
    return Batch(visits, signs, quarters)


def _is_of(hour: int, days: Collection[date], rules: DayRules) -> bool:
    """Whether an hour touches no other days."""
    return all(rules.day_of(_time(hour * _HOUR_S) + later) in days for later in (timedelta(), timedelta(minutes=59)))


def _changed_days(days: set[date], batch: Batch, rules: DayRules) -> set[date]:
    """A session that goes on after midnight has the source of its first visit, however long before midnight that was.
    Signs are of the days that their hour touches."""
    hours = [_time(hour * _HOUR_S) for hour in {hour for _, hour in batch.signs}]
    of_signs = {rules.day_of(time) for hour in hours for time in (hour, hour + timedelta(hours=1))}
    return days | {day + timedelta(days=1) for day in days} | of_signs


def _insert(session: Session, statement: Any, site: int, rows: Sequence[tuple[Any, ...]]) -> int:
    """The driver takes the tuples as they are: SQLAlchemy's handling of each value would cost more than the insert."""
    if not rows:
        return 0
    text, places = statement(session.get_bind().dialect.name, site)
    if places is not None:
        rows = [tuple(row[place] for place in places) for row in rows]
    return session.connection().exec_driver_sql(text, list(rows)).rowcount


@lru_cache(4)
def _visits_statement(dialect: str, site: int) -> tuple[str, list[int] | None]:
    """IGNORE: only so does MariaDB count what is new. All values fit: their lengths are those of the columns."""
    named = _named(_VISITS, site)
    if dialect == "sqlite":
        return _compiled(_VISITS, sqlite.insert(_VISITS).inline().values(named).on_conflict_do_nothing(), dialect)
    return _compiled(_VISITS, mysql.insert(_VISITS).prefix_with("IGNORE").values(named), dialect)


@lru_cache(4)
def _signs_statement(dialect: str, site: int) -> tuple[str, list[int] | None]:
    column = _SIGNS.c.signs
    if dialect == "sqlite":
        added = sqlite.insert(_SIGNS).inline().values(_named(_SIGNS, site))
        keys = list(_SIGNS.primary_key.columns)
        changed: Any = added.on_conflict_do_update(keys, set_={"signs": column.bitwise_or(added.excluded.signs)})
    else:
        inserted = mysql.insert(_SIGNS).values(_named(_SIGNS, site))
        changed = inserted.on_duplicate_key_update(signs=column.bitwise_or(inserted.inserted.signs))
    return _compiled(_SIGNS, changed, dialect)


def _named(table: Table, site: int) -> dict[str, Any]:
    """The site is a part of the statement: rows need not be copied to begin with it. SQLAlchemy would have it returned,
    if the statements were not `inline`."""
    return {**{column.name: bindparam(column.name) for column in table.c}, "site": literal_column(f"{site:d}")}


def _compiled(table: Table, statement: Any, dialect: str) -> tuple[str, list[int] | None]:
    """The text, and the places of its values among the columns besides the site; None for their order."""
    kind: Any = sqlite.dialect(paramstyle="qmark") if dialect == "sqlite" else mysql.dialect(paramstyle="format")
    compiled = statement.compile(dialect=kind)
    columns = [column.name for column in table.c if column.name != "site"]
    places = [columns.index(name) for name in compiled.positiontup]
    return str(compiled), None if places == [*range(len(columns))] else places


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _hour_text(hour: int) -> str:
    return time_text(hour * HOUR_MS)


@lru_cache(128)
def time_text(ms: int) -> str:
    """As both databases take a time. Lines follow each other: in many logs most share theirs with the one before."""
    return f"{_minute_text(ms // 60_000)}:{ms // 1000 % 60:02}.{ms % 1000:03}000"


@lru_cache(64)
def _minute_text(minute: int) -> str:
    return _time(minute * 60).isoformat(" ", "minutes")[:16]
