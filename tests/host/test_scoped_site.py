"""Words for whoever sees a part of the catalogue: whose it is."""

import pytest

from domain.catalogue.scope import ScopeSummary
from host.scoped_site import NOTHING, sentence

SENTENCES = {
    "courses": ((5, 0, "Harbour Trust"), "You see the 5 courses of Harbour Trust."),
    "one course": ((1, 0, "Harbour Trust"), "You see the one course of Harbour Trust."),
    "one book": ((0, 1, "Harbour Trust"), "You see the one material of Harbour Trust."),
    "both": ((1_200, 34, "Harbour Trust"), "You see the 1,234 courses and materials of Harbour Trust."),
    "two": ((2, 0, "Acme", "Harbour Trust"), "You see the 2 courses of Acme and Harbour Trust."),
    "three": ((2, 0, "Acme", "Best", "City"), "You see the 2 courses of Acme, Best and City."),
    "nothing published": ((0, 0, "Acme"), "Acme has no courses here at the moment."),
    "no contract": ((0, 0), NOTHING),
}


@pytest.mark.parametrize(("found", "text"), SENTENCES.values(), ids=SENTENCES)
def test_a_sentence_says_what_one_sees_and_whose_it_is(found, text):
    courses, items, *organisations = found
    assert sentence(ScopeSummary(courses, items, {}, tuple(organisations), ""), "en-US") == text
