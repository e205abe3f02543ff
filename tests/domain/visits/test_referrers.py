"""Referrers of visits: the cases that the browser reads too, those of the host alone, and what privacy leaves."""

import json

import pytest

from config.settings import ROOT
from domain.visits.referrers import PATH_LENGTH, cut_referrer, referrer_host
from domain.visits.visits import REFERRER_LENGTH

SHOP = "https://shop.example"
CASES = json.loads((ROOT / "contracts" / "cases" / "referrers.json").read_bytes())


def name_of(case: dict[str, str]) -> str:
    return case["name"]


@pytest.mark.parametrize("case", [*CASES["both"], *CASES["host"]], ids=name_of)
def test_of_a_referrer_only_scheme_host_and_path_are_kept(case):
    assert cut_referrer(case["referrer"], SHOP) == case["kept"]


@pytest.mark.parametrize("case", [case for cases in ("both", "browser", "host") for case in CASES[cases]], ids=name_of)
def test_a_referrer_that_was_cut_stays_as_it_is(case):
    assert cut_referrer(case["kept"], SHOP) == case["kept"]


@pytest.mark.parametrize(
    ("referrer", "host"),
    [
        ("https://Search.example:8443/find?q=ada", "search.example"),
        ("android-app://com.example.mail/", "com.example.mail"),
        ("https://shop.example/about", ""),
        ("https://ada@news.example/", ""),
        ("", ""),
    ],
)
def test_with_a_privacy_signal_the_host_alone_is_kept(referrer, host):
    assert referrer_host(referrer, SHOP) == host


def test_the_longest_referrer_fits_the_column():
    longest = cut_referrer(f"android-app://{'a' * 253}:65535/{'x' * 5000}", SHOP)
    assert len(longest) == len("android-app://") + 253 + len(":65535") + PATH_LENGTH <= REFERRER_LENGTH


def test_a_host_name_that_no_browser_sends_is_refused_in_time_that_does_not_grow_with_its_length():
    assert cut_referrer("https://" + "a" * 100_000, SHOP) == ""
    assert cut_referrer("https://" + "[" * 100_000, SHOP) == ""
