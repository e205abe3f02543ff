"""The rate limits: each is declared with an owner, over the time that its name says, and something applies it."""

import re

import pytest

from config.limit_variables import RULES
from config.settings import ROOT

POLICIES = (ROOT / "host" / "rate_limits" / "policies.py").read_text("utf-8")


def test_every_limit_is_applied_and_only_those_that_exist():
    assert set(re.findall(r'"(\w+_per_\w+)"', POLICIES)) == set(RULES)
    assert len(RULES) == 43


@pytest.mark.parametrize(
    ("name", "owners", "window_s"),
    [
        ("visits_per_session_minute", ["s"], 60),
        ("coupons_per_hour", ["a", "l"], 3600),
        ("refunds_per_learner_day", ["l"], 86_400),
        ("sign_ins_per_name", ["n"], 300),
        ("staff_sign_ins_per_address", ["a"], 300),
        ("coupon_alarm_per_hour", [""], 3600),
    ],
)
def test_a_limit_has_the_owners_and_the_time_that_it_was_declared_with(name, owners, window_s):
    assert [(rule.setting, rule.owner, rule.window_s) for rule in RULES[name]] == [
        (name, owner, window_s) for owner in owners
    ]


def test_the_owner_in_a_name_is_the_one_that_is_counted():
    words = {"address": "a", "network": "w", "learner": "l", "session": "s", "order": "o"}
    named = {name: words[word] for name in RULES for word in words if f"_per_{word}" in name}
    assert {name: {rule.owner for rule in RULES[name]} for name in named} == {
        name: {owner} for name, owner in named.items()
    }
