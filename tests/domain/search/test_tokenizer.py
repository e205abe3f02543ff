"""The tokenizer, by the cases of contracts/cases/search-tokens.json, and queries made from typed text."""

import json

import pytest

from config.settings import ROOT
from domain.search.tokenizer import MAX_WORDS, clean, index_tokens, query_of
from domain.tables.search import WORD_LENGTH

AGREEMENT = json.loads((ROOT / "contracts" / "cases" / "search-tokens.json").read_text("utf-8"))


@pytest.mark.parametrize("case", AGREEMENT["cases"], ids=lambda case: case["text"] or "nothing")
def test_a_text_has_these_words(case):
    tokens = index_tokens(case["text"])
    assert [token.text for token in tokens if not token.extra] == case["words"]
    assert [token.text for token in tokens if token.extra] == case.get("also", [])
    assert [word.text for word in query_of(case["text"]).words] == case.get("query", case["words"])


def test_words_have_their_places():
    places = [(token.text, token.place) for token in index_tokens("Cross-Border VAT: 会議") if not token.extra]
    assert places == [("cross", 1), ("border", 2), ("vat", 3), ("会議", 4)]


@pytest.mark.parametrize(
    ("typed", "is_open"),
    [("vat fund", True), ("vat fund ", False), ("vat", True), ("", False), ("vat the", False), ("vat vat", True)],
)
def test_only_a_searched_last_word_may_be_incomplete(typed, is_open):
    assert query_of(typed).is_open is is_open


def test_a_query_is_shown_in_lower_case():
    assert query_of("The  Naïve  日本語 E-Mail").text == "the naïve 日本語 email"


def test_a_query_has_a_maximum_of_words():
    words = query_of(" ".join(f"w{number}" for number in range(100))).words
    assert len(words) == MAX_WORDS
    assert len(query_of("x" * 500).words[0].text) == WORD_LENGTH


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("  two\n words\t", "two words"), ("nul\0 bell\a", "nul bell"), ("x" * 300, "x" * 200), ("\u202eabc", "abc")],
)
def test_typed_text_becomes_one_clean_line(typed, shown):
    assert clean(typed) == shown
