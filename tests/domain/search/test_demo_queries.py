"""What people may type into the search box of the demo shop, and the first hits they get: the same on both databases.
The nightly run asks MariaDB.

The cases are contracts/cases/search-answers.json; bench/search/answers.py asks them of 100,000 courses.
"""

import json

import pytest

from config.settings import ROOT
from tests.domain.search.demo_shop import find, names

AGREEMENT = json.loads((ROOT / "contracts" / "cases" / "search-answers.json").read_text("utf-8"))
CASES = AGREEMENT["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["typed"] for case in CASES])
def test_a_query_finds_what_it_should(demo, case):
    compare(demo, case)


@pytest.mark.soak
@pytest.mark.mariadb
@pytest.mark.parametrize("demo_database", ["mariadb"], indirect=True)
def test_every_query_finds_on_mariadb_what_it_should(demo):
    for case in CASES:
        compare(demo, case)


def compare(demo, case):
    result = find(demo, case["typed"])
    assert (result.answer, names(result)[: len(case["first"])]) == (case["answer"], case["first"])
    assert case.get("total") in (None, result.total)
    assert case.get("normalisedQuery") in (None, result.normalised_query)
    assert tuple(case.get("unknown", result.unknown)) == result.unknown


@pytest.mark.parametrize("typed", [case["typed"] for case in CASES if case["answer"] == "corrected"])
def test_a_corrected_query_can_be_searched_as_it_was_typed(demo, typed):
    assert find(demo, typed, as_typed=True).answer != "corrected"


@pytest.mark.parametrize("typed", [case["typed"] for case in CASES if case["answer"] == "none"])
def test_nothing_is_found_and_nothing_breaks(demo, typed):
    result = find(demo, typed)
    assert (result.everything, list(result.rows)) == (0, [])


@pytest.mark.parametrize("typed", ["distance selling one stop shop", "desk security kit", "data quality ownership"])
def test_unpublished_products_are_not_found(demo, typed):
    assert find(demo, typed).answer == "partial"
