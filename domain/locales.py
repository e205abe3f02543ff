"""How each locale writes numbers, amounts and days: contracts/locales.json, by which pages, mails, documents and forms
write and read the same text (docs/decisions/0110-one-source-of-locale-data.md; components/format/localeText.ts)."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

DEFAULT_LOCALE = "en-US"
FILE = Path(__file__).parent.parent / "contracts" / "locales.json"
_LINE = re.compile(rb'^"([A-Za-z0-9-]+)": (\{.*\}),?$', re.MULTILINE)
_TAG = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|[0-9]{3}))?", re.IGNORECASE)
# Codes of languages that ISO 639 has withdrawn, and the one that Norwegian shops write for Bokmål.
_SUCCESSORS = {"no": "nb", "iw": "he", "in": "id", "ji": "yi", "tl": "fil", "mo": "ro", "sh": "sr-Latn"}
# Fields of a row that a longer tag may state in part.
_NESTED = ("signs", "short")
Row = dict[str, Any]


class UnknownLocale(ValueError):
    """Not a locale by which amounts and days can be written; the text says what is one."""

    def __init__(self, tag: str) -> None:
        super().__init__("a known language, with or without a country, such as en-US, de-CH or ar-EG")
        self.tag = tag


_shop = DEFAULT_LOCALE


def shop_locale() -> str:
    """The locale of the shop whose texts this process writes: LOCALE in host and workers, else DEFAULT_LOCALE."""
    return _shop


def set_shop_locale(tag: str) -> str:
    """A process serves one shop, so it is set once, at the start. Returns the one of before."""
    global _shop
    before, _shop = _shop, tag
    return before


@lru_cache(256)
def canonical_tag(tag: str) -> str:
    """ "no-no" -> "nb-NO". A known language may stand with any country. Raises UnknownLocale."""
    match = _TAG.fullmatch(tag)
    if match is None:
        raise UnknownLocale(tag)
    language, script, region = match.groups()
    base = _SUCCESSORS.get(language.lower(), language.lower())
    base = f"{base}-{script.title()}" if script else base
    found = f"{base}-{region.upper()}" if region else base
    if found not in _known_tags() and not (region and base in _known_tags() and _is_country(region.upper())):
        raise UnknownLocale(tag)
    return found


def _is_country(region: str) -> bool:
    # The start of every process reads its locale, and hardly one of them is such a pair.
    from domain.postal_addresses.countries import countries

    return region in countries()


@lru_cache(64)
def row(tag: str) -> Row:
    """What the file says of a locale, with what it has from the shorter tags. That of an unknown one: DEFAULT_LOCALE.
    Nobody changes what it returns."""
    try:
        parts = canonical_tag(tag).split("-")
    except UnknownLocale:
        return row(DEFAULT_LOCALE)
    wanted = {"-".join(parts[:count]).encode() for count in range(1, len(parts) + 1)}
    merged: Row = {}
    # A tag stands after those that it extends.
    for match in _LINE.finditer(FILE.read_bytes()):
        if match[1] in wanted:
            own: Row = json.loads(match[2])
            merged |= own | {name: merged.get(name, {}) | own.get(name, {}) for name in _NESTED}
    return merged


@lru_cache(1)
def _known_tags() -> frozenset[str]:
    return frozenset(match[1].decode() for match in _LINE.finditer(FILE.read_bytes()))
