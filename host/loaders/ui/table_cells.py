"""Cells and columns of a table: what a column shows of a row, in the form of components/ui/table."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Generic, Literal, TypeVar

from typing_extensions import TypedDict

from domain.money import Currency, to_minor
from host.urls import Picture

T = TypeVar("T")
CellKind = Literal["text", "link", "money", "count", "date", "time", "badge", "progress", "image"]
# The tones of components/ui/Badge.tsx.
BadgeTone = Literal["neutral", "info", "good", "warning", "bad"]


class TextCell(TypedDict):
    kind: Literal["text"]
    text: str


class LinkCell(TypedDict):
    kind: Literal["link"]
    text: str
    href: str


class MoneyCell(TypedDict):
    """Minor units of the shop's currency."""

    kind: Literal["money"]
    minor: int


class CountCell(TypedDict):
    kind: Literal["count"]
    value: int


class DateCell(TypedDict):
    """A day, as ISO 8601."""

    kind: Literal["date"]
    day: str


class TimeCell(TypedDict):
    """A moment in UTC, as ISO 8601."""

    kind: Literal["time"]
    at: str


class BadgeCell(TypedDict):
    kind: Literal["badge"]
    text: str
    tone: BadgeTone


class ProgressCell(TypedDict):
    """Whole percent, 0 to 100."""

    kind: Literal["progress"]
    percent: int


class ImageCell(TypedDict):
    kind: Literal["image"]
    picture: Picture


Cell = TextCell | LinkCell | MoneyCell | CountCell | DateCell | TimeCell | BadgeCell | ProgressCell | ImageCell


@dataclass(frozen=True)
class Column(Generic[T]):
    """`cell` is None where a row has no value. A `hidden` column is shown when the visitor chooses it."""

    key: str
    label: str
    kind: CellKind
    cell: Callable[[T], Cell | None]
    sortable: bool = False
    hidden: bool = False


def _column(kind: CellKind, key: str, label: str, value: Callable[[T], Any], **options: bool) -> Column[T]:
    return Column(key, label, kind, lambda row: _cell(kind, value(row)), **options)


def text(key: str, label: str, value: Callable[[T], str | None], **options: bool) -> Column[T]:
    return _column("text", key, label, value, **options)


def link(key: str, label: str, value: Callable[[T], tuple[str, str] | None], **options: bool) -> Column[T]:
    """`value` gives text and address."""
    return _column("link", key, label, value, **options)


def amount(
    key: str, label: str, value: Callable[[T], Decimal | None], currency: Currency, **options: bool
) -> Column[T]:
    """Money of the shop's currency, in major units."""

    def minor(row: T) -> int | None:
        amount = value(row)
        return None if amount is None else to_minor(amount, currency)

    return _column("money", key, label, minor, **options)


def minor(key: str, label: str, value: Callable[[T], int | None], **options: bool) -> Column[T]:
    """Money of the shop's currency, in minor units."""
    return _column("money", key, label, value, **options)


def count(key: str, label: str, value: Callable[[T], int | None], **options: bool) -> Column[T]:
    return _column("count", key, label, value, **options)


def day(key: str, label: str, value: Callable[[T], date | None], **options: bool) -> Column[T]:
    return _column("date", key, label, value, **options)


def time(key: str, label: str, value: Callable[[T], datetime | None], **options: bool) -> Column[T]:
    return _column("time", key, label, value, **options)


def badge(key: str, label: str, value: Callable[[T], tuple[str, BadgeTone] | None], **options: bool) -> Column[T]:
    """`value` gives text and tone."""
    return _column("badge", key, label, value, **options)


def progress(key: str, label: str, value: Callable[[T], float | None], **options: bool) -> Column[T]:
    """`value` is a share from 0 to 1. 100 % is shown of 1 alone."""
    return _column("progress", key, label, value, **options)


def image(key: str, label: str, value: Callable[[T], Picture | None], **options: bool) -> Column[T]:
    return _column("image", key, label, value, **options)


def _cell(kind: CellKind, value: Any) -> Cell | None:
    return None if value is None else _CELLS[kind](value)


_CELLS: dict[CellKind, Callable[[Any], Cell]] = {
    "text": lambda value: {"kind": "text", "text": value},
    "link": lambda value: {"kind": "link", "text": value[0], "href": value[1]},
    "money": lambda value: {"kind": "money", "minor": value},
    "count": lambda value: {"kind": "count", "value": value},
    "date": lambda value: {"kind": "date", "day": value.isoformat()},
    "time": lambda value: {"kind": "time", "at": value.astimezone(UTC).isoformat()},
    "badge": lambda value: {"kind": "badge", "text": value[0], "tone": value[1]},
    "progress": lambda value: {"kind": "progress", "percent": int(min(max(value, 0), 1) * 100 + 1e-9)},
    "image": lambda value: {"kind": "image", "picture": value},
}
