"""Parses a CSV file, a JSON document or JSON lines into rows with their line and their values by our field names."""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from domain.catalogue_import.columns import Columns
from domain.catalogue_import.read_lines import (
    MAX_ARRAY_SIZE,
    MAX_LINE_LENGTH,
    MIB,
    UTF8,
    UTF8_MARK,
    Encoding,
    ImportRefused,
    Lines,
    decode,
    open_file,
)
from domain.text_direction import isolated

# Decimal keeps 19.99 exact, and passes NaN on as Decimal, which the check of a price refuses.
_JSON = json.JSONDecoder(parse_float=Decimal, parse_constant=Decimal)
_DELIMITERS = ",;\t|"
_SEPARATOR_LINE = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)
# How deep the list of courses may lie in a JSON document.
_MAX_DEPTH = 5
QUOTES_DOUBT = "characters stand around its quotation marks: read as a spreadsheet reads them"


@dataclass(frozen=True, slots=True)
class Row:
    """`values`: by our field names; `columns`: our name -> the file's, for messages. `element`: the position in a JSON
    document, which is often a single line. `raw`: cells or object as in the file; `doubt`: how it was read, where that
    is not certain; `constants`: fields whose values are constants of the import."""

    line: int
    values: dict[str, Any]
    columns: dict[str, str]
    element: int | None = None
    raw: Any = None
    doubt: str = ""
    constants: frozenset[str] = frozenset()

    def about(self, reason: str) -> str:
        return reason if self.element is None else f"element {self.element}: {reason}"


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A row that cannot be read. `raw`: its cells, or its text."""

    line: int
    reason: str
    raw: Any


@dataclass
class Heading:
    """`names`: of the columns of a CSV file, each once; empty for JSON."""

    names: tuple[str, ...] = ()
    delimiter: str = ","
    # Names as they are -> the new names of their repetitions.
    doubled: dict[str, list[str]] = field(default_factory=dict)


class Table:
    """One pass over a file. `bytes_read` counts the bytes read so far; `heading` is known with the first row."""

    def __init__(self, path: Path, columns: Columns, encoding: Encoding = UTF8):
        self._path, self._columns, self._encoding = path, columns, encoding
        self._lines: Lines | None = None
        self.heading = Heading()

    @property
    def bytes_read(self) -> int:
        return self._lines.bytes_read if self._lines else 0

    def rows(self) -> Iterator[Row | BadRecord]:
        """Raises ImportRefused, possibly after some rows, when the file as a whole cannot be read."""
        with open_file(self._path, self._encoding) as stream:
            # The file may begin with white space.
            first = stream.read(4096).removeprefix(UTF8_MARK).lstrip()[:1]
            stream.seek(0)
            if first == b"[" or (first == b"{" and not _has_object_a_line(stream)):
                yield from self._document(stream)
                return
            self._lines = Lines(stream)
            yield from self._objects(self._lines) if first == b"{" else self._csv(self._lines)

    def _csv(self, lines: Lines) -> Iterator[Row | BadRecord]:
        records = csv_records(lines, self.heading)
        header = next((cells for _, cells, _ in records if not isinstance(cells, str) and not _is_blank(cells)), None)
        if header is None:
            raise ImportRefused(f"{isolated(self._path.name)} is empty.")
        names = unique_names(header, self.heading)
        columns = self._columns.of_header(names, self.heading.doubled)
        places = [(ours, names.index(theirs)) for ours, theirs in columns.items()]
        seconds = [(ours, names.index(theirs)) for ours, theirs in self._columns.second(names).items()]
        width = len(names)
        for line, cells, doubt in records:
            if isinstance(cells, str):
                yield BadRecord(line, cells, lines.of_row)
            elif len(cells) == width:
                if doubt or not _is_blank(cells):
                    values = {ours: cells[place] for ours, place in places}
                    for ours, place in seconds:
                        if not values[ours].strip():
                            values[ours] = cells[place]
                    yield Row(line, values, columns, None, cells, doubt)
            elif not _is_blank(cells):
                yield _uneven(line, cells, width, places, columns)

    def _objects(self, lines: Lines) -> Iterator[Row | BadRecord]:
        for text in lines:
            lines.begin_row()
            if not text.strip():
                continue
            try:
                value = _JSON.decode(text)
            except (ValueError, RecursionError):
                yield BadRecord(lines.number, "is not a JSON object", text.strip())
                continue
            yield self._object(lines.number, value)

    def _document(self, stream: BinaryIO) -> Iterator[Row | BadRecord]:
        raw = stream.read(MAX_ARRAY_SIZE + 1)
        if len(raw) > MAX_ARRAY_SIZE:
            raise ImportRefused(
                f"A JSON document can be {MAX_ARRAY_SIZE // MIB} MiB at most: write one object per line instead."
            )
        text = decode(raw.removeprefix(UTF8_MARK), 1)
        del raw
        found = _elements(text) if text.lstrip().startswith("[") else _members(text)
        for number, (line, value) in enumerate(found, start=1):
            yield self._object(line, value, number)

    def _object(self, line: int, value: Any, element: int | None = None) -> Row | BadRecord:
        if not isinstance(value, dict):
            return BadRecord(line, Row(line, {}, {}, element).about("is not a JSON object"), value)
        columns, seconds = self._columns.of(tuple(value)), self._columns.second(tuple(value))
        values = {ours: value[theirs] for ours, theirs in columns.items()}
        values |= {ours: value[theirs] for ours, theirs in seconds.items() if values[ours] in (None, "", [])}
        return Row(line, values, columns, element, value)


def csv_records(lines: Lines, heading: Heading) -> Iterator[tuple[int, list[str] | str, str]]:
    """The line of each CSV record with its cells, or with an error, and with a doubt about how it was read."""
    # A setting of the whole process; the length of a line is the real limit.
    csv.field_size_limit(2 * MAX_LINE_LENGTH)
    first = next(lines, "")
    if separator := _SEPARATOR_LINE.fullmatch(first):
        # A line that spreadsheets write for themselves.
        heading.delimiter = separator[1]
        lines.begin_row()
        first = ""
    else:
        while first and not first.strip():
            first = next(lines, "")
        heading.delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(chain([first] if first else [], lines), delimiter=heading.delimiter, strict=True)
    while True:
        line = lines.row_line
        try:
            cells, doubt = next(reader), ""
            of_row = lines.of_row
            if ' "' in of_row[0] if len(of_row) == 1 else any(' "' in text for text in of_row):
                cells, doubt = _with_padded_quotes(lines, heading.delimiter, cells)
            yield line, cells, doubt
        except StopIteration:
            return
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise ImportRefused(f"The quotation mark opened in the row of line {line} is never closed.") from error
            yield line, *_leniently(lines, heading.delimiter, str(error))
        lines.begin_row()


def _with_padded_quotes(lines: Lines, delimiter: str, cells: list[str]) -> tuple[list[str], str]:
    """The row again, if blanks before its quotation marks made these part of the cells."""
    found = next(csv.reader(list(lines.of_row), delimiter=delimiter, skipinitialspace=True), cells)
    same = [cell.strip() for cell in found] == [cell.strip() for cell in cells]
    return (cells, "") if same else (found, QUOTES_DOUBT)


def _leniently(lines: Lines, delimiter: str, error: str) -> tuple[list[str] | str, str]:
    """The row again as spreadsheets read it: what follows a closing quotation mark belongs to its cell."""
    reader = csv.reader(chain(list(lines.of_row), lines), delimiter=delimiter, skipinitialspace=True)
    try:
        return next(reader), QUOTES_DOUBT
    except (csv.Error, StopIteration):
        return f"is not valid CSV: {error}", ""


def unique_names(header: Sequence[str], heading: Heading) -> tuple[str, ...]:
    """The names of the columns; the second of one name gets a number: price (2)."""
    names: list[str] = []
    for cell in header:
        name = cell.strip().strip("\ufeff").strip()
        if name and name in names:
            others = heading.doubled.setdefault(name, [])
            others.append(f"{name} ({len(others) + 2})")
            name = others[-1]
        names.append(name)
    heading.names = tuple(names)
    return heading.names


def _uneven(
    line: int, cells: list[str], width: int, places: list[tuple[str, int]], columns: dict[str, str]
) -> Row | BadRecord:
    """A row with more or fewer cells than the header: spreadsheets leave out empty cells at the end."""
    if len(cells) > width and _is_blank(cells[width:]):
        return Row(line, {ours: cells[place] for ours, place in places}, columns, None, cells)
    what = f"has {len(cells)} values where the header has {width}"
    if len(cells) > width or len(cells) * 4 < width * 3:
        return BadRecord(line, what, cells)
    values = {ours: cells[place] for ours, place in places if place < len(cells)}
    return Row(line, values, columns, None, cells, f"{what}: the last are taken for empty")


def _is_blank(cells: Sequence[str]) -> bool:
    return not "".join(cells).strip()


def _has_object_a_line(stream: BinaryIO) -> bool:
    """Whether the first line is a JSON object by itself: with others below it, or one that is a row."""
    first = stream.readline(MAX_LINE_LENGTH + 3).removeprefix(UTF8_MARK)
    is_alone = not stream.read(4096).strip()
    stream.seek(0)
    try:
        value = _JSON.decode(first.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not (is_alone and _longest_list(value))


def _members(text: str) -> Iterator[tuple[int, Any]]:
    """The objects of the list that a JSON document holds in a member, or in a member of one: each with line 1, as its
    own is not known."""
    try:
        document = _JSON.decode(text)
    except (ValueError, RecursionError) as error:
        line = text.count("\n", 0, getattr(error, "pos", 0)) + 1
        raise ImportRefused(f"The JSON document breaks off or is wrong near line {line}.") from error
    found = _longest_list(document)
    if not found:
        raise ImportRefused(
            "The file is a JSON object without a list of objects: a file holds an array of objects, an object with "
            "such a list in it, or one object per line."
        )
    return ((1, value) for value in found)


def _longest_list(value: Any, depth: int = 0) -> list[Any]:
    """The longest list of objects in a document: an array, or an object whose members all are objects, as {"id": {…}}.
    The lists inside of the objects found are theirs."""
    if isinstance(value, list):
        return [_node(part) for part in value] if value and all(isinstance(part, dict) for part in value) else []
    if not isinstance(value, dict) or depth == _MAX_DEPTH:
        return []
    parts = list(value.values())
    if len(parts) > 1 and all(isinstance(part, dict) for part in parts) and set.intersection(*map(set, parts)):
        return parts
    return max((_longest_list(part, depth + 1) for part in parts), key=len, default=[])


def _node(value: dict[str, Any]) -> Any:
    """What GraphQL wraps: {"node": {…}}."""
    return value["node"] if set(value) <= {"node", "cursor"} and isinstance(value.get("node"), dict) else value


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
