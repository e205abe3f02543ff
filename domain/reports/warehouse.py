"""The files of days of visits, and DuckDB, which writes and reads them. This module alone imports it, when it first
needs it: it takes some 40 MB of a process.

DuckDB opens nothing outside of its folder and loads no extension, and values are parameters of its statements. What the
columns mean: docs/contracts.md, "warehouse".
"""

import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from uuid import uuid4

from sqlalchemy import Date, Integer, MetaData, SmallInteger, String, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import Select
from sqlalchemy.sql.schema import Column

from domain.visits.days.day_files import GROUP_DIMENSIONS, SESSION_NUMBERS, DayFileRows, PageCount
from domain.visits.days.session_rows import PAGE, PAIR, PATH, PRODUCT
from domain.visits.erased import ERASED
from domain.visits.stored_days.file_list import FileKind, FileSource, WrittenFile

if TYPE_CHECKING:
    import duckdb

log = logging.getLogger("coursefront.warehouse")

THREADS = 2
# Below that no file is written: the disk may be the one of the database.
MIN_FREE_BYTES = 64 * 2**20
# Nobody waits longer for a report.
DEADLINE_S = 5.0
# A month of ten million visits takes some seconds.
WRITE_DEADLINE_S = 120.0
# The folder of files that are deleted once they are sent.
_DOWNLOADS = "downloads"
_FILE = "(FORMAT parquet, COMPRESSION zstd)"
_PAGE_DIMENSIONS = ("channel", "source", "campaign", "coupon", "partner", "device")
_PLACES = ("page", "path", "product")
# Columns of `pages`, each with the bit of those that it counts.
_SESSIONS_OF = {"sessions": PAIR, "path_sessions": PATH, "page_sessions": PAGE, "product_sessions": PRODUCT}
_METADATA = MetaData()


def _texts(*names: str) -> list[Column[Any]]:
    return [Column(name, String) for name in names]


def _numbers(*names: str) -> list[Column[Any]]:
    return [Column(name, Integer) for name in names]


# Statements are written over these two.
SESSIONS = Table(
    "sessions",
    _METADATA,
    Column("site", SmallInteger),
    Column("day", Date),
    Column("hour", Integer),
    *_texts("traffic_class", *GROUP_DIMENSIONS, "landing"),
    *_numbers(*SESSION_NUMBERS[3:]),
)
PAGES = Table(
    "pages",
    _METADATA,
    Column("site", SmallInteger),
    Column("day", Date),
    *_texts("traffic_class", *_PAGE_DIMENSIONS, *_PLACES),
    *_numbers("visits", *_SESSIONS_OF),
)
TABLES: Mapping[FileKind, Table] = {"sessions": SESSIONS, "pages": PAGES}


class DownloadColumn(NamedTuple):
    """A column of a file that somebody downloads. `type`: of its values, which may also be None."""

    name: str
    type: Literal["VARCHAR", "BIGINT", "DOUBLE"]
    values: Sequence[str | int | float | None]


class WarehouseUnavailable(Exception):
    """The files cannot be read here and now."""


class Warehouse:
    """The files in one folder. Any thread may call it."""

    def __init__(self, folder: Path, memory_mb: int):
        self.folder, self._memory_mb = folder, memory_mb
        # How often files of a day could not be written, since this process began.
        self.failures = 0

    def write(self, site: int, day: date, rows: DayFileRows) -> Sequence[WrittenFile] | None:
        """The files of a day; None when that fails: their day has none then, and is computed again."""
        try:
            with self._cursor() as cursor, self._new_files(site) as new:
                _load(cursor, rows)
                lines: Mapping[FileKind, Iterable[str]] = {"sessions": rows.sessions, "pages": map(_line, rows.pages)}
                return [
                    _write_kind(cursor, new, _Period(kind, site, day, day), of_kind) for kind, of_kind in lines.items()
                ]
        except (OSError, WarehouseUnavailable) as error:
            self.failures += 1
            log.error("the files of %s cannot be written to %s: %s", day, self.folder, error)
            return None

    def rewrite(
        self, files: Sequence[WrittenFile], sources: Sequence[FileSource], since: date, erased: Mapping[str, date]
    ) -> WrittenFile:
        """One file in place of these, of the same kind and site, from `since` on. `erased`: student numbers, each until
        a day, that become "(erased)". Raises OSError, WarehouseUnavailable."""
        kind, site = files[0].kind, files[0].site
        read, values = _source_text(kind, self._absolute(sources))
        with self._cursor() as cursor, self._new_files(site) as new:
            target, columns = new.path(), "*"
            if kind == "sessions" and erased:
                cases = " ".join(f"WHEN lower(student) = ? AND day <= ? THEN '{ERASED}'" for _ in erased)
                columns = f"* REPLACE (CASE {cases} ELSE student END AS student)"
            of_numbers = [value for pair in erased.items() for value in pair] if columns != "*" else []
            text = f"COPY (WITH {read} SELECT {columns} FROM {kind} WHERE day >= ?) TO ? {_FILE}"  # noqa: S608 names of ours
            cursor.execute(text, [*values, *of_numbers, since, str(target)])
            first = max(since, min(file.first_day for file in files))
            return _named(cursor, target, _Period(kind, site, first, max(file.last_day for file in files)))

    def rows_of(
        self, statement: Select[Any], sources: Mapping[FileKind, Sequence[FileSource]]
    ) -> list[tuple[Any, ...]]:
        """The rows of a statement over SESSIONS or PAGES. Raises WarehouseUnavailable when a file is missing or broken,
        memory does not suffice, or it takes longer than DEADLINE_S."""
        text, values = text_of(statement)
        reads: list[str] = []
        of_files: list[Any] = []
        for kind, of_kind in sources.items():
            read, names = _source_text(kind, self._absolute(of_kind))
            reads.append(read)
            of_files += names
        with self._cursor(DEADLINE_S) as cursor:
            cursor.execute(f"WITH {', '.join(reads)} {text}", [*of_files, *values])
            return list(cursor.fetchall())

    def download_of(self, columns: Sequence[DownloadColumn]) -> bytes:
        """A Parquet file of these columns. Raises OSError, and WarehouseUnavailable after DEADLINE_S at the latest."""
        texts = ", ".join(f'unnest(?::{column.type}[]) AS "{column.name}"' for column in columns)
        values = [list(column.values) for column in columns]
        with self._new_files(_DOWNLOADS) as new, self._cursor(DEADLINE_S) as cursor:
            target = new.path()
            cursor.execute(f"COPY (SELECT {texts}) TO ? {_FILE}", [*values, str(target)])
            return target.read_bytes()

    def _absolute(self, sources: Sequence[FileSource]) -> list[FileSource]:
        return [source._replace(name=str(self.folder / source.name)) for source in sources]

    def has(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def is_intact(self, file: WrittenFile) -> bool:
        try:
            return _digest_of(self.folder / file.name) == file.digest
        except OSError:
            return False

    def is_writable(self) -> bool:
        """Whether there is room for files."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return shutil.disk_usage(self.folder).free >= MIN_FREE_BYTES
        except OSError:
            return False

    def delete_others(self, listed: set[str], before: datetime) -> int:
        """Delete files of before that are not listed, also those that a killed process has left; their number."""
        count = 0
        for path in self.folder.glob("*/*"):
            is_ours = path.suffix in (".parquet", ".new") and f"{path.parent.name}/{path.name}" not in listed
            if is_ours and path.stat().st_mtime < before.timestamp():
                path.unlink(missing_ok=True)
                count += 1
        return count

    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    @contextmanager
    def _new_files(self, folder_name: int | str) -> "Iterator[_NewFiles]":
        folder = self.folder / str(folder_name)
        folder.mkdir(parents=True, exist_ok=True)
        if not self.is_writable():
            raise OSError(f"less than {MIN_FREE_BYTES // 2**20} MB are free")
        new = _NewFiles(folder)
        try:
            yield new
        finally:
            new.delete()

    @contextmanager
    def _cursor(self, deadline_s: float = WRITE_DEADLINE_S) -> Iterator[Any]:
        """A connection of its own, with a deadline. Raises WarehouseUnavailable for an error within."""
        import duckdb

        self.folder.mkdir(parents=True, exist_ok=True)
        cursor = _engine(self.folder, self._memory_mb).cursor()
        timer = threading.Timer(deadline_s, cursor.interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield cursor
        except duckdb.Error as error:
            raise WarehouseUnavailable(str(error).splitlines()[0]) from error
        finally:
            timer.cancel()
            cursor.close()


class _Period(NamedTuple):
    """What a file is of."""

    kind: FileKind
    site: int
    first: date
    last: date


class _NewFiles:
    """Files that are not finished yet, deleted in the end."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._paths: list[Path] = []

    def path(self) -> Path:
        self._paths.append(self._folder / f"{uuid4().hex}.new")
        return self._paths[-1]

    def delete(self) -> None:
        for path in self._paths:
            path.unlink(missing_ok=True)


@lru_cache(4)
def _engine(folder: Path, memory_mb: int) -> "duckdb.DuckDBPyConnection":
    import duckdb

    config: dict[str, Any] = {
        "threads": THREADS,
        "memory_limit": f"{memory_mb}MB",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": str(folder / "spill"),
        "max_temp_directory_size": "1GB",
    }
    engine = duckdb.connect(":memory:", config=config)
    # In this order: the folders cannot be named any more once files are forbidden.
    engine.execute("SET allowed_directories = ?", [[f"{folder}/"]])
    engine.execute("SET enable_external_access = false")
    engine.execute("SET lock_configuration = true")
    return engine


def _write_kind(cursor: Any, new: _NewFiles, period: _Period, lines: Iterable[str]) -> WrittenFile:
    numbers, target = new.path(), new.path()
    with numbers.open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines)
    cursor.execute(_WRITE[period.kind], [period.site, period.first, str(numbers), str(target)])
    return _named(cursor, target, period)


def _named(cursor: Any, target: Path, period: _Period) -> WrittenFile:
    """Give a written file the name that is listed: another one for other contents, so that whoever reads the file
    before is not disturbed."""
    count = cursor.execute("SELECT count(*) FROM read_parquet(?)", [str(target)]).fetchall()[0][0]
    digest = _digest_of(target)
    with target.open("rb") as file:
        os.fsync(file.fileno())
    days = period.first.isoformat() if period.first == period.last else period.first.isoformat()[:7]
    name = f"{period.kind}-{days}-{digest[:16]}.parquet"
    target.replace(target.with_name(name))
    return WrittenFile(f"{period.site}/{name}", *period, count, digest)


def _line(row: PageCount) -> str:
    return f"{row.group},{row.place},{row.firsts},{row.sessions},{row.visits}"


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def text_of(statement: Select[Any]) -> tuple[str, list[Any]]:
    """SQL that DuckDB and SQLite both know, and the values of its parameters."""
    compiled = statement.compile(
        dialect=sqlite.dialect(paramstyle="qmark"), compile_kwargs={"render_postcompile": True}
    )
    parameters = compiled.params
    return str(compiled), [parameters[name] for name in compiled.positiontup or ()]


def _source_text(kind: FileKind, sources: Sequence[FileSource]) -> tuple[str, list[Any]]:
    """`kind` as the rows of some files; without any, of none."""
    whole = [source.name for source in sources if not source.without]
    parts: list[str] = []
    values: list[Any] = []
    if whole:
        parts.append("SELECT * FROM read_parquet(?)")
        values.append(whole)
    for name, without in sources:
        if without:
            parts.append("SELECT * FROM read_parquet(?) WHERE NOT list_contains(?::DATE[], day)")
            values += [name, list(without)]
    if not parts:
        columns = ", ".join(f"NULL::{_type_of(column)} AS {column.key}" for column in TABLES[kind].c)
        parts.append(f"SELECT {columns} WHERE false")
    return f"{kind} AS ({' UNION ALL '.join(parts)})", values


def _type_of(column: Column[Any]) -> str:
    types: dict[type, str] = {Date: "DATE", String: "VARCHAR", SmallInteger: "SMALLINT", Integer: "INTEGER"}
    return types[type(column.type)]


def _load(cursor: Any, rows: DayFileRows) -> None:
    """What the numbers of the rows stand for."""
    _load_names(cursor, "groups", ("traffic_class", *GROUP_DIMENSIONS), rows.groups)
    _load_names(cursor, "landings", ("landing",), [(landing,) for landing in rows.landings])
    _load_names(cursor, "places", _PLACES, rows.places)


def _load_names(cursor: Any, table: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    columns = ", ".join(f"unnest(?::VARCHAR[]) AS {column}" for column in names)
    values = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in names]
    cursor.execute(
        f"CREATE TEMP TABLE {table} AS SELECT unnest(?::INTEGER[]) AS id, {columns}", [[*range(len(rows))], *values]
    )


def _numbers_text(names: Sequence[str]) -> str:
    columns = ", ".join(f"'{column}': 'INTEGER'" for column in names)
    # Its lines are numbers of ours alone.
    return f"read_csv(?, header = false, auto_detect = false, delim = ',', columns = {{{columns}}})"


def _write_sessions() -> str:
    columns = ", ".join(
        f"groups.{column}"
        if column in ("traffic_class", *GROUP_DIMENSIONS)
        else f"landings.{column}"
        if column == "landing"
        else f"numbers.{column}"
        for column in SESSIONS.c.keys()[2:]
    )
    joined = "JOIN groups ON groups.id = numbers.group_id JOIN landings ON landings.id = numbers.landing_id"
    numbers = _numbers_text(("group_id", "landing_id", *SESSION_NUMBERS[2:]))
    return (
        f"COPY (SELECT ?::SMALLINT AS site, ?::DATE AS day, {columns} FROM {numbers} AS numbers {joined} ORDER BY ALL)"  # noqa: S608 names of ours
        f" TO ? {_FILE}"
    )


def _write_pages() -> str:
    sums = ", ".join(
        f"sum(CASE WHEN numbers.firsts & {bit} > 0 THEN numbers.sessions ELSE 0 END)::INTEGER AS {column}"
        for column, bit in _SESSIONS_OF.items()
    )
    names = ", ".join(("traffic_class", *_PAGE_DIMENSIONS, *_PLACES))
    joined = "JOIN groups ON groups.id = numbers.group_id JOIN places ON places.id = numbers.place_id"
    numbers = _numbers_text(("group_id", "place_id", *PageCount._fields[2:]))
    return (
        f"COPY (SELECT ?::SMALLINT AS site, ?::DATE AS day, {names}, sum(numbers.visits)::INTEGER AS visits, {sums}"  # noqa: S608 names of ours
        f" FROM {numbers} AS numbers {joined} GROUP BY ALL ORDER BY ALL) TO ? {_FILE}"
    )


_WRITE: Mapping[FileKind, str] = {"sessions": _write_sessions(), "pages": _write_pages()}
