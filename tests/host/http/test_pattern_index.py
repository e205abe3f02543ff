"""The index of regular expressions leaves out only what cannot fit."""

import random
import re
import sys

import crawleruseragents
import pytest
from ua_parser import load_lazy_builtins

from host.http import user_agents
from host.http.pattern_index import PatternIndex, numbers_of, small_letters
from tests.support.agreement_cases import cases

FORMS = 300
OTHER_LETTERS = "\u0130\u0131\u017f\u212a\u0660é"


def fitting(patterns: list[str], text: str) -> list[int]:
    return list(numbers_of(PatternIndex(patterns).may_fit(text)))


@pytest.mark.parametrize(
    ("pattern", "text", "may_fit"),
    [
        ("Googlebot", "mygooglebots", True),
        ("Googlebot", "Google bot", False),
        ("Googlebot-Image", "googlebot x", True),
        ("[Bb]ot/", "Bot/2", True),
        ("[Bbc]ot/", "xyz", False),
        ("(?:foo|bar)+baz", "foobaz", True),
        ("(?:foo|bar)", "baz", False),
        ("(?:foo|)", "baz", True),
        ("(?:foo){0,2}", "baz", True),
        ("(?:foo){1,2}?x", "baz", False),
        ("fo(?:ob)ar", "foobar", True),
        ("fo(?!x)bar", "fobar", True),
        ("Y!J", "anything", True),
        ("(?i)spider", "\u017fpider", True),
        ("(?i)Kindle", "\u212a\u0130ndle", True),
        ("(?P<name>foo)bar", "foobaz", False),
        ("foo(?#bar)?", "fo", True),
        ("foo(?i:bar)", "anything", True),
        (r"\x41bc", "abc", True),
        (r"foo\-bar\.", "foo-bar.", True),
        (r"foo\dbar", "bar1", False),
        ("fo{0}bar", "fbar", True),
        ("(?:foo){,2}", "baz", True),
        ("a{b}cd", "a{b}cd", True),
        ("[]a]foo[^a-c]", "]food", True),
    ],
)
def test_an_expression_may_fit_where_the_words_are_that_it_needs(pattern, text, may_fit):
    assert fitting([pattern], text) == ([0] if may_fit else [])


def test_a_word_that_most_texts_have_is_not_the_one_that_is_looked_for():
    index = PatternIndex(["Mozilla.{1,200}Flipboard"], usual="Mozilla/5.0")
    assert (index.may_fit("Mozilla/5.0"), index.may_fit("Flipboard")) == (0, 1)


def test_every_letter_that_an_expression_takes_for_one_of_ascii_is_written_as_that():
    anything = re.compile("[a-z]", re.IGNORECASE)
    others = [chr(code) for code in range(128, sys.maxunicode + 1) if anything.match(chr(code))]
    assert [(letter, small_letters(letter)) for letter in others] == [
        ("\u0130", "i"),
        ("\u0131", "i"),
        ("\u017f", "s"),
        ("\u212a", "k"),
    ]


def known_agents() -> list[str]:
    rows = crawleruseragents.CRAWLER_USER_AGENTS_DATA
    own = [
        case.values[0]["agent"]
        for name in ("people", "crawlers", "programs")
        for case in cases("user_agents.json", name)
    ]
    return [*own, *(agent for row in rows for agent in row["instances"])]


def changed(agent: str, agents: list[str], chance: random.Random) -> str:
    """An agent with a part of another one in it, and now and then in other letters."""
    other, at = chance.choice(agents), chance.randrange(len(agent) + 1)
    start = chance.randrange(len(other) + 1)
    text = agent[:at] + other[start : start + chance.randrange(60)] + agent[at + chance.randrange(20) :]
    if chance.random() < 0.1:
        text = text.replace(chance.choice("iIsSkK"), chance.choice(OTHER_LETTERS))
    return text.swapcase() if chance.random() < 0.1 else text


def test_what_is_left_out_of_the_expressions_about_agents_fits_no_changed_agent():
    chance, agents = random.Random(5), known_agents()
    lists = [row["pattern"] for row in crawleruseragents.CRAWLER_USER_AGENTS_DATA]
    expressions = [*lists, *(matcher.regex for matcher in load_lazy_builtins()[0])]
    index, compiled = PatternIndex(expressions, user_agents._USUAL), [re.compile(one) for one in expressions]
    tried = 0
    for _ in range(FORMS):
        text = changed(chance.choice(agents), agents, chance)
        found = set(numbers_of(index.may_fit(text)))
        tried += len(found)
        missed = [one.pattern for number, one in enumerate(compiled) if number not in found and one.search(text)]
        assert missed == [], text
    # An index that leaves out nothing would be idle.
    assert tried < FORMS * len(expressions) * 0.03


def test_an_expression_whose_parts_are_looked_for_first_fits_nothing_without_one_of_them():
    chance, agents = random.Random(6), known_agents()
    for _ in range(FORMS * 10):
        text = changed(chance.choice(agents), agents, chance)
        assert user_agents._DEVICE.search(text) is None or user_agents._may_have(text, user_agents._DEVICE_PARTS)
        assert user_agents._DECLARED.search(text) is None or user_agents._may_have(text, user_agents._DECLARED_PARTS)
