"""The table of rate limits: each row reads a setting that exists, over the time that the setting's name says."""

from dataclasses import fields

import pytest

from config.rate_limits import DAY, HOUR, MINUTE, RULES, SIGN_IN_S, LimitRule
from config.settings import Settings

WINDOWS = {"minute": MINUTE, "hour": HOUR, "day": DAY, "name": SIGN_IN_S, "address": SIGN_IN_S}


def test_every_limit_of_the_settings_is_in_the_table():
    limits = {field.name for field in fields(Settings) if "_per_" in field.name}
    assert {rule.setting for rule in RULES} == limits, "a setting named …_per_… needs a rule in RULES, and only such"
    assert len({rule.setting for rule in RULES}) == 42


def test_no_two_limits_share_a_counter():
    assert len({(rule.name, rule.owner) for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.setting}-{rule.owner}")
def test_the_window_is_the_one_in_the_name_of_the_setting(rule: LimitRule):
    assert WINDOWS[rule.setting.rpartition("_")[2]] == rule.window_s
