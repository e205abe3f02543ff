"""One pass over a file, for checking and for importing: yields the good rows and records findings about the others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from domain.catalogue_import.columns import NO_RULES, ColumnRules, Columns, Kind
from domain.catalogue_import.courses import course
from domain.catalogue_import.items import item
from domain.catalogue_import.parse import Row, Table
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import BadRow, Finding, ImportReport
from domain.catalogue_import.shared_fields import ImportedRow
from domain.catalogue_import.values import RowValues
from domain.money import Currency

# Called with the amount done and the total.
Progress = Callable[[int, int], None]
_RECORD_BUILDERS: dict[Kind, Callable[[RowValues], ImportedRow]] = {"courses": course, "items": item}
_ROWS_BETWEEN_REPORTS = 500


def no_progress(_done: int, _total: int) -> None:
    """Ignores the progress."""


@dataclass(frozen=True)
class ImportPlan:
    """The result of a check. `rows` = good + bad + repeats; `doubts` are about good rows."""

    path: Path
    kind: Kind
    currency: Currency
    rules: ColumnRules
    rows: int
    good: int
    bad: ImportReport
    repeats: ImportReport
    doubts: ImportReport
    unused_columns: tuple[str, ...]
    # Size and modification time, to notice that the file changed between the check and the import.
    stamp: tuple[int, int]


class RowReader:
    """`good_rows()` may be used once; the counts are complete at its end."""

    def __init__(self, path: Path, kind: Kind, currency: Currency, rules: ColumnRules):
        self._currency = currency
        self.rows = 0
        self.bad = ImportReport()
        self.repeats = ImportReport()
        self.doubts = ImportReport()
        self.columns = Columns(kind, rules)
        self.table = Table(path, self.columns)
        self._make = _RECORD_BUILDERS[kind]
        # Identity -> line and digest of the values: small enough for a million rows.
        self._seen: dict[str, tuple[int, int]] = {}

    def good_rows(self) -> Iterator[tuple[int, ImportedRow]]:
        """Line and row. Raises ImportRefused when the file as a whole cannot be read."""
        for row in self.table.rows():
            self.rows += 1
            if isinstance(row, Finding):
                self.bad.add(row.line, row.reason)
                continue
            try:
                imported = self._make(RowValues(self._filled(row), self._currency))
            except BadRow as bad:
                self.bad.add(row.line, row.about(str(bad)))
                continue
            if self._is_new(row, imported):
                yield row.line, imported
        self.columns.refuse_unknown()

    def _filled(self, row: Row) -> Row:
        """The row with the constants of fields for which it has no value."""
        constants = self.columns.constants
        missing = {field: value for field, value in constants.items() if _is_blank(row.values.get(field))}
        return replace(row, values={**row.values, **missing}) if missing else row

    def _is_new(self, row: Row, imported: ImportedRow) -> bool:
        identity = imported.record.source_id or imported.record.slug
        digest = hash(repr(row.values))
        if identity in self._seen:
            line, first = self._seen[identity]
            difference = "" if first == digest else " with other values"
            self.repeats.add(row.line, row.about(f"{identity} again{difference}, first on line {line}"))
            return False
        self._seen[identity] = (row.line, digest)
        if imported.doubt:
            self.doubts.add(row.line, row.about(imported.doubt))
        return True


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def check(
    path: Path,
    kind: Kind,
    currency: Currency,
    rules: ColumnRules = NO_RULES,
    progress: Progress = no_progress,
) -> ImportPlan:
    """Read the whole file and change nothing. `progress` counts bytes. Raises ImportRefused for an unreadable file."""
    reader = RowReader(path, kind, currency, rules)
    stamp, good = file_stamp(path), 0
    for good, _ in enumerate(reader.good_rows(), start=1):
        if good % _ROWS_BETWEEN_REPORTS == 0:
            progress(reader.table.bytes_read, stamp[0])
    if reader.rows == 0:
        raise ImportRefused(f"{path.name} holds no rows.")
    progress(stamp[0], stamp[0])
    return ImportPlan(
        path=path,
        kind=kind,
        currency=currency,
        rules=rules,
        rows=reader.rows,
        good=good,
        bad=reader.bad,
        repeats=reader.repeats,
        doubts=reader.doubts,
        unused_columns=tuple(sorted(reader.columns.unused)),
        stamp=stamp,
    )


def file_stamp(path: Path) -> tuple[int, int]:
    """Size and modification time. Raises ImportRefused when the file cannot be read."""
    try:
        state = path.stat()
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror or error}.") from error
    return state.st_size, state.st_mtime_ns
