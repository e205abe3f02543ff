"""The tokenizer, held by tests/agreements/search-tokens.json, and what a query keeps of what was typed."""

import json
from pathlib import Path

import pytest

from domain.search.tokens import MOST_WORDS, cleaned, index_tokens, query_of
from domain.tables.search import WORD_LENGTH

AGREEMENT = json.loads((Path(__file__).parent.parent / "agreements" / "search-tokens.json").read_text("utf-8"))


@pytest.mark.parametrize("case", AGREEMENT["cases"], ids=lambda case: case["text"] or "nothing")
def test_a_text_has_these_words(case):
    tokens = index_tokens(case["text"])
    assert [token.text for token in tokens if not token.extra] == case["words"]
    assert [token.text for token in tokens if token.extra] == case.get("also", [])
    assert [word.text for word in query_of(case["text"]).words] == case.get("query", case["words"])


def test_words_know_their_places():
    places = [(token.text, token.place) for token in index_tokens("Cross-Border VAT: 会議") if not token.extra]
    assert places == [("cross", 1), ("border", 2), ("vat", 3), ("会議", 4)]


@pytest.mark.parametrize(
    ("typed", "is_open"),
    [("vat fund", True), ("vat fund ", False), ("vat", True), ("", False), ("vat the", False), ("vat vat", True)],
)
def test_only_a_last_word_that_counts_may_go_on(typed, is_open):
    assert query_of(typed).open is is_open


def test_a_query_is_shown_as_it_was_written_in_small_letters():
    assert query_of("The  Naïve  日本語 E-Mail").text == "the naïve 日本語 email"


def test_a_query_has_an_end():
    words = query_of(" ".join(f"w{number}" for number in range(100))).words
    assert len(words) == MOST_WORDS
    assert len(query_of("x" * 500).words[0].text) == WORD_LENGTH


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("  two\n words\t", "two words"), ("nul\0 bell\a", "nul bell"), ("x" * 300, "x" * 200), ("\u202eabc", "abc")],
)
def test_what_was_typed_becomes_one_clean_line(typed, shown):
    assert cleaned(typed) == shown
