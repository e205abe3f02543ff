"""Parses a CSV file, a JSON array or JSON lines into rows with their line and their values by our field names."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from domain.catalogue_import.columns import Columns
from domain.catalogue_import.read_lines import (
    MAX_ARRAY_SIZE,
    MAX_LINE_LENGTH,
    MIB,
    UTF8_MARK,
    ImportRefused,
    Lines,
    decode,
    open_file,
)
from domain.catalogue_import.report import Finding

# Decimal keeps 19.99 exact, and passes NaN on as Decimal, which the check of a price refuses.
_JSON = json.JSONDecoder(parse_float=Decimal, parse_constant=Decimal)


@dataclass(frozen=True)
class Row:
    """`values`: by our field names; `columns`: our name -> the file's, for messages. `element`: the position in a JSON
    array, which is often a single line."""

    line: int
    values: dict[str, Any]
    columns: dict[str, str]
    element: int | None = None

    def about(self, reason: str) -> str:
        return reason if self.element is None else f"element {self.element}: {reason}"


class Table:
    """One pass over a file. `bytes_read` counts the bytes read so far."""

    def __init__(self, path: Path, columns: Columns):
        self._path = path
        self._columns = columns
        self._lines: Lines | None = None

    @property
    def bytes_read(self) -> int:
        return self._lines.bytes_read if self._lines else 0

    def rows(self) -> Iterator[Row | Finding]:
        """Raises ImportRefused, possibly after some rows, when the file as a whole cannot be read."""
        with open_file(self._path) as stream:
            # The file may begin with white space.
            first = stream.read(4096).removeprefix(UTF8_MARK).lstrip()[:1]
            stream.seek(0)
            if first == b"[":
                yield from self._array(stream)
                return
            self._lines = Lines(stream)
            yield from self._objects(self._lines) if first == b"{" else self._csv(self._lines)

    def _csv(self, lines: Lines) -> Iterator[Row | Finding]:
        records = csv_records(lines)
        header = next((cells for _, cells in records if not isinstance(cells, str) and not _is_blank(cells)), None)
        if header is None:
            raise ImportRefused(f"{self._path.name} is empty.")
        names = tuple(name.strip() for name in header)
        columns = self._columns.of_header(names)
        places = {field: names.index(theirs) for field, theirs in columns.items()}
        for line, cells in records:
            if isinstance(cells, str):
                yield Finding(line, cells)
            elif _is_uneven(cells, len(names)):
                yield Finding(line, f"has {len(cells)} values where the header has {len(names)}")
            elif not _is_blank(cells):
                yield Row(line, {field: cells[place] for field, place in places.items()}, columns)

    def _objects(self, lines: Lines) -> Iterator[Row | Finding]:
        for text in lines:
            lines.begin_row()
            if not text.strip():
                continue
            try:
                value = _JSON.decode(text)
            except (ValueError, RecursionError) as error:
                if lines.number == 1:
                    raise ImportRefused(
                        "Line 1 is not a JSON object: a file holds an array of objects, or one object per line."
                    ) from error
                yield Finding(lines.number, "is not a JSON object")
                continue
            yield self._object(lines.number, value)

    def _array(self, stream: BinaryIO) -> Iterator[Row | Finding]:
        raw = stream.read(MAX_ARRAY_SIZE + 1)
        if len(raw) > MAX_ARRAY_SIZE:
            raise ImportRefused(
                f"A JSON array can be {MAX_ARRAY_SIZE // MIB} MiB at most: write one object per line instead."
            )
        text = decode(raw.removeprefix(UTF8_MARK), 1)
        del raw
        for number, (line, value) in enumerate(_elements(text), start=1):
            yield self._object(line, value, number)

    def _object(self, line: int, value: Any, element: int | None = None) -> Row | Finding:
        if not isinstance(value, dict):
            return Finding(line, Row(line, {}, {}, element).about("is not a JSON object"))
        columns = self._columns.of(tuple(value))
        return Row(line, {field: value[theirs] for field, theirs in columns.items()}, columns, element)


def csv_records(lines: Lines) -> Iterator[tuple[int, list[str] | str]]:
    """The line of each CSV record with its cells, or with an error."""
    # A setting of the whole process; the length of a line is the real limit.
    csv.field_size_limit(2 * MAX_LINE_LENGTH)
    first = next(lines, "")
    reader = csv.reader(chain([first], lines), delimiter=max(",;\t", key=first.count), strict=True)
    while True:
        line = lines.row_line
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise ImportRefused(f"The quotation mark opened in the row of line {line} is never closed.") from error
            yield line, f"is not valid CSV: {error}"
        else:
            yield line, cells
        lines.begin_row()


def _is_blank(cells: list[str]) -> bool:
    return not "".join(cells).strip()


def _is_uneven(cells: list[str], width: int) -> bool:
    """Whether the number of cells is wrong. Blank lines and empty cells after the last column are accepted."""
    return len(cells) != width and not _is_blank(cells) and (len(cells) < width or not _is_blank(cells[width:]))


def _elements(text: str) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON array one by one, each with the line it begins on."""
    place, line, line_start = text.index("[") + 1, 1, 0
    is_first = True
    while True:
        place = _skip_space(text, place)
        if text[place : place + 1] == "]":
            break
        if not is_first:
            place = _skip_space(text, place + 1) if text[place : place + 1] == "," else len(text)
        line += text.count("\n", line_start, place)
        line_start = place
        try:
            value, place = _JSON.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise ImportRefused(f"The JSON array breaks off or is wrong near line {line}.") from error
        is_first = False
        yield line, value
    if text[place + 1 :].strip():
        raise ImportRefused("Something follows the end of the JSON array.")


def _skip_space(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place
