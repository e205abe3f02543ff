"""A learner is found by what they say of themselves, and nobody can browse."""

import pytest

from domain.identity.names import has_enough_letters
from domain.support.learners.finding import MAX_HITS, find
from domain.tables import Learner
from domain.tables.areas.person_keys import name_key
from tests.support import factories


@pytest.fixture
def people(session):
    for number, (name, email) in enumerate(
        [
            ("Zoë O'Neil-Brandt", "Zoe@Example.test"),
            ("Ada Lovelace", "ada@example.test"),
            ("Adalbert Stifter", "stifter@example.test"),
        ]
    ):
        factories.learner(session, name=name, email=email, student_number=f"s-test-{number}")
    return session


CASES = {
    "a whole address, in either case": ("zoe@example.TEST ", ["Zoë O'Neil-Brandt"]),
    "a part of an address": ("example.test", []),
    "a student number": (" S-TEST-1", ["Ada Lovelace"]),
    "the beginning of a first name": ("ada", ["Ada Lovelace", "Adalbert Stifter"]),
    "the beginning of a later word, without accents": ("bran", ["Zoë O'Neil-Brandt"]),
    "an accent that the name has": ("zoë", ["Zoë O'Neil-Brandt"]),
    "words in any order": ("lovelace ada", ["Ada Lovelace"]),
    "two letters": ("ad", []),
    "the middle of a word": ("lace", []),
    "a sign of LIKE": ("ad%", []),
    "nothing": ("  ", []),
}


@pytest.mark.each_database
@pytest.mark.parametrize("case", CASES)
def test_what_a_text_finds(people, case):
    text, names = CASES[case]
    assert [hit.name for hit in find(people, text)[0]] == names


def test_more_than_twenty_hits_are_cut_and_said(people):
    for number in range(MAX_HITS + 1):
        factories.learner(people, name=f"Grace {number}", email=f"g{number}@example.test")
    hits, is_more = find(people, "grace")
    assert (len(hits), is_more) == (MAX_HITS, True)


def test_the_keys_follow_the_name_and_the_address(people):
    learner = people.query(Learner).filter_by(name="Ada Lovelace").one()
    learner.name, learner.email = "Augusta King", "King@Example.test"
    people.flush()
    assert (learner.name_key, learner.email_key) == ("augusta king", "king@example.test")
    assert [hit.id for hit in find(people, "king@example.test")[0]] == [learner.id]
    assert find(people, "lovelace") == ([], False)


def test_letters_are_counted_by_word():
    assert [has_enough_letters(text) for text in ("a b c", "ab.", "abc")] == [False, False, True]
    assert name_key(" Łuk  O'Neil ") == "łuk o neil"
