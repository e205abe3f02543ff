"""What people may type into the demo shop's search box, and the first hits they get: the same on both databases.

The cases are tests/agreements/search-answers.json; bench/search_answers.py asks them of 100,000 courses.
"""

import json
from pathlib import Path

import pytest

from tests.domain.searching import find, names

AGREEMENT = json.loads((Path(__file__).parent.parent / "agreements" / "search-answers.json").read_text("utf-8"))
CASES = AGREEMENT["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["typed"] for case in CASES])
def test_a_query_finds_what_it_should(demo, case):
    found = find(demo, case["typed"])
    assert (found.answer, names(found)[: len(case["first"])]) == (case["answer"], case["first"])
    assert case.get("total") in (None, found.total)
    assert case.get("understood") in (None, found.understood)
    assert tuple(case.get("unknown", found.unknown)) == found.unknown


@pytest.mark.parametrize("typed", [case["typed"] for case in CASES if case["answer"] == "corrected"])
def test_a_mended_query_can_be_had_as_it_was_typed(demo, typed):
    assert find(demo, typed, as_typed=True).answer != "corrected"


@pytest.mark.parametrize("typed", [case["typed"] for case in CASES if case["answer"] == "none"])
def test_nothing_is_found_and_nothing_breaks(demo, typed):
    found = find(demo, typed)
    assert (found.everything, list(found.rows)) == (0, [])


@pytest.mark.parametrize("typed", ["distance selling one stop shop", "desk security kit", "data quality ownership"])
def test_what_is_not_published_is_not_found(demo, typed):
    assert find(demo, typed).answer == "partial"
