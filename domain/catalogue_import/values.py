"""Converts the values of one row. Every method raises BadRow with the name of the column in the file."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, NoReturn, TypeVar

from domain import money
from domain.catalogue_import import html_text
from domain.catalogue_import.columns import ColumnRules, display_name
from domain.catalogue_import.durations import Effort, read_effort, shared_cell
from domain.catalogue_import.parse import Row
from domain.catalogue_import.presets import PRESETS
from domain.catalogue_import.report import BadRow
from domain.catalogue_import.times import read_time
from domain.catalogue_import.words import BLANKS, BROKEN, FREE, YES_NO
from domain.currency_signs import bare_amount
from domain.money import Currency
from domain.typed_values import DecimalSign, UnclearSign, is_number, read_grouped

Value = TypeVar("Value")

# The maximum of INT in MariaDB.
MAX_COUNT = 2_147_483_647
MAX_MINUTES = 6_000_000
MAX_TEXT_LENGTH = 1024 * 1024
# Control characters except tab and line end.
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))
_SIMPLE = re.compile(r"[!-%'-;=?-~]+(?: [!-%'-;=?-~]+)*")
_ONLY_NUMBER = re.compile(r"[\d.,'\u2019 ]+")
_PLAIN_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
# By how much a short word behind a number multiplies it, in lower case.
_TIMES = {
    **dict.fromkeys(("dozen", "dutzend", "docena"), 12),
    **dict.fromkeys(("hundred", "hundert"), 100),
    **dict.fromkeys(("k", "thousand", "thousands", "tsd", "tausend", "mil", "mille", "tys", "тыс", "тис", "千"), 1000),
    **dict.fromkeys(("万", "萬", "만"), 10**4),
    **dict.fromkeys(("lakh", "lakhs", "lac", "lacs"), 10**5),
    **dict.fromkeys(("m", "mn", "mln", "million", "millions", "mio", "millionen", "млн"), 10**6),
    **dict.fromkeys(("crore", "crores", "cr"), 10**7),
    **dict.fromkeys(("b", "bn", "billion", "billions", "mrd", "mld", "млрд"), 10**9),
}
# Chinese, Japanese and Korean write what is counted right behind them.
_JOINED = "千万萬만"
_WORDS = "|".join(sorted(_TIMES.keys() - {*_JOINED}, key=len, reverse=True))
# 5.3k, 17,683 ratings, 1.2M+ learners, 3 lakh
_COUNT = re.compile(
    rf"([0-9][0-9.,'\u2019 ]*?)\s*(?:((?:{_WORDS})(?![^\W\d_])|[{_JOINED}])\.?)?\s*\+?\s*"
    r"(?:[^\W\d_][^\d]{0,40})?",
    re.IGNORECASE,
)
# "Level:  Introductory", as a page labels its facts.
_LABEL = re.compile(r"[^\W\d_][\w ]{0,30}:\s*")
# The names by which JSON nests a text.
_NESTED = ("name", "title", "label", "rendered", "raw", "display_name", "value", "amount")


class RowValues:
    """`doubts`: what was read but is not certain, and what was left out, in words. `beside_price`: the duration that
    the cell of the price holds too."""

    def __init__(self, row: Row, currency: Currency, rules: ColumnRules | None = None):
        self._row, self._currency = row, currency
        self._decimal: DecimalSign = rules.decimal if rules else "."
        self._preset = PRESETS[rules.preset] if rules and rules.preset else None
        self._categories = _separators(self._preset.category_separators if self._preset else ";|")
        self._unread: set[str] = set()
        self.doubts: list[str] = []
        self.beside_price: Effort | None = None

    def has(self, field: str) -> bool:
        """Whether the file has this column, and a value of it that can be read."""
        return field in self._row.values and field not in self._unread

    def column(self, field: str) -> str:
        """The name of the field's column in the file."""
        return display_name(self._row.columns.get(field, field))

    @property
    def currency_code(self) -> str:
        """The code of the shop's currency."""
        return self._currency.code

    def is_from_file(self, field: str) -> bool:
        """Whether the row's own value is read, not a constant of the import."""
        return field not in self._row.constants

    def raw(self, field: str) -> Any:
        """The value as it is in the file."""
        return self._row.values.get(field)

    def maybe(self, read: Callable[..., Value | None], field: str, *args: Any) -> Value | None:
        """What `read` makes of an optional column; a value that it refuses is left out, with a doubt."""
        if field not in self._row.values:
            return None
        try:
            return read(field, *args)
        except BadRow as bad:
            self.doubts.append(f"{bad}: left out")
            self._unread.add(field)
            return None

    def leave_out(self, field: str) -> None:
        """Take a value for absent."""
        self._unread.add(field)

    def has_line_break(self, field: str) -> bool:
        """Whether a value contains a line break."""
        value = self._row.values.get(field)
        return value is not None and "\n" in self._raw_text(field).strip()

    def text(self, field: str, max_length: int = 255) -> str:
        """One line without surplus white space and HTML; "" when absent."""
        value = self._row.values.get(field)
        if value is None or value == "":
            return ""
        if type(value) is str and len(value) <= max_length and _SIMPLE.fullmatch(value):
            # Most values of a large file: nothing of what follows would change them.
            return value
        text = html_text.plain(self._raw_text(field))
        return self._checked(field, " ".join(text.split()), max_length)

    def markdown(self, field: str) -> str:
        """A text of several lines; HTML becomes Markdown."""
        text = self._raw_text(field).replace("\r\n", "\n").replace("\r", "\n").strip()
        return self._checked(field, html_text.markdown(text), MAX_TEXT_LENGTH)

    def required(self, field: str, max_length: int = 255) -> str:
        text = self.text(field, max_length)
        if not text:
            self.refuse_field(field, "is empty")
        return text

    def texts(self, field: str) -> list[str]:
        """A JSON array of texts, or one text whose parts are separated by | or line breaks."""
        value = self._row.values.get(field) or []
        if not isinstance(value, list):
            text = self._raw_text(field)
            value = [part for line in html_text.lines(text) for part in line.split("|")]
            value = [re.sub(r"^[-*•]\s+", "", part.strip()) for part in value]
        if not all(isinstance(part, str) for part in value):
            self.refuse_field(field, "is not a list of texts")
        plain = [" ".join(html_text.plain(part).split(" ")).strip() for part in value]
        return [self._checked(field, part, MAX_TEXT_LENGTH) for part in plain if part]

    def word(self, field: str) -> str:
        """A short text without the label before it; "" for what stands for an empty cell."""
        text = self.text(field)
        if ":" in text and (label := _LABEL.match(text)):
            text = text[label.end() :]
        return "" if text.casefold() in BLANKS else text

    def category(self) -> str:
        """The first of several categories, and of a path such as Clothing > Shirts the last part."""
        value = self._row.values.get("category")
        text = self.required("category")
        if not isinstance(value, list):
            text = self._categories.split(text, 1)[0].replace("\\", "") or text
        parts = [part.strip() for part in text.split(">") if part.strip()] if ">" in text else [text.strip()]
        return parts[-1] if parts and parts[-1] else self.required("category")

    def provider_of(self, field: str) -> str:
        text = self.word(field)
        for end in self._preset.provider_ends if self._preset else ():
            text = text.removesuffix(end)
        return text

    def price(self, field: str) -> Decimal | None:
        text = self._amount_text(field)
        if not text:
            return None
        if text.casefold().strip(" .!") in FREE:
            return Decimal(0)
        try:
            return money.parse(text, self._currency, self._decimal)
        except UnclearSign as error:
            # Ambiguous: as a thousands separator the comma would make the price a hundred times as high.
            self.refuse_field(field, f"{error}{self._hint()}")
        except ValueError as error:
            return self._price_beside_others(field, text, str(error))

    def _price_beside_others(self, field: str, text: str, reason: str) -> Decimal:
        """The only part of a cell of several facts that has a sign of the currency."""
        parts, effort = shared_cell(text, self._decimal)
        try:
            signed = [part for part in parts if bare_amount(part, self.currency_code) != part]
            if len(signed) != 1:
                raise ValueError(reason)
            price = money.parse(signed[0], self._currency, self._decimal)
        except ValueError:
            self.refuse_field(field, reason)
        also = "" if effort is None else " and a duration"
        self.doubts.append(f"{self.column(field)} {text[:60]!r}: read as the price {price}{also}")
        self.beside_price = effort
        return price

    def number(self, field: str, maximum: int) -> Decimal | None:
        text = self._amount_text(field)
        if not text:
            return None
        try:
            value = read_grouped(text, self._decimal)
        except UnclearSign as error:
            self.refuse_field(field, f"{error}{self._hint()}")
        except ValueError:
            self.refuse_field(field, f"{text[:40]!r} is not a number")
        if not 0 <= value <= maximum:
            self.refuse_field(field, f"{text[:40]!r} is not a number between 0 and {maximum}")
        return value

    def count(self, field: str) -> int | None:
        """A whole number, also in short (5.3k) or with what is counted behind it (17,683 ratings)."""
        text = self._amount_text(field)
        if is_number(text, len(str(MAX_COUNT)) - 1):
            return int(text)
        parts = None if _PLAIN_NUMBER.fullmatch(text) else _COUNT.fullmatch(text)
        if parts is None:
            value = self.number(field, MAX_COUNT)
        else:
            try:
                value = read_grouped(parts[1], self._decimal) * _TIMES.get((parts[2] or "").casefold(), 1)
            except UnclearSign as error:
                self.refuse_field(field, f"{error}{self._hint()}")
            except ValueError:
                self.refuse_field(field, f"{text[:40]!r} is not a number")
            if value > MAX_COUNT:
                self.refuse_field(field, f"{text[:40]!r} is not a number between 0 and {MAX_COUNT}")
        if value is not None and value != int(value):
            self.refuse_field(field, f"{value} is not a whole number")
        return None if value is None else int(value)

    def effort(self, field: str, bare: str) -> Effort | None:
        """What a column says of the time a course takes, such as "1.5", "4.5 hours" or "5 weeks". `bare`: what a number
        without a unit counts: hours, minutes, weeks or weekly (hours a week); "" for none."""
        text = self._amount_text(field)
        if not text:
            return None
        try:
            is_bare = _PLAIN_NUMBER.fullmatch(text) or _ONLY_NUMBER.fullmatch(text)
            effort = self._bare(text, bare) if is_bare else read_effort(text, self._decimal)
        except UnclearSign as error:
            self.refuse_field(field, f"{error}{self._hint()}")
        except ValueError:
            self.refuse_field(field, f"{text[:40]!r} is not a duration")
        if bare == "weekly" and effort.weekly is None and effort.minutes is not None:
            effort = Effort(None, effort.weeks, effort.minutes)
        if effort.minutes is not None and effort.minutes > MAX_MINUTES:
            self.refuse_field(field, f"{text[:40]!r} is too long")
        return effort

    def _bare(self, text: str, unit: str) -> Effort:
        number = read_grouped(text, self._decimal)
        match unit:
            case "hours":
                return Effort(number * 60)
            case "minutes":
                return Effort(number)
            case "weeks":
                return Effort(None, number)
            case "weekly":
                return Effort(None, None, number * 60)
        raise ValueError(text)

    def time(self, field: str) -> datetime | None:
        text = self._amount_text(field)
        if not text:
            return None
        try:
            at = read_time(text)
        except (ValueError, OverflowError):
            self.refuse_field(field, f"{text[:40]!r} is not a time such as 2026-03-01T12:00:00Z")
        if not 1970 <= at.year <= 2100:
            self.refuse_field(field, f"{text[:40]!r} is not between 1970 and 2100")
        return at

    def flag(self, field: str) -> bool | None:
        value = self._row.values.get(field)
        if isinstance(value, bool):
            return value
        text = self.word(field).casefold().lstrip("'")
        if text and text not in YES_NO:
            self.refuse_field(field, f"{text[:40]!r} is neither true nor false")
        return YES_NO.get(text)

    def choice(self, field: str, words: Mapping[str, str]) -> str | None:
        """One of the words, in any case; None when absent."""
        text = self.word(field).casefold()
        if text and text not in words:
            self.refuse_field(field, f"{text[:40]!r} is not one of {', '.join(dict.fromkeys(words.values()))}")
        return words[text] if text else None

    def refuse_field(self, field: str, reason: str) -> NoReturn:
        raise BadRow(f"{self.column(field)} {reason}")

    def _amount_text(self, field: str) -> str:
        text = self.text(field)
        if not text.isascii():
            # Sheets in Arabic and Hebrew have marks of direction around their numbers.
            text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf").strip()
        if text[:1].isdigit():
            return text
        folded = text.casefold()
        return "" if folded in BLANKS or folded in BROKEN else text

    def _hint(self) -> str:
        other = "comma" if self._decimal == "." else "point"
        return f" (or say that it is a {other}: --decimal {other})"

    def _raw_text(self, field: str) -> str:
        value = self._row.values.get(field)
        if isinstance(value, list | dict):
            value = _first_text(value)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
            self.refuse_field(field, "is neither text nor number")
        text = str(value)
        return text if text.isprintable() else text.translate(_CONTROL)

    def _checked(self, field: str, text: str, max_length: int) -> str:
        if len(text) > max_length:
            self.refuse_field(field, f"is longer than {max_length} characters")
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            self.refuse_field(field, "contains an invalid character")
        return text


@cache
def _separators(signs: str) -> re.Pattern[str]:
    """Where a text of several parts is split; a backslash before a sign keeps it."""
    return re.compile(rf"(?<!\\)[{signs}]")


def _first_text(value: Any) -> Any:
    """The text of a JSON value that nests it: ["Law"], [{"id": 3, "name": "Law"}], {"rendered": "Law"}."""
    for _ in range(4):
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = next((value[name] for name in _NESTED if name in value), True)
        else:
            break
    return value
