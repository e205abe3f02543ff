"""Converts the values of one row. Every method raises BadRow with the name of the column in the file."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import NoReturn

from domain import money
from domain.catalogue_import.columns import display_name
from domain.catalogue_import.parse import Row
from domain.catalogue_import.report import BadRow
from domain.money import Currency
from domain.typed_values import read_decimal

# The maximum of INT in MariaDB.
MAX_COUNT = 2_147_483_647
MAX_MINUTES = 6_000_000
MAX_TEXT_LENGTH = 1024 * 1024
# Control characters except tab and line end.
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))
_YES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_HOURS = re.compile(r"(\d[\d.,]*)\s*(?:(h|hr|hrs|hour|hours)|(m|min|mins|minute|minutes))?", re.IGNORECASE)


class RowValues:
    def __init__(self, row: Row, currency: Currency):
        self._row, self._currency = row, currency

    def has(self, field: str) -> bool:
        """Whether the file has this column."""
        return field in self._row.values

    def has_line_break(self, field: str) -> bool:
        """Whether a value contains a line break."""
        return "\n" in self._raw_text(field).strip()

    def text(self, field: str, max_length: int = 255) -> str:
        """One line without surplus white space; "" when absent."""
        if self._row.values.get(field) is None:
            return ""
        return self._checked(field, " ".join(self._raw_text(field).split()), max_length)

    def long_text(self, field: str) -> str:
        text = self._raw_text(field).replace("\r\n", "\n").replace("\r", "\n").strip()
        return self._checked(field, text, MAX_TEXT_LENGTH)

    def required(self, field: str, max_length: int = 255) -> str:
        text = self.text(field, max_length)
        if not text:
            self._refuse(field, "is empty")
        return text

    def texts(self, field: str) -> list[str]:
        """A JSON array of texts, or one text whose parts are separated by | or line breaks."""
        value = self._row.values.get(field) or []
        if not isinstance(value, list):
            value = re.split(r"[|\n]", self._raw_text(field))
        if not all(isinstance(part, str) for part in value):
            self._refuse(field, "is not a list of texts")
        return [self._checked(field, part, MAX_TEXT_LENGTH) for part in map(str.strip, value) if part]

    def price(self, field: str) -> Decimal | None:
        text = self.text(field)
        if not text:
            return None
        if re.search(r",\d{1,2}$", text):
            # Ambiguous: as a thousands separator the comma would make the price a hundred times as high.
            self._refuse(field, f"{text[:40]!r} has a comma where a point is needed")
        try:
            return money.parse(text, self._currency)
        except ValueError as error:
            self._refuse(field, str(error))

    def number(self, field: str, maximum: int) -> Decimal | None:
        text = self.text(field)
        if not text:
            return None
        text = text.replace(",", "")
        try:
            value = read_decimal(text)
        except ValueError:
            self._refuse(field, f"{text[:40]!r} is not a number")
        if not 0 <= value <= maximum:
            self._refuse(field, f"{text[:40]!r} is not a number between 0 and {maximum}")
        return value

    def count(self, field: str) -> int | None:
        value = self.number(field, MAX_COUNT)
        if value is not None and value != int(value):
            self._refuse(field, f"{value} is not a whole number")
        return None if value is None else int(value)

    def minutes(self, field: str, per_unit: int) -> int | None:
        """A duration such as "1.5", "4.5 hours" or "43 mins"; a bare number counts `per_unit` minutes each."""
        text = self.text(field)
        if not text:
            return None
        parts = _HOURS.fullmatch(text)
        if parts is None:
            self._refuse(field, f"{text[:40]!r} is not a duration")
        try:
            value = read_decimal(parts[1].replace(",", "")) * (60 if parts[2] else 1 if parts[3] else per_unit)
        except ValueError:
            self._refuse(field, f"{text[:40]!r} is not a duration")
        if value > MAX_MINUTES:
            self._refuse(field, f"{text[:40]!r} is too long")
        # A few seconds round up to a minute, because 0 means that there is no duration.
        return max(1, int(value.quantize(Decimal(1), ROUND_HALF_UP))) if value else 0

    def time(self, field: str) -> datetime | None:
        text = self.text(field)
        if not text:
            return None
        try:
            at = datetime.fromisoformat(text)
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        except (ValueError, OverflowError):
            self._refuse(field, f"{text[:40]!r} is not a time such as 2026-03-01T12:00:00Z")
        if not 1970 <= at.year <= 2100:
            self._refuse(field, f"{text[:40]!r} is not between 1970 and 2100")
        return at

    def flag(self, field: str) -> bool | None:
        value = self._row.values.get(field)
        if isinstance(value, bool):
            return value
        text = self.text(field).casefold()
        if text and text not in _YES:
            self._refuse(field, f"{text[:40]!r} is neither true nor false")
        return _YES.get(text)

    def choice(self, field: str, words: Mapping[str, str]) -> str | None:
        """One of the words, in any case; None when absent."""
        text = self.text(field).casefold()
        if text and text not in words:
            self._refuse(field, f"{text[:40]!r} is not one of {', '.join(dict.fromkeys(words.values()))}")
        return words[text] if text else None

    def _raw_text(self, field: str) -> str:
        value = self._row.values.get(field)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
            self._refuse(field, "is neither text nor number")
        text = str(value)
        return text if text.isprintable() else text.translate(_CONTROL)

    def _checked(self, field: str, text: str, max_length: int) -> str:
        if len(text) > max_length:
            self._refuse(field, f"is longer than {max_length} characters")
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self._refuse(field, "contains an invalid character")
        return text

    def _refuse(self, field: str, reason: str) -> NoReturn:
        raise BadRow(f"{display_name(self._row.columns.get(field, field))} {reason}")
