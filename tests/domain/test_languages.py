"""Names of languages by their codes."""

import pytest

from domain.languages import language_name

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
