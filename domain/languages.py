"""Names of languages by their codes, for facet, cards and pages; domain/catalogue_import/languages.py reads names.

Babel takes 0.1 s to import, which processes that name no language are spared.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

# Languages that name themselves; all others are named in the shop's language.
OWN_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "ja": "日本語",
    "pt": "Português",
    "zh": "中文",
}


@lru_cache(1_024)
def language_name(code: str, locale: str) -> str:
    """nl -> Dutch, pt-br -> Brazilian Portuguese, in the language of the locale; what is no code stays as it is."""
    if own_name := OWN_NAMES.get(code):
        return own_name
    from babel import Locale, UnknownLocaleError

    try:
        tag = Locale.parse(code, sep="-")
    except (ValueError, UnknownLocaleError):
        return _languages(locale).get(code, code)
    return _languages(locale).get(str(tag)) or tag.get_display_name(_locale(locale)) or code


def _locale(locale: str) -> "Locale":
    """That of the shop; English for one that Babel does not know."""
    from babel import Locale, UnknownLocaleError

    for known in (locale, locale.partition("-")[0]):
        try:
            return Locale.parse(known, sep="-")
        except (ValueError, UnknownLocaleError):
            continue
    return Locale("en")


def _languages(locale: str) -> "dict[str, str]":
    return dict(_locale(locale).languages)
