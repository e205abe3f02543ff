"""Checks an address against the rules of its country; errors and warnings are plain sentences by field."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain.errors import InvalidInput
from domain.postal_addresses.countries import countries
from domain.postal_addresses.fields import AddressField
from domain.postal_addresses.postal_codes import PostalCode, read_postal_code
from domain.postal_addresses.rules import Area, CountryRules, rules_of
from domain.text_direction import isolated

MAX_LENGTH = 200
MAX_LINES = 4
NO_COUNTRY = "Choose a country."
# What an address keeps of its warnings, for staff.
DOUBT = "doubt"
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]+")


@dataclass(frozen=True)
class CheckedAddress:
    """`address`: with its country, as far as it is right, and in DOUBT what may be wrong. `errors`: what must be
    mended, by field. `warnings`: what may be wrong, by field; the address is taken all the same."""

    address: Mapping[str, str]
    errors: Mapping[str, str]
    warnings: Mapping[str, str]


def validate(country: str, values: Mapping[str, str], fields: Sequence[AddressField]) -> dict[str, str]:
    """The address of `check`. Raises InvalidInput with an error for each field."""
    checked = check(country, values, fields)
    if checked.errors:
        raise InvalidInput(dict(checked.errors))
    return dict(checked.address)


def check(country: str, values: Mapping[str, str], fields: Sequence[AddressField]) -> CheckedAddress:
    """The address without surrounding space, areas by their key, postal codes in the form of the country.

    Only `fields` are read, and empty ones are left out. A city is not compared with a list: people know theirs better.
    A postal code of another area is only a warning, because lists of areas have gaps in which people live.
    """
    if country not in countries():
        return CheckedAddress({}, {"country": NO_COUNTRY}, {})
    rules = rules_of(country)
    cleaned = {field.name: clean(values.get(field.name, ""), field) for field in fields}
    area = _area_of(cleaned.get("country_area", ""), rules)
    address, errors, warnings = {"country": country}, {}, {}
    for field in fields:
        value = cleaned[field.name]
        if (error := _error(value, field, area)) is not None:
            errors[field.name] = error
        elif field.name == "postal_code" and value:
            code = read_postal_code(value, rules, None if area is None else area.postal_code)
            if code is None:
                errors[field.name] = f"Enter {_article(field)} {_in_sentence(field)} in the form {field.example}."
                continue
            address[field.name] = code.text
            if (warning := _warning(code, field, area)) is not None:
                warnings[field.name] = warning
        elif value:
            address[field.name] = area.key if area and field.name == "country_area" else value
    if warnings:
        address[DOUBT] = " ".join(warnings.values())
    return CheckedAddress(address, errors, warnings)


def clean(value: str, field: AddressField) -> str:
    """The value as it is stored: one space between words, and line breaks only where the field has lines."""
    text = _CONTROL.sub(" ", value.replace("\r\n", "\n").replace("\r", "\n"))
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return ("\n" if field.lines > 1 else " ").join(line for line in lines if line)


def _error(value: str, field: AddressField, area: Area | None) -> str | None:
    """What is wrong with any field but the form of a postal code."""
    if not value:
        return required_error(field) if field.required else None
    if len(value) > MAX_LENGTH:
        return f"Shorten this to {MAX_LENGTH} characters."
    if value.count("\n") >= MAX_LINES:
        return f"Use at most {MAX_LINES} lines."
    if field.options and area is None:
        return f"Choose one of the list as your {_in_sentence(field)}."
    return None


def required_error(field: AddressField) -> str:
    verb = "Choose" if field.options else "Enter"
    return f"{verb} your {_in_sentence(field)}."


def _warning(code: PostalCode, field: AddressField, area: Area | None) -> str | None:
    """What may be wrong with a postal code of the right form."""
    noun = _in_sentence(field)
    if code.has_new_zeros:
        return f"We read this {noun} as {code.text}. Correct it if that is wrong."
    if area is None or area.postal_code is None or area.postal_code.match(code.text):
        return None
    where = isolated(area.label)
    return f"Our list does not have this {noun} in {where}. Correct one of the two, or go on if both are right."


def _area_of(value: str, rules: CountryRules) -> Area | None:
    return rules.areas_by_name.get(value.casefold())


def _in_sentence(field: AddressField) -> str:
    """The label inside a sentence: ZIP and PIN keep their capitals, and so does Eircode, a name."""
    first = field.label.split()[0]
    is_name = first.isupper() or first == "Eircode"
    return field.label if is_name else field.label[0].lower() + field.label[1:]


def _article(field: AddressField) -> str:
    return "an" if field.label[0] in "AEIO" else "a"
