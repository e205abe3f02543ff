"""Numbers as learners type and read them, with the decimal sign of the shop's locale."""

import re
from decimal import Decimal
from typing import Literal

DecimalSign = Literal[".", ","]
# More digits than any answer has; computing with them is exact.
MAX_DIGITS = 24
# Languages that write a decimal comma, by Unicode CLDR 46, and their regions that write a point.
_COMMA = """
    af az be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk ky lt lv mk mn nb nl nn no pl pt ro ru sk sl
    sq sr sv tg tk tr uk uz vi
"""
_POINT = "de-CH de-LI it-CH es-DO es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-SV es-US es-419"
COMMA_LANGUAGES, POINT_REGIONS = frozenset(_COMMA.split()), frozenset(_POINT.split())
_SPACES = str.maketrans(
    "", "", " \t\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}'\N{RIGHT SINGLE QUOTATION MARK}"
)


def decimal_sign(locale: str) -> DecimalSign:
    return "," if locale.split("-", maxsplit=1)[0] in COMMA_LANGUAGES and locale not in POINT_REGIONS else "."


def read_number(text: str, sign: DecimalSign, unit: str = "") -> Decimal | None:
    """ "1,234.5 %" -> 1234.5 where the sign is a point; the unit may be left out. None: not a number in this form."""
    typed = text.strip()
    if unit and typed.casefold().endswith(unit.casefold()):
        typed = typed[: -len(unit)]
    digits = typed.translate(_SPACES).replace("\N{MINUS SIGN}", "-")
    group = re.escape("," if sign == "." else ".")
    form = rf"([+-]?)(\d{{1,3}}(?:{group}\d{{3}})+|\d*)(?:{re.escape(sign)}(\d*))?"
    match = re.fullmatch(form, digits, re.ASCII)
    if match is None:
        return None
    whole, part = re.sub(r"\D", "", match[2]), match[3] or ""
    if not whole + part or len(whole + part) > MAX_DIGITS:
        return None
    return Decimal(f"{match[1]}{whole or 0}.{part or 0}")


def number_text(value: Decimal, sign: DecimalSign) -> str:
    """19.250 -> "19.25", without groups."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", sign)
