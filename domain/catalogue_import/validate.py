"""One pass over a file, the same for looking and for doing: good rows come out, everything else is noted."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from domain.imports.columns import Columns, Kind
from domain.imports.courses import course
from domain.imports.entries import Entry
from domain.imports.fields import Values
from domain.imports.files import ImportRefused
from domain.imports.findings import BadRow, Finding, Findings
from domain.imports.items import item
from domain.imports.tables import Row, Table

# Called with what is done and what there is in all.
Progress = Callable[[int, int], None]
_MAKERS: dict[Kind, Callable[[Values], Entry]] = {"courses": course, "items": item}
_ROWS_BETWEEN_REPORTS = 500


def unwatched(_done: int, _total: int) -> None:
    """The progress nobody looks at."""


@dataclass(frozen=True)
class Plan:
    """What carrying out would do. `rows` = good + bad + repeats; `doubts` are about good rows."""

    path: Path
    kind: Kind
    mapping: Mapping[str, str]
    rows: int
    good: int
    bad: Findings
    repeats: Findings
    doubts: Findings
    unused_columns: tuple[str, ...]
    # Size and time of the file, to notice when another one is carried out than was checked.
    stamp: tuple[int, int]


class Reading:
    """`entries()` gives the good rows once; the counts are complete when it is through."""

    def __init__(self, path: Path, kind: Kind, mapping: Mapping[str, str]):
        self.rows = 0
        self.bad = Findings()
        self.repeats = Findings()
        self.doubts = Findings()
        self.columns = Columns(kind, mapping)
        self.table = Table(path, self.columns)
        self._make = _MAKERS[kind]
        # Identity -> line and digest of the values: a number for each, so that a million rows fit.
        self._seen: dict[str, tuple[int, int]] = {}

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """Line and entry. Raises ImportRefused when the file as a whole cannot be understood."""
        for row in self.table.rows():
            self.rows += 1
            if isinstance(row, Finding):
                self.bad.add(row.line, row.reason)
                continue
            try:
                entry = self._make(Values(row))
            except BadRow as bad:
                self.bad.add(row.line, row.about(str(bad)))
                continue
            if self._is_new(row, entry):
                yield row.line, entry
        self.columns.refuse_unseen()

    def _is_new(self, row: Row, entry: Entry) -> bool:
        identity = entry.record.source_id or entry.record.slug
        digest = hash(repr(row.values))
        if identity in self._seen:
            line, first = self._seen[identity]
            others = "" if first == digest else " with other values"
            self.repeats.add(row.line, row.about(f"{identity} again{others}, first on line {line}"))
            return False
        self._seen[identity] = (row.line, digest)
        if entry.doubt:
            self.doubts.add(row.line, row.about(entry.doubt))
        return True


def check(path: Path, kind: Kind, mapping: Mapping[str, str] | None = None, progress: Progress = unwatched) -> Plan:
    """Reads the whole file and changes nothing. Raises ImportRefused, with one sentence, for a broken file.

    `progress` hears bytes.
    """
    reading = Reading(path, kind, mapping or {})
    stamp, good = stamp_of(path), 0
    for good, _ in enumerate(reading.entries(), start=1):
        if good % _ROWS_BETWEEN_REPORTS == 0:
            progress(reading.table.read, stamp[0])
    if reading.rows == 0:
        raise ImportRefused(f"{path.name} holds no rows.")
    progress(stamp[0], stamp[0])
    return Plan(
        path=path,
        kind=kind,
        mapping=mapping or {},
        rows=reading.rows,
        good=good,
        bad=reading.bad,
        repeats=reading.repeats,
        doubts=reading.doubts,
        unused_columns=tuple(sorted(reading.columns.unused)),
        stamp=stamp,
    )


def stamp_of(path: Path) -> tuple[int, int]:
    """Size and time of change. Raises ImportRefused when there is no such file."""
    try:
        state = path.stat()
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror or error}.") from error
    return state.st_size, state.st_mtime_ns
