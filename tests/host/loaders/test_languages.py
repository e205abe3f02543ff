"""Facet, cards and pages name a language by one list."""

from types import SimpleNamespace
from typing import Any

import pytest

from host.loaders.cards import _language
from host.loaders.labels import label

SITE: Any = SimpleNamespace(props={"locale": "de-DE"})


@pytest.mark.parametrize(
    ("code", "on_card", "in_facet"),
    [
        ("nl", "Niederländisch", "Niederländisch"),
        ("pt-br", "Portugiesisch (Brasilien)", "Portugiesisch (Brasilien)"),
        ("en", "English", "English"),
        ("de", None, "Deutsch"),
    ],
)
def test_the_facet_names_a_language_as_cards_do_which_leave_out_the_shops_own(code, on_card, in_facet):
    row: Any = SimpleNamespace(language=code)
    assert (_language(row, SITE), label(SITE, "language", code)) == (on_card, in_facet)
