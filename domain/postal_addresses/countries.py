"""The countries to which addresses can belong, with their English names (CLDR, as `Intl.DisplayNames` has them)."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).parent / "countries.json"


class UnknownCountry(ValueError):
    """Not one of the codes of `countries`."""


@lru_cache(1)
def countries() -> Mapping[str, str]:
    """Name by code (ISO 3166-1 alpha-2, upper case), in the order of the names."""
    names: dict[str, str] = json.loads(_FILE.read_text("utf-8"))
    return dict(sorted(names.items(), key=lambda entry: _sort_key(entry[1])))


def name_of(country: str) -> str:
    """Raises UnknownCountry."""
    try:
        return countries()[country]
    except KeyError:
        raise UnknownCountry(country) from None


def _sort_key(name: str) -> str:
    """Åland is listed with A."""
    return name.translate(str.maketrans("ÅÉÇôéçãíü", "AECoecaiu")).casefold()
