"""What is found about rows of a file: findings, limited in number, and the result of every row as a file of JSON lines,
because a million rows would be too much for the report of a job."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import TracebackType

from domain.errors import NotFound

# Limits the memory for a file of a million bad rows.
MAX_LISTED = 1000


class BadRow(Exception):
    """This row cannot be imported; the text gives the reason."""


@dataclass(frozen=True)
class RowFinding:
    line: int
    reason: str


@dataclass
class ImportReport:
    """The first MAX_LISTED findings and the total number. `listener` is told each of them."""

    findings: list[RowFinding] = field(default_factory=list)
    total: int = 0
    listener: Callable[[RowFinding], None] | None = None

    def add(self, line: int, reason: str) -> None:
        self.total += 1
        if self.listener is not None:
            self.listener(RowFinding(line, reason))
        if len(self.findings) < MAX_LISTED:
            self.findings.append(RowFinding(line, reason))


@dataclass(frozen=True)
class RowReport:
    """`result`: added, changed, unchanged, bad, repeats or variants (all left out), or doubts (a warning about a row
    that has a line of its own here). `changed`: columns. `draft_reasons`: why it is kept as a draft; "" when it is not.
    `reason`: of what is left out, or why part of the row is not taken over."""

    line: int
    result: str
    slug: str = ""
    name: str = ""
    changed: tuple[str, ...] = ()
    draft_reasons: str = ""
    reason: str = ""


class RowReportFile:
    """Under its name once it is complete; until then nobody reads a part of it."""

    def __init__(self, path: Path):
        self._path = path
        self._unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
        self._rows: list[RowReport] = []

    def __enter__(self) -> "RowReportFile":
        self._stream = self._unfinished.open("w", encoding="utf-8")
        return self

    def add(self, row: RowReport) -> None:
        self._rows.append(row)

    def write_sorted(self) -> None:
        """Write what was added since, by line."""
        for row in sorted(self._rows, key=lambda row: row.line):
            self._stream.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
        self._rows.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.write_sorted()
        self._stream.close()
        if kind is None:
            self._unfinished.replace(self._path)
        else:
            self._unfinished.unlink(missing_ok=True)


def read_rows(path: Path) -> Iterator[RowReport]:
    """Raises NotFound once the file is deleted."""
    try:
        with path.open(encoding="utf-8") as stream:
            for text in stream:
                row = RowReport(**json.loads(text))
                yield replace(row, changed=tuple(row.changed))
    except FileNotFoundError:
        raise NotFound("The report of this check is no longer here. Check the file again.") from None
