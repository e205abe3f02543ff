"""Cells and columns of a table: what a column shows of a row, in the form of components/ui/table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Generic, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from domain.money import Currency, to_minor
from host.urls import Picture

T = TypeVar("T")
CellKind = Literal["text", "link", "money", "count", "date", "time", "badge", "progress", "image", "strip"]
# The tones of components/ui/Badge.tsx.
BadgeTone = Literal["neutral", "info", "good", "warning", "bad"]


class TextCell(TypedDict):
    """`shade`: how dark its ground is, 0 to 5."""

    kind: Literal["text"]
    text: str
    shade: NotRequired[int]


class LinkCell(TypedDict):
    kind: Literal["link"]
    text: str
    href: str


class MoneyCell(TypedDict):
    """Minor units of the shop's currency."""

    kind: Literal["money"]
    minor: int


class CountCell(TypedDict):
    """At most three decimals are shown."""

    kind: Literal["count"]
    value: int | float


class DateCell(TypedDict):
    """A day, as ISO 8601."""

    kind: Literal["date"]
    day: str


class TimeCell(TypedDict):
    """A moment in UTC, as ISO 8601 in JSON, which writes it in a tenth of the time that Python needs."""

    kind: Literal["time"]
    at: datetime


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


class StripPart(TypedDict):
    """`path`: as SVG draws it, within 110 by 14; `what` is its class."""

    what: str
    path: str


class StripCell(TypedDict):
    """What happened one after the other, drawn along a line; `text` says it in words."""

    kind: Literal["strip"]
    parts: list[StripPart]
    text: str


Cell = (
    TextCell | LinkCell | MoneyCell | CountCell | DateCell | TimeCell | BadgeCell | ProgressCell | ImageCell | StripCell
)


@dataclass(frozen=True)
class Column(Generic[T]):
    """`cells`: one for each row, None where a row has no value; of all rows at once, as a call for each cell would take
    half of the time of a list. A `hidden` column is shown when the visitor chooses it."""

    key: str
    label: str
    kind: CellKind
    cells: Callable[[Iterable[T]], list[Cell | None]]
    sortable: bool = False
    hidden: bool = False


def rows_of_cells(columns: Sequence[Column[T]], rows: Iterable[T]) -> list[list[Cell | None]]:
    """The cells of each row."""
    listed = [*rows]
    return [[*cells] for cells in zip(*(column.cells(listed) for column in columns), strict=True)]


def _column(kind: CellKind, key: str, label: str, value: Callable[[T], Any], **options: bool) -> Column[T]:
    cells_of = _CELLS[kind]
    return Column(key, label, kind, lambda rows: cells_of(map(value, rows)), **options)


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


def count(key: str, label: str, value: Callable[[T], float | None], **options: bool) -> Column[T]:
    return _column("count", key, label, value, **options)


def count_or_text(key: str, label: str, value: Callable[[T], int | str | None], **options: bool) -> Column[T]:
    """A number, or words in its place: only a number of its own is written for people on pages, for programs in CSV."""

    def cells_of(rows: Iterable[T]) -> list[Cell | None]:
        values = [value(row) for row in rows]
        return [cell for one in values for cell in _CELLS["text" if isinstance(one, str) else "count"]([one])]

    return Column(key, label, "text", cells_of, **options)


def day(key: str, label: str, value: Callable[[T], date | None], **options: bool) -> Column[T]:
    return _column("date", key, label, value, **options)


def day_of(key: str, label: str, value: Callable[[T], datetime | None], **options: bool) -> Column[T]:
    """The day in UTC of a moment: in a short table, where the time would take the place of other columns."""
    return day(key, label, lambda row: (at := value(row)) and at.date(), **options)


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


def _percent(share: float) -> int:
    return int(min(max(share, 0), 1) * 100 + 1e-9)


# What a kind makes of the values of a column.
_CELLS: dict[CellKind, Callable[[Iterable[Any]], list[Any]]] = {
    "text": lambda values: [None if text is None else {"kind": "text", "text": text} for text in values],
    "link": lambda values: [
        None if link is None else {"kind": "link", "text": link[0], "href": link[1]} for link in values
    ],
    "money": lambda values: [None if minor is None else {"kind": "money", "minor": minor} for minor in values],
    "count": lambda values: [None if value is None else {"kind": "count", "value": value} for value in values],
    "date": lambda values: [None if day is None else {"kind": "date", "day": day.isoformat()} for day in values],
    "time": lambda values: [None if at is None else {"kind": "time", "at": at} for at in values],
    "badge": lambda values: [
        None if badge is None else {"kind": "badge", "text": badge[0], "tone": badge[1]} for badge in values
    ],
    "progress": lambda values: [
        None if share is None else {"kind": "progress", "percent": _percent(share)} for share in values
    ],
    "image": lambda values: [None if picture is None else {"kind": "image", "picture": picture} for picture in values],
}
