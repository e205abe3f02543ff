"""Texts of many locales: the host writes what Intl does, and what pages write (components/format/locales.test.ts)."""

import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from domain import money
from domain.display_text import (
    amount_text,
    clock_text,
    count_text,
    day_text,
    decimal_text,
    minutes_text,
    moment_text,
    money_text,
    percent_text,
)
from domain.local_numbers import decimal_sign, plain_number
from domain.locales import UnknownLocale, canonical_tag, row, set_shop_locale

CASES = Path(__file__).parents[2] / "contracts" / "cases"
TABLE = json.loads((CASES / "locales.json").read_text("utf-8"))
TYPED = json.loads((CASES / "typed-numbers.json").read_text("utf-8"))["cases"]
TIMES = [datetime.fromisoformat(time) for time in TABLE["times"]]


def bare(text: str) -> str:
    """Without the signs that keep a text together in a sentence of another direction."""
    return text.strip("\u2068\u2069")


@pytest.mark.parametrize("case", TABLE["rows"], ids=[case["locale"] for case in TABLE["rows"]])
def test_host_and_workers_write_what_intl_does(case):
    locale = case["locale"]
    written = [
        [bare(money_text(minor, money.currency(row["currency"]), locale)) for minor in TABLE["minor"]]
        for row in case["money"]
    ]
    assert written == [row["texts"] for row in case["money"]]
    assert [amount_text(minor, money.currency("USD"), locale) for minor in TABLE["minor"]] == case["amounts"]
    assert [bare(count_text(value, locale)) for value in TABLE["counts"]] == case["counts"]
    assert [bare(percent_text(Decimal(text), locale)) for text in TABLE["percents"]] == case["percents"]
    assert [bare(decimal_text(value, 1, locale)) for value in (4.6, 5)] == case["ratings"]
    assert [bare(day_text(time, locale)) for time in TIMES] == case["days"]
    assert [bare(clock_text(time, locale)) for time in TIMES] == case["clocks"]
    assert [bare(moment_text(time, locale)) for time in TIMES] == [f"{text} UTC" for text in case["moments"]]
    assert [bare(minutes_text(minutes, locale)) for minutes in TABLE["minutes"]] == case["durations"]


@pytest.mark.parametrize("case", TABLE["rows"], ids=[case["locale"] for case in TABLE["rows"]])
def test_an_amount_is_read_as_it_was_written(case):
    plain = [f"{Decimal(minor) / 100:.2f}" for minor in TABLE["minor"] if minor >= 0]
    texts = [text for text, minor in zip(case["amounts"], TABLE["minor"], strict=True) if minor >= 0]
    assert [plain_number(text, case["locale"]) for text in texts] == plain


def test_texts_without_a_locale_are_in_that_of_the_process():
    before = set_shop_locale("de-DE")
    try:
        assert (count_text(12345), percent_text(12.5)) == ("12.345", "12,5\N{NO-BREAK SPACE}%")
        assert day_text(TIMES[1]) == "4. März 2026"
    finally:
        set_shop_locale(before)
    assert count_text(12345) == "12,345"


@pytest.mark.parametrize("case", TYPED, ids=[f"{case['text']} in {case['locale']}" for case in TYPED])
def test_a_typed_number_is_read_as_in_the_browser(case):
    assert plain_number(case["text"], case["locale"]) == case["plain"]


@pytest.mark.parametrize(
    ("tag", "canonical"),
    [
        ("en-US", "en-US"),
        ("no-NO", "nb-NO"),
        ("no", "nb"),
        ("iw-IL", "he-IL"),
        ("sh-RS", "sr-Latn-RS"),
        ("de-ch", "de-CH"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        # A language and a country that Unicode CLDR does not know together.
        ("de-US", "de-US"),
    ],
)
def test_a_tag_has_one_form(tag, canonical):
    assert canonical_tag(tag) == canonical


@pytest.mark.parametrize(
    "tag", ["", "x", "qq", "qq-QQ", "en-UK", "en-Qaaa", "en_US", "en-US-x-shop", "ar-EG-u-nu-latn"]
)
def test_a_tag_without_data_is_refused_with_examples(tag):
    with pytest.raises(UnknownLocale, match="such as en-US, de-CH or ar-EG"):
        canonical_tag(tag)


@pytest.mark.parametrize(("tag", "other"), [("no-NO", "nb-NO"), ("de-US", "de"), ("qq-QQ", "en-US")])
def test_locales_with_the_same_row(tag, other):
    assert row(tag) == row(other)


@pytest.mark.parametrize(
    ("locale", "mark"),
    [
        ("en-US", "."),
        ("de-DE", ","),
        ("de-CH", "."),
        ("fr-CH", ","),
        ("es-CU", "."),
        ("en-SE", ","),
        ("ar-EG", "\N{ARABIC DECIMAL SEPARATOR}"),
    ],
)
def test_each_locale_has_its_decimal_sign(locale, mark):
    assert decimal_sign(locale) == mark
