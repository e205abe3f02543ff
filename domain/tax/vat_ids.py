"""Checks the form of VAT ids of the European Union: prefix, length and check digits. Nothing is looked up."""

import re

from stdnum.eu import vat
from stdnum.exceptions import ValidationError

from domain.errors import InvalidInput
from domain.european_union import EU_COUNTRIES

FIELD = "vat_id"
# Countries whose VAT ids do not begin with their own code.
_PREFIXES = {"GR": "EL"}


def prefix_of(country: str) -> str:
    """What the VAT ids of a country begin with."""
    return _PREFIXES.get(country, country)


def check(country: str, text: str) -> str:
    """The VAT id without spaces and signs, in upper case and with its prefix, which may be missing in `text`.

    `country`: of the billing address. Raises InvalidInput for the field `vat_id` with a sentence that says what to do.
    """
    if country not in EU_COUNTRIES:
        raise InvalidInput({FIELD: "Leave this empty: VAT ids are for addresses in the European Union."})
    prefix, compact = prefix_of(country), _compact(text)
    national = compact.removeprefix(prefix if compact.startswith(prefix) else country)
    # A national number may itself begin with the letters of the prefix.
    for candidate in (prefix + national, prefix + compact):
        vat_id = _validated(candidate)
        if vat_id is not None:
            return vat_id
    if _validated(compact) is not None:
        raise InvalidInput(
            {FIELD: f"This VAT id begins with {compact[:2]}, but one of the billing address begins with {prefix}."}
        )
    raise InvalidInput({FIELD: f"Check this VAT id for {prefix}: its length or a digit is wrong."})


def _compact(text: str) -> str:
    """Without what people write between the digits. Some Irish ids contain + or *."""
    return "".join(re.findall(r"[A-Z0-9+*]", text.upper()))


def _validated(candidate: str) -> str | None:
    try:
        return str(vat.validate(candidate))
    except ValidationError:
        return None
