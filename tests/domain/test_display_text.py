"""Amounts and days in the host's texts have the form that the browser gives them."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from domain import money
from domain.display_text import day_text, money_text, price_text

CASES = json.loads((Path(__file__).parents[2] / "contracts/cases/format.json").read_text())
ENGLISH = [case for case in CASES["money"] if case["locale"] in ("en-US", "en-GB")]


@pytest.mark.parametrize("case", ENGLISH, ids=[case["name"] for case in ENGLISH])
def test_money_is_written_as_in_the_browser(case):
    assert money_text(case["minor"], money.currency(case["currency"]), case["locale"]) == case["text"]


@pytest.mark.parametrize("case", CASES["price"], ids=[case["name"] for case in CASES["price"]])
def test_a_price_of_nothing_is_free(case):
    assert price_text(case["minor"], money.currency(case["currency"]), case["locale"]) == case["text"]


def test_a_locale_without_data_names_the_currency_by_its_code():
    assert money_text(129950, money.currency("EUR"), "de-DE") == "EUR\N{NO-BREAK SPACE}1,299.50"


@pytest.mark.parametrize("case", CASES["date"], ids=[case["name"] for case in CASES["date"]])
def test_a_day_is_written_as_in_the_browser(case):
    assert day_text(datetime.fromisoformat(case["iso"]), case["locale"]) == case["text"]
