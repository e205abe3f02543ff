"""The first rows of a file: which column becomes which field, and whether its values fit."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from domain.catalogue_import.columns import ColumnRules, Columns, Kind
from domain.catalogue_import.parse import Row, csv_records
from domain.catalogue_import.read_lines import MIB, UTF8_MARK, ImportRefused, Lines, open_file
from domain.catalogue_import.report import BadRow
from domain.catalogue_import.values import RowValues
from domain.money import Currency

# Rows that are looked at, and values of a column that are shown.
ROWS = 100
SHOWN = 3
MAX_SHOWN_LENGTH = 60
MAX_COLUMNS = 50
# A longer one is no name of a column.
MAX_NAME_LENGTH = 100
# Fields that are more than text, with the method that reads them.
_READERS: Mapping[str, Callable[[RowValues, str], Any]] = {
    **dict.fromkeys(("list_price", "sale_price"), RowValues.price),
    **dict.fromkeys(("enrolled", "stock", "weight_g"), RowValues.count),
    "published_at": RowValues.time,
    "is_paid": RowValues.flag,
    "duration_hours": lambda values, field: values.minutes(field, 60),
    "duration_min": lambda values, field: values.minutes(field, 1),
    "credits": lambda values, field: values.number(field, 9999),
    "name": RowValues.required,
    "category": RowValues.required,
}


@dataclass(frozen=True)
class SampleColumn:
    """`field`: what the column becomes; None: it is not used. `warning`: how many of the first values do not fit, and
    why the first of them does not; "" when all do."""

    name: str
    field: str | None
    samples: tuple[str, ...]
    warning: str


def sample(path: Path, kind: Kind, rules: ColumnRules, currency: Currency) -> list[SampleColumn]:
    """At most MAX_COLUMNS columns in the order of the file. Raises ImportRefused for a file that is no text, and for a
    rule that names an unknown field."""
    names, rows = _first_rows(path)
    shown = [name for name in names if 0 < len(name) <= MAX_NAME_LENGTH][:MAX_COLUMNS]
    fields = {theirs: field for field, theirs in Columns(kind, rules).of(tuple(names)).items()}
    return [_column(name, fields.get(name), [row.get(name) for row in rows], currency) for name in shown]


def _column(name: str, field: str | None, values: list[Any], currency: Currency) -> SampleColumn:
    texts = [str(value).strip() for value in values if value not in (None, "", [])]
    shown = tuple(dict.fromkeys(text[:MAX_SHOWN_LENGTH] for text in texts if text))[:SHOWN]
    return SampleColumn(name, field, shown, _warning(name, field, values, currency))


def _warning(name: str, field: str | None, values: list[Any], currency: Currency) -> str:
    read = _READERS.get(field or "")
    if field is None or read is None:
        return ""
    problems = []
    for value in values:
        try:
            read(RowValues(Row(0, {field: value}, {field: name}), currency), field)
        except BadRow as bad:
            problems.append(str(bad))
    if not problems:
        return ""
    verb = "does" if len(problems) == 1 else "do"
    return f"{len(problems)} of the first {len(values)} values {verb} not fit: {problems[0]}"


def _first_rows(path: Path) -> tuple[list[str], list[Mapping[str, Any]]]:
    """The names of the columns, and the first rows by them. Raises ImportRefused."""
    with open_file(path) as stream:
        first = stream.read(4096).removeprefix(UTF8_MARK).lstrip()[:1]
        stream.seek(0)
        if first == b"[":
            return _named(_array(stream.read(MIB).removeprefix(UTF8_MARK).decode("utf-8", "replace")))
        lines = Lines(stream)
        if first == b"{":
            return _named(_objects(lines))
        cells = (row for _, row in csv_records(lines) if not isinstance(row, str) and "".join(row).strip())
        names = [name.strip() for name in next(cells, [])]
        if not names:
            raise ImportRefused(f"{path.name} is empty.")
        rows = [dict(zip(names, row, strict=False)) for row in islice(cells, ROWS)]
        return list(dict.fromkeys(names)), list(rows)


def _named(objects: list[Mapping[str, Any]]) -> tuple[list[str], list[Mapping[str, Any]]]:
    if not objects:
        raise ImportRefused("The file holds no JSON objects.")
    return list(dict.fromkeys(name for row in objects for name in row)), objects


def _objects(lines: Lines) -> list[Mapping[str, Any]]:
    objects: list[Mapping[str, Any]] = []
    for text in islice(lines, ROWS):
        lines.begin_row()
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
            if isinstance(value, dict):
                objects.append(value)
    return objects


def _array(text: str) -> list[Mapping[str, Any]]:
    """The objects that are complete in the first mebibyte."""
    objects: list[Mapping[str, Any]] = []
    decoder, place = json.JSONDecoder(), text.index("[") + 1
    with suppress(ValueError, RecursionError):
        while len(objects) < ROWS:
            while text[place : place + 1] in {" ", "\n", "\r", "\t", ","}:
                place += 1
            value, place = decoder.raw_decode(text, place)
            if isinstance(value, dict):
                objects.append(value)
    return objects
