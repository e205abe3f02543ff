"""Names of languages by their codes, and codes by the names that exports use."""

import pytest

from domain.languages import language_code, language_name

NAMES = {
    "one that names itself": ("de", "en-US", "Deutsch"),
    "one that names itself, in another shop": ("de", "nl-NL", "Deutsch"),
    "another one": ("nl", "en-US", "Dutch"),
    "another one, in another shop": ("nl", "de-DE", "Niederländisch"),
    "one with a country": ("pt-br", "en-US", "Brazilian Portuguese"),
    "one with a country that no name has": ("pt-ao", "en-GB", "Portuguese (Angola)"),
    "one with a script": ("zh-hant", "en-US", "Traditional Chinese"),
    "of three letters": ("fil", "en-US", "Filipino"),
    "a locale that Babel does not know": ("nl", "xx-XX", "Dutch"),
    "no code": ("Elvish", "en-US", "Elvish"),
    "a code that nothing has": ("xx", "en-US", "xx"),
}


@pytest.mark.parametrize(("code", "locale", "name"), NAMES.values(), ids=NAMES)
def test_a_code_becomes_a_name(code, locale, name):
    assert language_name(code, locale) == name


CODES = {
    "English": "en",
    "german": "de",
    "Greek": "el",
    "Danish": "da",
    "Czech": "cs",
    "  Norwegian ": "no",
    "Filipino": "fil",
    "Deutsch": "de",
    "Ελληνικά": "el",
    "العربية": "ar",
    "Portuguese (Brazil)": "pt-br",
    "Brazilian Portuguese": "pt-br",
    "English (US)": "en-us",
    "English (UK)": "en-gb",
    "Spanish (Latin America)": "es-419",
    "Chinese (Simplified)": "zh-hans",
    "Español (México)": "es",
    "en": "en",
    "en_US": "en-us",
    "PT-BR": "pt-br",
    "Elvish": None,
    "several": None,
    "": None,
    "all": None,
}


@pytest.mark.parametrize(("text", "code"), CODES.items())
def test_a_name_becomes_a_code(text, code):
    assert language_code(text) == code
