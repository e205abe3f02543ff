"""Reads postal codes as people write them, and puts each in the form of its country.

Spaces, dashes and other signs count as nothing; digits may be of any script and letters of full width. The country may
stand in front, by its ISO code or by the letters of its cars, and so may the state. Zeros that a spreadsheet took from
the front come back where no other code is possible.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from domain.postal_addresses.rules import CountryRules, rules_of

# Letters on cars (United Nations, Conventions on Road Traffic of 1949 and 1968) that stand in front of postal codes,
# and other usual words, where they are not the ISO code.
_SIGNS = {
    **{"AT": "A", "BE": "B", "CZ": "CS", "DE": "D", "EE": "EST", "ES": "E", "FI": "FIN AX", "FO": "FR"},
    **{"FR": "F", "GB": "UK", "GR": "EL", "HU": "H", "IN": "IND", "IT": "I", "JP": "J", "KR": "ROK", "KW": "KWT"},
    **{"LI": "FL CH", "LU": "L", "MT": "M", "MX": "MEX", "MY": "MAL", "NO": "N", "PT": "P", "RU": "RUS"},
    **{"SA": "KSA", "SE": "S", "SG": "SGP", "SI": "SLO", "SM": "RSM I", "TH": "T", "US": "USA", "VA": "V SCV I"},
    **{"AX": "FI FIN", "RS": "SRB YU", "ME": "MNE", "MK": "NMK", "BA": "BIH", "XK": "RKS", "IS": "ISL", "TR": "TUR"},
}
# Countries whose postal codes may begin with a zero.
_WITH_ZERO = frozenset(
    {"AM", "AU", "AZ", "BR", "CN", "CO", "DE", "DZ", "EC", "ES", "FI", "FR", "GE", "GT", "IT", "JP", "KE", "KR", "KZ"}
    | {"LA", "LK", "LT", "MX", "MY", "NO", "NZ", "PE", "PL", "PR", "RO", "SG", "SK", "TH", "TR", "TW", "UA", "US", "VI"}
    | {"ZA"}
)
_MAX_LOST_ZEROS = 2
# Where the signs stand, if the examples of the package do not show it.
_MORE_EXAMPLES = {
    "GG": ("GY10 1AA",),
    "JE": ("JE10 1AA",),
    "PR": ("00930-1234",),
    "SA": ("11564-1234",),
    "SE": ("114 55",),
}
_PLAIN = re.compile(r"[A-Z0-9]+")
_SIGN_KINDS = frozenset("PSZ")


@dataclass(frozen=True)
class PostalCode:
    """`text`: in the form of the country. `has_new_zeros`: zeros were put in front of what was typed."""

    text: str
    has_new_zeros: bool = False


def read_postal_code(typed: str, rules: CountryRules, area: re.Pattern[str] | None = None) -> PostalCode | None:
    """The postal code that was typed; None for what is none of the country. `area`: how those of the chosen area begin,
    which decides whether zeros are missing."""
    if rules.postal_code is None:
        return PostalCode(unicodedata.normalize("NFKC", typed).upper())
    compact = compact_code(typed)
    if not _PLAIN.fullmatch(compact):
        return None
    for candidate in _candidates(compact, rules):
        if text := _formed(candidate, rules):
            return PostalCode(text)
    for text in _with_zeros(compact, rules):
        if area is None or area.match(text):
            return PostalCode(text, has_new_zeros=True)
    return None


def compact_code(typed: str) -> str:
    """The letters and digits of a postal code alone, in capitals and in ASCII where they have such a form."""
    text = unicodedata.normalize("NFKC", typed).upper()
    return "".join(_plain(char) for char in text)


def _plain(char: str) -> str:
    kind = unicodedata.category(char)
    # The long vowel of Japanese is typed for a dash; marks of direction and other formats cannot be seen.
    if kind[0] in _SIGN_KINDS or kind in ("Cc", "Cf") or char == "\u30fc":
        return ""
    return str(unicodedata.decimal(char, char))


def _candidates(compact: str, rules: CountryRules) -> Iterator[str]:
    yield compact
    for prefix in _prefixes(rules.country):
        if compact.startswith(prefix) and len(compact) > len(prefix):
            yield compact.removeprefix(prefix)
    # Latvia, El Salvador and islands of the Caribbean have letters in the code itself.
    if rules.postal_code and compact.isdigit():
        first = re.match("[A-Z]*", rules.example)
        letters = first[0] if first else ""
        if letters and rules.postal_code.pattern.lstrip("^").startswith(letters):
            yield letters + compact


@lru_cache(64)
def _prefixes(country: str) -> tuple[str, ...]:
    """What may stand before a postal code of the country, the longest first."""
    rules = rules_of(country)
    words = {rules.country, compact_code(rules.prefix), *_SIGNS.get(rules.country, "").split()}
    words |= {area.key for area in rules.areas if len(area.key) <= 3 and _PLAIN.fullmatch(area.key)}
    return tuple(sorted(words - {""}, key=lambda word: (-len(word), word)))


def _formed(compact: str, rules: CountryRules) -> str | None:
    """The code with the signs that its country sets between its parts; None for no code of the country."""
    assert rules.postal_code is not None  # noqa: S101 the caller has looked
    return next((text for text in _forms(compact, rules) if rules.postal_code.fullmatch(text)), None)


def _forms(compact: str, rules: CountryRules) -> Iterator[str]:
    for example in (*_MORE_EXAMPLES.get(rules.country, ()), *rules.examples):
        signs = [(at, char) for at, char in enumerate(example) if not char.isalnum()]
        if len(example) - len(signs) == len(compact):
            text = compact
            for at, char in signs:
                text = text[:at] + char + text[at:]
            yield text
    yield compact
    for sign in "- ":
        for at in range(1, len(compact)):
            yield compact[:at] + sign + compact[at:]


def _with_zeros(compact: str, rules: CountryRules) -> Iterator[str]:
    if rules.country not in _WITH_ZERO or not compact.isdigit():
        return
    for zeros in range(1, _MAX_LOST_ZEROS + 1):
        if text := _formed("0" * zeros + compact, rules):
            yield text
