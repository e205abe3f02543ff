"""Which files of days there are. A file is read only while it is listed: it is listed by the transaction that stores
the figures of its day."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session

from domain.tables import VisitRollup, WarehouseFile
from domain.visits.raw.local_days import SHOP

FileKind = Literal["sessions", "pages"]


class WrittenFile(NamedTuple):
    """A file, its place in the folder as its name."""

    name: str
    kind: FileKind
    site: int
    first_day: date
    last_day: date
    row_count: int
    digest: str


# Counts changes of the columns: files of other versions are not read, and their days are computed again.
VERSION = 1
KINDS: tuple[FileKind, ...] = ("sessions", "pages")
# Whoever has read the list before may still open a file that was replaced.
KEEP_REPLACED = timedelta(hours=1)
_DAY = timedelta(days=1)
_COLUMNS = tuple(WarehouseFile.__table__.c[name] for name in WrittenFile._fields)
_IS_CURRENT = (WarehouseFile.replaced_at.is_(None), WarehouseFile.version == VERSION)
_UNSYNCHRONISED = {"synchronize_session": False}


class FileSource(NamedTuple):
    """A file to read, but for some days of which there are newer files."""

    name: str
    without: tuple[date, ...] = ()


def replace_day(session: Session, site: int, day: date, files: Sequence[WrittenFile], at: datetime) -> None:
    """List the files of a day in place of those before."""
    is_day = (WarehouseFile.site == site, WarehouseFile.first_day == day, WarehouseFile.last_day == day)
    names = session.scalars(select(WarehouseFile.name).where(*is_day, WarehouseFile.replaced_at.is_(None)))
    replace(session, set(names), files, at)


def replace(session: Session, names: Collection[str], files: Sequence[WrittenFile], at: datetime) -> None:
    """List these files in place of those with these names. A file that is written anew, with equal rows, has the name
    that it had."""
    same = [file.name for file in files]
    old = sorted(set(names).difference(same))
    marked = update(WarehouseFile).where(WarehouseFile.name.in_(old)).values(replaced_at=at)
    session.execute(marked, execution_options=_UNSYNCHRONISED)
    forget(session, same)
    for file in files:
        session.execute(insert(WarehouseFile).values(**file._asdict(), version=VERSION, written_at=at))


def forget(session: Session, names: Iterable[str]) -> None:
    """Take files off the list: they are not there, or are deleted."""
    gone = delete(WarehouseFile).where(WarehouseFile.name.in_(sorted(names)))
    session.execute(gone, execution_options=_UNSYNCHRONISED)


def current(session: Session, kind: FileKind, site: int = SHOP) -> list[WrittenFile]:
    """The files that are read, the oldest day first, and a month before its days."""
    is_theirs = (WarehouseFile.site == site, WarehouseFile.kind == kind, *_IS_CURRENT)
    rows = session.execute(select(*_COLUMNS).where(*is_theirs))
    files = [WrittenFile(*row) for row in rows]
    return sorted(files, key=lambda file: (file.first_day, -(file.last_day - file.first_day).days, file.name))


def sources(files: Sequence[WrittenFile], since: date, until: date) -> list[FileSource]:
    """What to read for these days. A day that was computed again after its month was merged has a file of its own."""
    single = {file.first_day for file in files if file.first_day == file.last_day}
    return [
        FileSource(file.name, tuple(sorted(day for day in single if _is_in(day, file))) if _is_month(file) else ())
        for file in files
        if file.first_day <= until and since <= file.last_day
    ]


def _is_month(file: WrittenFile) -> bool:
    return file.first_day != file.last_day


def _is_in(day: date, file: WrittenFile) -> bool:
    return file.first_day <= day <= file.last_day


def days_without_file(session: Session, site: int = SHOP) -> list[date]:
    """Computed days with visits that a file of either kind is missing of, the oldest first."""
    with_files = _days_with_files(session, site)
    computed = (VisitRollup.site == site, VisitRollup.built_at.is_not(None), VisitRollup.visits > 0)
    days = session.scalars(select(VisitRollup.day).where(*computed).order_by(VisitRollup.day))
    return [day for day in days if day not in with_files]


class FileDays(NamedTuple):
    """The days that filters are answered for. `first`: since when each of them has its files or gets them, None: no day
    has visits. `days`: those with visits since then, the oldest first; `waiting`: those whose files are still to be
    written."""

    first: date | None = None
    days: tuple[date, ...] = ()
    waiting: tuple[date, ...] = ()

    @property
    def has_any(self) -> bool:
        """Whether any day has files."""
        return len(self.days) > len(self.waiting)


def file_days(session: Session, oldest: date | None = None, site: int = SHOP) -> FileDays:
    """`oldest`: no day before it has files any more. A final day is never computed again: when its files are lost,
    filters reach back to the day after it."""
    has_visits = or_(VisitRollup.visits > 0, VisitRollup.built_at.is_(None))
    query = select(VisitRollup.day, VisitRollup.finalised_at).where(VisitRollup.site == site, has_visits)
    rows = session.execute(query.order_by(VisitRollup.day))
    finals = {day: finalised_at is not None for day, finalised_at in rows if oldest is None or day >= oldest}
    with_files = _days_with_files(session, site)
    lost = [day for day, is_final in finals.items() if is_final and day not in with_files]
    days = tuple(day for day in finals if not lost or day > lost[-1])
    first = lost[-1] + _DAY if lost else next(iter(days), None)
    return FileDays(first, days, tuple(day for day in days if day not in with_files))


def _days_with_files(session: Session, site: int) -> set[date]:
    """The days that files of each kind are of."""
    by_kind = ({day for file in current(session, kind, site) for day in _days_of(file)} for kind in KINDS)
    return set.intersection(*by_kind)


def _days_of(file: WrittenFile) -> Iterator[date]:
    return (file.first_day + number * _DAY for number in range((file.last_day - file.first_day).days + 1))
