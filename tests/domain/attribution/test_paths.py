"""The path to an order."""

from datetime import timedelta

import pytest

from domain.attribution.paths import order_path
from tests.domain.attribution.samples import touchpoint
from tests.support.factories import NOON

TICK = timedelta(microseconds=1)
WINDOW = timedelta(days=30)


def names(path):
    return [one.event_id for one in path]


@pytest.mark.parametrize(
    ("at", "is_in"),
    [
        (NOON - WINDOW, False),
        (NOON - WINDOW + TICK, True),
        (NOON, True),
        (NOON + TICK, False),
    ],
    ids=["at its begin", "just after its begin", "in the moment of the order", "after the order"],
)
def test_the_window_ends_with_the_order_and_begins_after_its_first_moment(at, is_in):
    assert bool(order_path([touchpoint("a", at)], NOON)) is is_in


def test_touchpoints_come_by_their_times_and_of_one_moment_by_their_ids():
    earlier, later = NOON - 2 * TICK, NOON - TICK
    seen = [touchpoint("c", later), touchpoint("b", later), touchpoint("z", earlier)]
    assert names(order_path(seen, NOON)) == names(order_path(reversed(seen), NOON)) == ["z", "b", "c"]


def test_another_window_has_other_touchpoints():
    seen = [touchpoint(f"{days}", NOON - timedelta(days=days)) for days in (1, 6, 8, 40)]
    assert names(order_path(seen, NOON, timedelta(days=7))) == ["6", "1"]
    assert names(order_path(seen, NOON, timedelta(days=90))) == ["40", "8", "6", "1"]


@pytest.mark.parametrize(("number", "left_out"), [(50, []), (51, [1]), (53, [1, 2, 3])])
def test_a_long_path_is_its_first_touchpoint_and_the_last_49(number, left_out):
    seen = [touchpoint(f"{place:03}", NOON - TICK * (number - place)) for place in range(number)]
    assert names(order_path(seen, NOON)) == [f"{place:03}" for place in range(number) if place not in left_out]


def test_nobody_has_a_path_without_touchpoints():
    assert order_path([], NOON) == ()


@pytest.mark.parametrize(
    ("about", "is_plain"),
    [
        ({"channel": "direct"}, True),
        ({"channel": "direct", "campaign": "- / - / -"}, True),
        ({"channel": "direct", "coupon": "spring"}, False),
        ({"channel": "direct", "special": "may"}, False),
        ({"channel": "direct", "student": "ada-1"}, False),
        ({"channel": "direct", "partner": "acme"}, False),
        ({"channel": "search"}, False),
    ],
)
def test_a_touchpoint_is_plain_that_is_direct_and_without_attribution_values(about, is_plain):
    assert touchpoint("a", NOON, **about).is_plain is is_plain
