"""Rows of a CSV file, a JSON array or JSON lines, each with the line it begins on and its values by our names."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from domain.imports.columns import Columns
from domain.imports.files import LARGEST_ARRAY, LONGEST_LINE, MIB, UTF8_MARK, ImportRefused, Lines, decoded, opened
from domain.imports.findings import Finding

# Decimal keeps 19.99 what it is, and lets NaN arrive at the price's own check instead of passing as a number.
_JSON = json.JSONDecoder(parse_float=Decimal, parse_constant=Decimal)


@dataclass(frozen=True)
class Row:
    """`values` is by our fields' names; `named` says how each is called in the file, for messages. `element` counts
    within a JSON array, which often stands on a single line."""

    line: int
    values: dict[str, Any]
    named: dict[str, str]
    element: int | None = None

    def about(self, reason: str) -> str:
        return reason if self.element is None else f"element {self.element}: {reason}"


class Table:
    """One pass over a file. `read` is the number of bytes behind us."""

    def __init__(self, path: Path, columns: Columns):
        self._path = path
        self._columns = columns
        self._lines: Lines | None = None

    @property
    def read(self) -> int:
        return self._lines.read if self._lines else 0

    def rows(self) -> Iterator[Row | Finding]:
        """Raises ImportRefused, also in the middle, when the file as a whole cannot be understood."""
        with opened(self._path) as stream:
            # A few bytes of white space before the first bracket do no harm.
            first = stream.read(4096).removeprefix(UTF8_MARK).lstrip()[:1]
            stream.seek(0)
            if first == b"[":
                yield from self._array(stream)
                return
            self._lines = Lines(stream)
            yield from self._objects(self._lines) if first == b"{" else self._csv(self._lines)

    def _csv(self, lines: Lines) -> Iterator[Row | Finding]:
        records = _records(lines)
        header = next((cells for _, cells in records if not isinstance(cells, str) and not _is_blank(cells)), None)
        if header is None:
            raise ImportRefused(f"{self._path.name} is empty.")
        names = tuple(name.strip() for name in header)
        named = self._columns.of_header(names)
        places = {field: names.index(theirs) for field, theirs in named.items()}
        for line, cells in records:
            if isinstance(cells, str):
                yield Finding(line, cells)
            elif _is_uneven(cells, len(names)):
                yield Finding(line, f"has {len(cells)} values where the header has {len(names)}")
            elif not _is_blank(cells):
                yield Row(line, {field: cells[place] for field, place in places.items()}, named)

    def _objects(self, lines: Lines) -> Iterator[Row | Finding]:
        for text in lines:
            lines.begin_row()
            if not text.strip():
                continue
            try:
                found = _JSON.decode(text)
            except (ValueError, RecursionError) as error:
                if lines.number == 1:
                    raise ImportRefused(
                        "Line 1 is no JSON object: a file holds an array of objects, or one object per line."
                    ) from error
                yield Finding(lines.number, "is no JSON object")
                continue
            yield self._object(lines.number, found)

    def _array(self, stream: BinaryIO) -> Iterator[Row | Finding]:
        raw = stream.read(LARGEST_ARRAY + 1)
        if len(raw) > LARGEST_ARRAY:
            raise ImportRefused(
                f"A JSON array can be {LARGEST_ARRAY // MIB} MiB at most: write one object per line instead."
            )
        text = decoded(raw.removeprefix(UTF8_MARK), 1)
        del raw
        for number, (line, found) in enumerate(_elements(text), start=1):
            yield self._object(line, found, number)

    def _object(self, line: int, found: Any, element: int | None = None) -> Row | Finding:
        if not isinstance(found, dict):
            return Finding(line, Row(line, {}, {}, element).about("is no JSON object"))
        named = self._columns.of(tuple(found))
        return Row(line, {field: found[theirs] for field, theirs in named.items()}, named, element)


def _records(lines: Lines) -> Iterator[tuple[int, list[str] | str]]:
    """Line number with the cells of each CSV record, or with what is wrong with it."""
    # The longest field the module accepts is a setting of the whole process; our lines are the real limit.
    csv.field_size_limit(2 * LONGEST_LINE)
    first = next(lines, "")
    reader = csv.reader(_again(first, lines), delimiter=max(",;\t", key=first.count), strict=True)
    while True:
        line = lines.row_line
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise ImportRefused(f"The quotation mark opened in the row of line {line} is never closed.") from error
            yield line, f"is no CSV: {error}"
        else:
            yield line, cells
        lines.begin_row()


def _is_blank(cells: list[str]) -> bool:
    return not "".join(cells).strip()


def _is_uneven(cells: list[str], width: int) -> bool:
    """Blank lines and empty cells behind the last column do no harm."""
    return len(cells) != width and not _is_blank(cells) and (len(cells) < width or not _is_blank(cells[width:]))


def _again(first: str, lines: Lines) -> Iterator[str]:
    yield first
    yield from lines


def _elements(text: str) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON array one by one, each with the line it begins on."""
    place, line, counted = text.index("[") + 1, 1, 0
    is_first = True
    while True:
        place = _past_space(text, place)
        if text[place : place + 1] == "]":
            break
        if not is_first:
            place = _past_space(text, place + 1) if text[place : place + 1] == "," else len(text)
        line += text.count("\n", counted, place)
        counted = place
        try:
            found, place = _JSON.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise ImportRefused(f"The JSON array breaks off or is wrong near line {line}.") from error
        is_first = False
        yield line, found
    if text[place + 1 :].strip():
        raise ImportRefused("Something follows the end of the JSON array.")


def _past_space(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place
