"""The rate limits: the name of each says whose requests it counts and over what time, and something applies it."""

import re

import pytest

from config.limit_variables import RULES
from config.settings import ROOT


def test_every_limit_is_applied_and_only_those_that_exist():
    host = "".join(path.read_text("utf-8") for path in (ROOT / "host").rglob("*.py"))
    assert set(re.findall(r'"(\w+_per_\w+)"', host)) == set(RULES)


@pytest.mark.parametrize(
    ("name", "owners", "window_s"),
    [
        ("visits_per_session_minute", ["s"], 60),
        ("crawls_per_network_minute", ["w"], 60),
        ("status_per_order_minute", ["o"], 60),
        ("suggestions_per_address_minute", ["a"], 60),
        ("learning_codes_per_minute", ["l"], 60),
        ("coupons_per_hour", ["a", "l"], 3600),
        ("refunds_per_learner_day", ["l"], 86_400),
        ("sign_ins_per_name", ["n"], 300),
        ("staff_sign_ins_per_address", ["a"], 300),
        ("coupon_alarm_per_hour", [""], 3600),
    ],
)
def test_a_limit_has_the_owners_and_the_time_of_its_name_or_declaration(name, owners, window_s):
    assert [(rule.setting, rule.owner, rule.window_s) for rule in RULES[name]] == [
        (name, owner, window_s) for owner in owners
    ]
