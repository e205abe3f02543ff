"""Codes that people paste: invisible signs and letters of full width do not matter."""

import json
from datetime import UTC, datetime

import pytest

from config.settings import ROOT
from domain.coupons import queries as coupon_queries
from domain.coupons.queries import normalised
from domain.typed_codes import plain_code
from tests.support import factories

CASES = json.loads((ROOT / "contracts/cases/codes.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_pasted_code_is_the_one_that_was_written(case):
    assert plain_code(case["text"]) == case["plain"]


def test_a_coupon_is_found_by_its_code_however_it_was_pasted(session):
    factories.coupon(session, "ZW10")
    at = datetime.now(UTC)
    pasted = [case["text"] for case in CASES if normalised(case["text"]) == "zw10"]
    assert len(pasted) > 10
    assert all(coupon_queries.by_code(session, text, at) is not None for text in pasted)
    assert coupon_queries.by_code(session, "\u200b", at) is None
