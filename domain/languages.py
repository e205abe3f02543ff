"""Names of languages by their codes.

Babel takes 0.1 s to import, which processes that name no such language are spared.
"""

from functools import lru_cache

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
        return Locale.parse(code, sep="-").get_display_name(Locale.parse(locale, sep="-")) or code
    except (ValueError, UnknownLocaleError):
        return code
