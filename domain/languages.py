"""Names of languages by their codes, and codes by their names: one list for facet, cards, pages and imports.

Babel takes 0.1 s to import, which processes that name no language are spared.
"""

import re
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
# What a product's row holds.
MAX_LENGTH = 10
_CODE = re.compile(r"[a-z]{2}(-[a-z0-9]{2,7})?")
_WITH_COUNTRY = re.compile(r"(.+?)\s*\((.+)\)")
_SCRIPTS = {"simplified": "hans", "traditional": "hant"}
# Their own names are known too, as exports of courses have them.
_SELF_NAMED = (
    "ar bg bn ca cs da de el es et eu fa fi fr gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nb nl pl pt ro ru sk "
    "sl sq sr sv sw ta te th tr uk ur uz vi zh"
)


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


def language_code(text: str) -> str | None:
    """English, en, en_US -> en, en, en-us; Portuguese (Brazil) -> pt-br, and without a country that is not known: pt.
    None for an unknown language."""
    name = " ".join(text.split()).casefold()
    tag = name.replace("_", "-")
    found = _by_english_name().get(name) or _with_country(name) or _by_own_name().get(name)
    if found is None and _CODE.fullmatch(tag):
        found = tag
    return found if found is not None and len(found) <= MAX_LENGTH else None


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


@lru_cache(1)
def _by_english_name() -> dict[str, str]:
    """Codes by names. A name that has two codes means the shorter one."""
    named = sorted(_languages("en").items(), key=lambda entry: len(entry[0]), reverse=True)
    return {name.casefold(): code.replace("_", "-").lower() for code, name in named}


@lru_cache(1)
def _by_own_name() -> dict[str, str]:
    own_names = {name.casefold(): code for code, name in OWN_NAMES.items()}
    return own_names | {_languages(code)[code].casefold(): code for code in _SELF_NAMED.split()}


def _with_country(name: str) -> str | None:
    parts = _WITH_COUNTRY.fullmatch(name)
    if parts is None:
        return None
    language = _by_english_name().get(parts[1]) or _by_own_name().get(parts[1])
    variant = _SCRIPTS.get(parts[2]) or _countries().get(parts[2])
    return f"{language}-{variant}" if language and variant else language


@lru_cache(1)
def _countries() -> dict[str, str]:
    """By English names and by codes; UK is not the code, but what people write."""
    codes = {name.casefold(): code.lower() for code, name in _locale("en").territories.items()}
    return codes | {code: code for code in codes.values() if code.isalpha()} | {"uk": "gb", "usa": "us"}
