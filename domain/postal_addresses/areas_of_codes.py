"""The state, province or prefecture that follows from a postal code, where the data of the country leave no other."""

from domain.postal_addresses.fields import fields_of
from domain.postal_addresses.postal_codes import read_postal_code
from domain.postal_addresses.rules import rules_of
from domain.postal_addresses.validation import clean


def area_of_code(country: str, code: str) -> str:
    """The key of the only area to which a postal code, as it was typed, can belong; "" where the code is not whole, or
    could be of several areas. Raises UnknownCountry."""
    rules = rules_of(country)
    field = next((field for field in fields_of(country) if field.name == "postal_code"), None)
    if field is None or rules.postal_code is None or not rules.codes_have_areas:
        return ""
    read = read_postal_code(clean(code, field), rules)
    if read is None or read.has_new_zeros:
        return ""
    keys = [area.key for area in rules.areas if area.postal_code is not None and area.postal_code.match(read.text)]
    return keys[0] if len(keys) == 1 else ""
