"""Checks the form of VAT ids: prefix, length and check digits. Nothing is looked up.

Those of the European Union decide who owes its VAT. Ids of the United Kingdom, Switzerland, Liechtenstein and Norway
are recorded and printed, and change no tax.
"""

import re
from collections.abc import Callable

from stdnum.ch import uid as swiss_uid
from stdnum.ch import vat as swiss_vat
from stdnum.eu import vat as eu_vat
from stdnum.exceptions import ValidationError
from stdnum.gb import vat as british_vat
from stdnum.no import mva as norwegian_vat

from domain.errors import InvalidInput
from domain.european_union import EU_COUNTRIES
from domain.typed_codes import plain_code

FIELD = "vat_id"
NORTHERN_IRELAND = "XI"
# Countries whose VAT ids begin with other letters than their own code: Greece, and those under the tax authority of
# another country.
_PREFIXES = {
    **{"GR": "EL", "MC": "FR", "AX": "FI", "IM": "GB", "CH": "CHE", "LI": "CHE"},
    **dict.fromkeys(("BL", "GF", "GP", "MF", "MQ", "RE", "YT"), "FR"),
}
_UNION_PREFIXES = (EU_COUNTRIES - {"GR"}) | {"EL"}
_NO_COUNTRY = (
    "Leave this empty: VAT ids are for addresses in the European Union, the United Kingdom, Switzerland, Liechtenstein "
    "and Norway."
)
_GOODS_ONLY = (
    "A VAT id with XI is for goods, and nothing of this order is shipped: for services Northern Ireland is part of the "
    "United Kingdom. Enter the id with GB, or leave this empty."
)
_Rule = Callable[[str], str]


def prefix_of(country: str) -> str:
    """What the VAT ids of a country begin with."""
    return _PREFIXES.get(country, country)


def check(country: str, text: str, has_goods: bool = True) -> str:
    """The VAT id without spaces and signs, in upper case and with its prefix, which may be missing in `text`.

    `country`: of the billing address. `has_goods`: whether the order has what is shipped, for which alone ids of
    Northern Ireland count. Raises InvalidInput for the field `vat_id` with a sentence that says what to do.
    """
    prefix, compact = prefix_of(country), _compact(text)
    if prefix not in _RULES and prefix not in _UNION_PREFIXES:
        raise InvalidInput({FIELD: _NO_COUNTRY})
    if prefix == "GB" and compact.startswith(NORTHERN_IRELAND):
        if not has_goods:
            raise InvalidInput({FIELD: _GOODS_ONLY})
        prefix = NORTHERN_IRELAND
    letters = next((start for start in (prefix, country) if compact.startswith(start)), "")
    # A national number may itself begin with the letters of the prefix.
    for candidate in (prefix + compact.removeprefix(letters), prefix + compact):
        if (vat_id := _validated(candidate)) is not None:
            return vat_id
    if _validated(compact) is not None:
        raise InvalidInput(
            {FIELD: f"This VAT id begins with {compact[:2]}, but one of the billing address begins with {prefix}."}
        )
    raise InvalidInput({FIELD: f"Check this VAT id for {prefix}: its length or a digit is wrong."})


def _compact(text: str) -> str:
    """Without what people write between the digits, and with letters and digits of full width as ordinary ones. Some
    Irish ids contain + or *."""
    return "".join(re.findall(r"[A-Z0-9+*]", plain_code(text).upper()))


def _validated(candidate: str) -> str | None:
    rule = next((rule for prefix, rule in _RULES.items() if candidate.startswith(prefix)), eu_vat.validate)
    try:
        return rule(candidate)
    except ValidationError:
        return None


def _swiss(text: str) -> str:
    """With or without MWST, TVA, IVA or TPV behind it."""
    return str((swiss_uid if text[3:].isdigit() else swiss_vat).validate(text))


def _norwegian(text: str) -> str:
    """With MVA behind it, which may be missing."""
    return f"NO{norwegian_vat.validate(text.removeprefix('NO').removesuffix('MVA') + 'MVA')}"


_RULES: dict[str, _Rule] = {
    "CHE": _swiss,
    "GB": lambda text: f"GB{british_vat.validate(text)}",
    "NO": _norwegian,
}
