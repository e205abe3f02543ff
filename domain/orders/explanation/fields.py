"""Compares what is stored with what it should be, field by field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from domain.tables import Base


@dataclass(frozen=True)
class FieldDifference:
    """`where`: such as "line 2, tax_minor". `stored` and `computed`: plain JSON values."""

    where: str
    stored: object
    computed: object


def compare(where: str, stored: Mapping[str, Any], computed: Mapping[str, Any]) -> Iterator[FieldDifference]:
    """The fields of `computed` that are stored with another value."""
    for name, value in computed.items():
        yield from compare_value(f"{where}, {name}" if where else name, stored.get(name), value)


def compare_value(where: str, stored: object, computed: object) -> Iterator[FieldDifference]:
    """JSON has lists alone: a tuple equals a list of the same values."""
    if _plain(stored) != _plain(computed):
        yield FieldDifference(where, stored, computed)


def columns_of(row: Base) -> dict[str, Any]:
    """The columns of a row by name."""
    return {column.key: getattr(row, column.key) for column in row.__table__.columns}


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {key: _plain(member) for key, member in value.items()}
        case list() | tuple():
            return [_plain(member) for member in value]
        case _:
            return value
