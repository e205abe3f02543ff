"""The rows that a check leaves out, as a file of the same columns and one more, `reason`, to mend and import."""

import csv
import json
import os
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any

from domain.catalogue_import.parse import Heading

REASON = "reason"


class RefusedFile:
    """CSV in UTF-8 with the mark that spreadsheets want, or a JSON object a line, as the source is. Under its name once
    it is complete; there is none when no row was refused."""

    def __init__(self, path: Path):
        self.path = path
        self._unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
        self._stream: Any = None

    def __enter__(self) -> "RefusedFile":
        self.path.unlink(missing_ok=True)
        return self

    def add(self, heading: Heading, raw: Any, reason: str) -> None:
        """`raw`: the cells of the row, its object, or its lines where it could not be split into cells."""
        is_csv = bool(heading.names)
        if self._stream is None:
            self._stream = self._unfinished.open("w", encoding="utf-8-sig" if is_csv else "utf-8", newline="")
            if is_csv:
                self._write_cells(heading, list(heading.names), REASON)
        if is_csv:
            cells = [cell.rstrip("\r\n") for cell in raw]
            self._write_cells(heading, cells + [""] * (len(heading.names) - len(cells)), reason)
        else:
            row = raw if isinstance(raw, dict) else {"value": raw}
            self._stream.write(json.dumps({**row, REASON: reason}, ensure_ascii=False, default=_plain) + "\n")

    def _write_cells(self, heading: Heading, cells: list[str], reason: str) -> None:
        csv.writer(self._stream, delimiter=heading.delimiter).writerow([*cells, reason])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is None:
            return
        self._stream.close()
        if kind is None:
            self._unfinished.replace(self.path)
        else:
            self._unfinished.unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    """Decimals of JSON numbers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(type(value).__name__)
