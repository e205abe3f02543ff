"""The first rows of a file: which column becomes which field, and whether its values fit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from domain.catalogue_import import states
from domain.catalogue_import.columns import NO_RULES, ColumnRules, Columns
from domain.catalogue_import.courses import EFFORTS
from domain.catalogue_import.parse import Row, Table
from domain.catalogue_import.presets import Kind
from domain.catalogue_import.read_lines import Encoding, ImportRefused
from domain.catalogue_import.report import BadRow
from domain.catalogue_import.validate import meanings
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.words import LEVELS
from domain.money import Currency
from domain.text_direction import isolated

# Rows that are looked at, and values of a column that are shown.
ROWS = 100
SHOWN = 3
MAX_SHOWN_LENGTH = 60
MAX_COLUMNS = 50
# Words of a column whose meaning is asked for, and the fields that have such.
MAX_WORDS = 12
WORD_FIELDS = ("level", "is_paid", "archived", "list_price", *states.READERS)
# A longer one is no name of a column.
MAX_NAME_LENGTH = 100
# Fields that are more than text, with the method that reads them.
_READERS: Mapping[str, Callable[[RowValues, str], Any]] = {
    **dict.fromkeys(("list_price", "sale_price", "compare_at_price"), RowValues.price),
    **dict.fromkeys(("enrolled", "stock"), RowValues.count),
    **dict.fromkeys(("weight_g", "weight_kg", "credits"), lambda values, field: values.number(field, 10**8)),
    "published_at": RowValues.time,
    **dict.fromkeys(("is_paid", "archived"), RowValues.flag),
    **{field: partial(RowValues.effort, bare=bare) for field, bare in EFFORTS.items()},
    **states.READERS,
    "level": lambda values, field: values.choice(field, LEVELS),
    "name": RowValues.required,
    "category": RowValues.required,
}


@dataclass(frozen=True)
class SampleColumn:
    """`field`: what the column becomes; None: it is not used. `warning`: how many of the first values do not fit, and
    why the first of them does not; "" when all do. `unread`: words among them whose meaning can be said."""

    name: str
    field: str | None
    samples: tuple[str, ...]
    warning: str
    unread: tuple[str, ...] = ()


def sample(path: Path, kind: Kind, rules: ColumnRules, currency: Currency) -> list[SampleColumn]:
    """At most MAX_COLUMNS columns in the order of the file. Raises ImportRefused for a file that is no text, and for a
    rule that names an unknown field."""
    names, rows = _first_rows(path, kind, rules.encoding)
    shown = [name for name in names if 0 < len(name) <= MAX_NAME_LENGTH][:MAX_COLUMNS]
    columns = Columns(kind, rules)
    fields = {theirs: field for field, theirs in columns.of(tuple(names)).items()}
    return [
        _column(name, fields.get(name), [row.get(name) for row in rows], _Reading(currency, rules, columns.words))
        for name in shown
    ]


@dataclass(frozen=True)
class _Reading:
    currency: Currency
    rules: ColumnRules
    words: Mapping[str, Mapping[str, str]]


def _column(name: str, field: str | None, values: list[Any], reading: _Reading) -> SampleColumn:
    texts = [str(value).strip() for value in values if value not in (None, "", [])]
    shown = tuple(dict.fromkeys(text[:MAX_SHOWN_LENGTH] for text in texts if text))[:SHOWN]
    return SampleColumn(
        name, field, shown, _warning(name, field, values, reading), _unread(name, field, values, reading)
    )


def _warning(name: str, field: str | None, values: list[Any], reading: _Reading) -> str:
    problems = [problem for value in values if (problem := _problem(name, field, value, reading))]
    if not problems:
        return ""
    verb = "does" if len(problems) == 1 else "do"
    return f"{len(problems)} of the first {len(values)} values {verb} not fit: {problems[0]}"


def _unread(name: str, field: str | None, values: list[Any], reading: _Reading) -> tuple[str, ...]:
    """The first words of a column of words that are not known: what they mean can be said."""
    if field not in WORD_FIELDS:
        return ()
    words = {str(value).strip()[:MAX_SHOWN_LENGTH]: value for value in values if value not in (None, "", [])}
    return tuple(word for word, value in words.items() if _problem(name, field, value, reading))[:MAX_WORDS]


def _problem(name: str, field: str | None, value: Any, reading: _Reading) -> str:
    """Why the value cannot be read; "" when it can."""
    read = _READERS.get(field or "")
    if field is None or read is None:
        return ""
    row = Row(0, {field: value}, {field: name})
    row = replace(row, values=row.values | meanings(row.values, reading.words))
    try:
        read(RowValues(row, reading.currency, reading.rules), field)
    except BadRow as bad:
        return str(bad)
    return ""


class _AnyColumns(Columns):
    """The columns of a file that need not be complete."""

    def of_header(self, names: tuple[str, ...], _doubled: Mapping[str, list[str]]) -> dict[str, str]:
        return self.of(names)


def _first_rows(path: Path, kind: Kind, encoding: Encoding) -> tuple[list[str], list[Mapping[str, Any]]]:
    """The names of the columns, and the first rows by them. Raises ImportRefused."""
    table = Table(path, _AnyColumns(kind, NO_RULES), encoding)
    rows: list[Mapping[str, Any]] = []
    try:
        for row in islice(table.rows(), ROWS):
            if isinstance(row, Row):
                cells = row.raw if isinstance(row.raw, dict) else zip(table.heading.names, row.raw, strict=False)
                rows.append(dict(cells))
    except ImportRefused:
        # The check says what is wrong further down.
        if not rows:
            raise
    names = table.heading.names or tuple(name for row in rows for name in row)
    if not names:
        raise ImportRefused(f"{isolated(path.name)} holds no rows.")
    return list(dict.fromkeys(names)), rows
