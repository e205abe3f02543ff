"""Checks an address against the rules of its country; errors are plain sentences by field."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from domain.errors import InvalidInput
from domain.postal_addresses.countries import countries
from domain.postal_addresses.fields import AddressField
from domain.postal_addresses.rules import Area, CountryRules, rules_of

MAX_LENGTH = 200
MAX_LINES = 4
NO_COUNTRY = "Choose a country."
# The minus sign and the long vowel of Japanese, typed instead of a hyphen.
_DASHES = {0x2212: "-", 0x30FC: "-"}
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]+")


def validate(country: str, values: Mapping[str, str], fields: Sequence[AddressField]) -> dict[str, str]:
    """The address with its country: without surrounding space, areas by their key, postal codes in capitals.

    Only `fields` are read, and empty ones are left out. A city is not compared with a list: people know theirs better.
    Raises InvalidInput with an error for each field.
    """
    if country not in countries():
        raise InvalidInput({"country": NO_COUNTRY})
    rules = rules_of(country)
    address, errors = {"country": country}, {}
    for field in fields:
        value = clean(values.get(field.name, ""), field)
        error = _error(value, field, rules)
        if error is not None:
            errors[field.name] = error
        elif value:
            area = _area_of(value, rules) if field.name == "country_area" else None
            address[field.name] = area.key if area else value
    if "postal_code" in address and (error := _error_of_area(address, fields, rules)) is not None:
        errors["postal_code"] = error
    if errors:
        raise InvalidInput(errors)
    return address


def clean(value: str, field: AddressField) -> str:
    """The value as it is stored: one space between words, and line breaks only where the field has lines."""
    text = _CONTROL.sub(" ", value.replace("\r\n", "\n").replace("\r", "\n"))
    if field.name == "postal_code":
        # Japanese keyboards type wide digits.
        text = unicodedata.normalize("NFKC", text).upper().translate(_DASHES)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return ("\n" if field.lines > 1 else " ").join(line for line in lines if line)


def _error(value: str, field: AddressField, rules: CountryRules) -> str | None:
    if not value:
        return required_error(field) if field.required else None
    if len(value) > MAX_LENGTH:
        return f"Shorten this to {MAX_LENGTH} characters."
    if value.count("\n") >= MAX_LINES:
        return f"Use at most {MAX_LINES} lines."
    if field.options and _area_of(value, rules) is None:
        return f"Choose one of the list as your {_in_sentence(field)}."
    if field.name == "postal_code" and rules.postal_code and not rules.postal_code.fullmatch(value):
        return f"Enter {_article(field)} {_in_sentence(field)} in the form {field.example}."
    return None


def required_error(field: AddressField) -> str:
    verb = "Choose" if field.options else "Enter"
    return f"{verb} your {_in_sentence(field)}."


def _error_of_area(address: Mapping[str, str], fields: Sequence[AddressField], rules: CountryRules) -> str | None:
    """The error of a postal code that belongs to another area of the country than the one chosen."""
    area = _area_of(address.get("country_area", ""), rules)
    if area is None or area.postal_code is None or area.postal_code.match(address["postal_code"]):
        return None
    field = next(field for field in fields if field.name == "postal_code")
    return f"This {_in_sentence(field)} is not in {area.label}. Correct one of the two."


def _area_of(value: str, rules: CountryRules) -> Area | None:
    return rules.areas_by_name.get(value.casefold())


def _in_sentence(field: AddressField) -> str:
    """The label inside a sentence: ZIP and PIN keep their capitals, and so does Eircode, a name."""
    first = field.label.split()[0]
    is_name = first.isupper() or first == "Eircode"
    return field.label if is_name else field.label[0].lower() + field.label[1:]


def _article(field: AddressField) -> str:
    return "an" if field.label[0] in "AEIO" else "a"
