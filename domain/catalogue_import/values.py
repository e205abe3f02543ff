"""The values of one row, read as what they should be. Every method raises BadRow naming the column as the file does."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import NoReturn

from domain import money
from domain.imports.columns import shown
from domain.imports.findings import BadRow
from domain.imports.tables import Row

# INT of MariaDB.
LARGEST_COUNT = 2_147_483_647
LARGEST_MINUTES = 6_000_000
LONGEST_TEXT = 1024 * 1024
# Control characters but tab and line end.
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))
_YES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_HOURS = re.compile(r"(\d[\d.,]*)\s*(?:(h|hr|hrs|hour|hours)|(m|min|mins|minute|minutes))?", re.IGNORECASE)


class Values:
    def __init__(self, row: Row):
        self._row = row

    def has(self, field: str) -> bool:
        """True when the file has such a column at all."""
        return field in self._row.values

    def is_folded(self, field: str) -> bool:
        """True when a value of one line came on several."""
        return "\n" in self._raw_text(field).strip()

    def text(self, field: str, longest: int = 255) -> str:
        """One line, without spare white space; "" when absent."""
        if self._row.values.get(field) is None:
            return ""
        return self._fitting(field, " ".join(self._raw_text(field).split()), longest)

    def long_text(self, field: str) -> str:
        text = self._raw_text(field).replace("\r\n", "\n").replace("\r", "\n").strip()
        return self._fitting(field, text, LONGEST_TEXT)

    def needed(self, field: str, longest: int = 255) -> str:
        text = self.text(field, longest)
        if not text:
            self._refuse(field, "is empty")
        return text

    def listed(self, field: str) -> list[str]:
        """A JSON array of texts, or one text with | or line ends between its parts."""
        value = self._row.values.get(field) or []
        if not isinstance(value, list):
            value = re.split(r"[|\n]", self._raw_text(field))
        if not all(isinstance(part, str) for part in value):
            self._refuse(field, "is no list of texts")
        return [self._fitting(field, part, LONGEST_TEXT) for part in map(str.strip, value) if part]

    def price(self, field: str) -> Decimal | None:
        text = self.text(field)
        if not text:
            return None
        if re.search(r",\d{1,2}$", text):
            # Read as 1,250 elsewhere: better left out than sold for a hundred times its price.
            self._refuse(field, f"{text[:40]!r} has a comma where a point is needed")
        try:
            return money.parse(text)
        except ValueError as error:
            self._refuse(field, str(error))

    def number(self, field: str, most: int) -> Decimal | None:
        text = self.text(field)
        if not text:
            return None
        text = text.replace(",", "")
        try:
            value = Decimal(text)
        except InvalidOperation:
            self._refuse(field, f"{text[:40]!r} is no number")
        if not value.is_finite() or not 0 <= value <= most:
            self._refuse(field, f"{text[:40]!r} is no number between 0 and {most}")
        return value

    def count(self, field: str) -> int | None:
        value = self.number(field, LARGEST_COUNT)
        if value is not None and value != int(value):
            self._refuse(field, f"{value} is no whole number")
        return None if value is None else int(value)

    def minutes(self, field: str, per_unit: int) -> int | None:
        """A duration such as "1.5", "4.5 hours" or "43 mins"; a bare number counts `per_unit` minutes each."""
        text = self.text(field)
        if not text:
            return None
        parts = _HOURS.fullmatch(text)
        if parts is None:
            self._refuse(field, f"{text[:40]!r} is no duration")
        try:
            value = Decimal(parts[1].replace(",", "")) * (60 if parts[2] else 1 if parts[3] else per_unit)
        except InvalidOperation:
            self._refuse(field, f"{text[:40]!r} is no duration")
        if value > LARGEST_MINUTES:
            self._refuse(field, f"{text[:40]!r} is too long")
        # A lesson of ten seconds is short, not absent.
        return max(1, int(value.quantize(Decimal(1), ROUND_HALF_UP))) if value else 0

    def time(self, field: str) -> datetime | None:
        text = self.text(field)
        if not text:
            return None
        try:
            at = datetime.fromisoformat(text)
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        except (ValueError, OverflowError):
            self._refuse(field, f"{text[:40]!r} is no time such as 2026-03-01T12:00:00Z")
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
            self._refuse(field, f"{text[:40]!r} is none of {', '.join(dict.fromkeys(words.values()))}")
        return words[text] if text else None

    def _raw_text(self, field: str) -> str:
        value = self._row.values.get(field)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
            self._refuse(field, "is neither text nor number")
        text = str(value)
        return text if text.isprintable() else text.translate(_CONTROL)

    def _fitting(self, field: str, text: str, longest: int) -> str:
        if len(text) > longest:
            self._refuse(field, f"is longer than {longest} characters")
        if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
            self._refuse(field, "holds half a character")
        return text

    def _refuse(self, field: str, reason: str) -> NoReturn:
        raise BadRow(f"{shown(self._row.named.get(field, field))} {reason}")
