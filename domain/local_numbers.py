"""Numbers as people of a locale type them: in forms and quizzes, and in files whose reader knows the locale."""

import re

from domain.locales import row

# What people type between groups in any locale, and the marks of direction.
_NOTHING = re.compile("[\\s\u061c\u200e\u200f'\u2019\uff07]")
# Comma, point and digits of full width, each 0xFEE0 above that of ASCII.
_FULL_WIDTH = {code: code - 0xFEE0 for code in (0xFF0C, 0xFF0E, *range(0xFF10, 0xFF1A))}
_LAST_OF_ASCII = "~"


def decimal_sign(locale: str) -> str:
    """The sign before the decimals of a number: a point, a comma, or that of Arabic."""
    mark: str = row(locale)["decimal"]
    return mark


def plain_number(text: str, locale: str) -> str | None:
    """ "1.234,5" -> "1234.5" in German: a number without a sign, with or without marks between its groups, in the
    locale's digits, those of ASCII or of full width, becomes digits of ASCII with a point.

    None for anything else, also for what would be another number in the next country, such as "1.234" where groups have
    a space. components/forms/moneyText.ts reads the same (contracts/cases/typed-numbers.json)."""
    form = row(locale)
    zero = ord(form["zero"])
    typed = _NOTHING.sub("", text).translate(_FULL_WIDTH).translate({zero + digit: str(digit) for digit in range(10)})
    point, own = form["decimal"], _NOTHING.sub("", form["group"])
    # Where neither mark is on a keyboard of Latin letters, its point and comma have their English meaning.
    if point > _LAST_OF_ASCII and point not in typed and form["group"] not in typed:
        point, own = ".", ","
    whole, *parts = typed.split(point)
    mark = own if own and own in whole else "." if point == "," else ","
    groups, fraction = whole.split(mark), parts[0] if parts else ""
    is_clear = mark == own or len(groups) != 2 or bool(parts)
    digits = "".join(groups)
    if len(parts) > 1 or not is_clear or not re.fullmatch("[0-9]+", digits + fraction):
        return None
    if len(groups) > 1 and not _is_grouped(groups, form["grouping"]):
        return None
    return f"{digits or 0}.{fraction}" if fraction else digits


def _is_grouped(groups: list[str], grouping: list[int]) -> bool:
    _, last, others = grouping
    first, *rest = (len(group) for group in groups)
    return rest == [*[others] * (len(rest) - 1), last] and 1 <= first <= max(last, others)
