"""Codes of languages from the names that exports use."""

import re

_CODES = {
    "arabic": "ar",
    "chinese": "zh",
    "dutch": "nl",
    "english": "en",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "polish": "pl",
    "portuguese": "pt",
    "russian": "ru",
    "spanish": "es",
    "swedish": "sv",
    "turkish": "tr",
    "ukrainian": "uk",
    "vietnamese": "vi",
}


def code(text: str) -> str | None:
    """English, en, en_us -> en, en, en-us. None for an unknown language."""
    if known := _CODES.get(text.casefold()):
        return known
    tag = text.replace("_", "-")
    if len(tag) <= 10 and re.fullmatch(r"[A-Za-z]{2}(-[A-Za-z0-9]{2,7})?", tag):
        return tag[:2].lower() + tag[2:]
    return None
