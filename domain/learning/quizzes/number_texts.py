"""Numbers as learners type and read them, in the form of the shop's locale."""

from decimal import Decimal

from domain.display_text import plain_text
from domain.local_numbers import plain_number

# More digits than any answer has; computing with them is exact.
MAX_DIGITS = 24
_MINUS = "-\N{MINUS SIGN}"
_MARKS_OF_DIRECTION = " \t\N{NO-BREAK SPACE}\N{ARABIC LETTER MARK}\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"


def read_number(text: str, locale: str, unit: str = "") -> Decimal | None:
    """ "1,234.5 %" -> 1234.5 in English; the unit may be left out. None: not a number in this form."""
    typed = text.strip()
    if unit and typed.casefold().endswith(unit.casefold()):
        typed = typed[: -len(unit)]
    typed = typed.lstrip(_MARKS_OF_DIRECTION)
    is_negative = typed[:1] != "" and typed[:1] in _MINUS
    digits = plain_number(typed[1:] if is_negative else typed.removeprefix("+"), locale)
    if digits is None or len(digits.replace(".", "")) > MAX_DIGITS:
        return None
    return -Decimal(digits) if is_negative else Decimal(digits)


def number_text(value: Decimal, locale: str) -> str:
    """19.250 -> "19.25", without groups."""
    text = f"{value:f}"
    return plain_text(text.rstrip("0").rstrip(".") if "." in text else text, locale)
