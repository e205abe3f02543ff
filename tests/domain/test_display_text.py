"""Amounts and days in the host's texts have the form that the browser gives them."""

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from domain import money
from domain.display_text import day_text, minutes_text, money_text, percent_text, price_text, size_text

CASES = json.loads((Path(__file__).parents[2] / "contracts/cases/format.json").read_text())
EUR, NBSP = money.currency("EUR"), "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize("case", CASES["money"], ids=[case["name"] for case in CASES["money"]])
def test_money_is_written_as_in_the_browser(case):
    assert money_text(case["minor"], money.currency(case["currency"]), case["locale"]) == case["text"]


@pytest.mark.parametrize("case", CASES["price"], ids=[case["name"] for case in CASES["price"]])
def test_a_price_of_nothing_is_free(case):
    assert price_text(case["minor"], money.currency(case["currency"]), case["locale"]) == case["text"]


@pytest.mark.parametrize(
    ("locale", "amount", "day"),
    [("de", f"1.299,50{NBSP}€", "4. März 2026")]
    + [(unknown, "€1,299.50", "March 4, 2026") for unknown in ("en", "x", "qq-QQ", "en-US-x-shop")],
)
def test_a_language_alone_has_its_form_and_an_unknown_one_the_american(locale, amount, day):
    assert (money_text(129950, EUR, locale), day_text(date(2026, 3, 4), locale)) == (amount, day)


@pytest.mark.parametrize("case", CASES["percent"], ids=[case["name"] for case in CASES["percent"]])
def test_a_percentage_is_written_as_in_the_browser(case):
    assert percent_text(Decimal(case["percent"]), case["locale"]) == case["text"]


@pytest.mark.parametrize("case", CASES["size"], ids=[case["name"] for case in CASES["size"]])
def test_the_size_of_a_file_is_written_as_in_the_browser(case):
    assert size_text(case["bytes"], "en-US") == case["text"]


@pytest.mark.parametrize("case", CASES["duration"], ids=[case["name"] for case in CASES["duration"]])
def test_a_duration_is_written_as_in_the_browser(case):
    assert minutes_text(case["minutes"], "en-US") == case["text"]


@pytest.mark.parametrize("case", CASES["date"], ids=[case["name"] for case in CASES["date"]])
def test_a_day_is_written_as_in_the_browser(case):
    assert day_text(datetime.fromisoformat(case["iso"]), case["locale"]) == case["text"]
