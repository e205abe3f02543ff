"""Credits: whatever the history and the money, those of each model sum to the net amount of each line."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as any_of

from domain.attribution.cents import split_by_weights
from domain.attribution.credits import NOT_MEASURED, SELF, Credit, CreditedLine, credit_key, order_credits
from domain.attribution.paths import PathTouchpoint, order_path
from domain.attribution.weights import MODELS
from domain.visits.days.channels import NONE
from tests.domain.attribution.samples import path_of, touchpoint
from tests.support.examples import EXAMPLES
from tests.support.factories import NOON

MINUTES = 31 * 24 * 60


@pytest.mark.parametrize(
    ("amount", "weights", "parts"),
    [
        (0, (1, 1), (0, 0)),
        (1, (1, 1), (1, 0)),
        (100, (1, 1, 1), (34, 33, 33)),
        (101, (1, 1, 1), (34, 34, 33)),
        (100, (0, 1, 0, 1), (0, 50, 0, 50)),
        (10, (40, 20, 40), (4, 2, 4)),
        (99, (80, 20, 20, 80), (40, 10, 10, 39)),
        (1, (1, 2), (0, 1)),
        (10**18 + 1, (1, 1, 1), (333333333333333334, 333333333333333334, 333333333333333333)),
        (-100, (1, 1, 1), (-34, -33, -33)),
    ],
)
def test_an_amount_is_shared_to_the_cent_and_equal_remainders_go_to_the_earlier(amount, weights, parts):
    assert split_by_weights(amount, weights) == parts
    assert sum(parts) == amount


@pytest.mark.parametrize("weights", [(), (0, 0), (2, -1)])
def test_an_amount_without_a_weight_is_refused(weights):
    with pytest.raises(ValueError, match="cannot be shared by the weights"):
        split_by_weights(100, weights)


def test_an_order_has_credits_of_each_line_by_each_model():
    lines = [CreditedLine(7, 1000), CreditedLine(8, 1)]
    found = order_credits(path_of("search direct email"), lines, NOON)
    assert [credit for credit in found.credits if credit.model in ("first", "linear")] == [
        Credit("first", 7, 1, 1000),
        Credit("first", 8, 1, 1),
        Credit("linear", 7, 1, 500),
        Credit("linear", 7, 3, 500),
        Credit("linear", 8, 1, 1),
        Credit("linear", 8, 3, 0),
    ]
    assert {model: found.orders_milli[model] for model in ("last", "position")} == {
        "last": {3: 1000},
        "position": {1: 500, 3: 500},
    }


def test_an_order_that_nothing_led_to_has_one_credit_for_each_line_and_model():
    found = order_credits((), [CreditedLine(7, 4200)], NOON)
    assert found.credits == tuple(Credit(model, 7, 0, 4200) for model in MODELS)
    assert set(map(str, found.orders_milli.values())) == {"{0: 1000}"}
    assert credit_key("channel", 0, ()) == NOT_MEASURED


def test_a_free_order_counts_as_an_order():
    found = order_credits(path_of("search social email"), [CreditedLine(7, 0)], NOON)
    assert sum(credit.amount_minor for credit in found.credits) == 0
    assert found.orders_milli["linear"] == {1: 334, 2: 333, 3: 333}


@pytest.mark.parametrize(
    ("dimension", "key"),
    [("channel", "direct"), ("source", NONE), ("coupon", "spring"), ("student", "ada-1"), ("partner", NONE)],
)
def test_a_credit_counts_under_what_its_touchpoint_says(dimension, key):
    path = (touchpoint("a", NOON, "direct", coupon="spring", student="ada-1"),)
    assert credit_key(dimension, 1, path) == key


def test_the_number_of_the_buyer_is_no_referral():
    own = replace(touchpoint("a", NOON, "student", student="ada-1"), is_own=True)
    path = (own, touchpoint("b", NOON, "search"), touchpoint("c", NOON, "student", student="ada-1"))
    assert [credit_key("student", place, path) for place in (1, 2, 3)] == [SELF, NONE, "ada-1"]
    assert credit_key("channel", 1, path) == "student"


VALUES = any_of.sampled_from(["", "x-1", "x-2"])
TOUCHPOINTS = any_of.builds(
    lambda number, minutes, channel, **values: PathTouchpoint(
        f"{number:02}",
        NOON - timedelta(minutes=minutes),
        channel,
        is_direct=channel == "direct",
        **values,
    ),
    any_of.integers(0, 99),
    # Some equal, some of after the order, some too early.
    any_of.one_of(any_of.sampled_from([0, 60, 1440]), any_of.integers(-10, MINUTES)),
    any_of.sampled_from(["direct", "search", "email", "partner"]),
    coupon=VALUES,
    student=VALUES,
)
# Without tax, less what went back of it: nothing for free lines and those that are back, and where rounding gave more
# back than was paid, a little less than nothing.
NETS = any_of.one_of(any_of.sampled_from([0, 1, -1]), any_of.integers(0, 10**12))
HISTORIES = any_of.lists(TOUCHPOINTS, max_size=30)
LINES = any_of.lists(NETS, min_size=1, max_size=6).map(
    lambda nets: [CreditedLine(number, net) for number, net in enumerate(nets, 1)]
)


def sums_of(found):
    """(model, line) -> sum."""
    sums = Counter()
    for credit in found:
        sums[credit.model, credit.line_id] += credit.amount_minor
    return sums


@settings(max_examples=EXAMPLES)
@given(HISTORIES, LINES, any_of.randoms(use_true_random=False))
def test_five_sums_are_the_net_amount_whatever_the_history(history, lines, randoms):
    path = order_path(history, NOON)
    found = order_credits(path, lines, NOON)
    assert sums_of(found.credits) == {(model, line.line_id): line.net_minor for model in MODELS for line in lines}
    assert {sum(shares.values()) for shares in found.orders_milli.values()} == {1000}
    assert all(shares.keys() <= set(range(1, len(path) + 1)) or not path for shares in found.orders_milli.values())
    shuffled, turned = list(history), list(lines)
    randoms.shuffle(shuffled)
    randoms.shuffle(turned)
    if len({one.event_id for one in history}) == len(history):
        assert order_credits(order_path(shuffled, NOON), turned, NOON) == found
    assert order_credits(path, lines, NOON) == found


@settings(max_examples=EXAMPLES)
@given(any_of.integers(0, 10**12), any_of.lists(any_of.integers(0, 2**20), min_size=1, max_size=30).filter(any))
def test_no_part_is_a_cent_away_from_its_share(amount, weights):
    parts, total = split_by_weights(amount, weights), sum(weights)
    assert all(abs(part * total - amount * weight) < total for part, weight in zip(parts, weights, strict=True))
    assert all(part == 0 for part, weight in zip(parts, weights, strict=True) if not weight)


def split_in_floats(amount, weights):
    """The method of `split_by_weights` as it is written where nobody thinks of the cents."""
    total = float(sum(weights))
    exact = [amount * (weight / total) for weight in weights]
    parts = [int(share) for share in exact]
    by_remainder = sorted(range(len(weights)), key=lambda index: (parts[index] - exact[index], index))
    for index in by_remainder[: amount - sum(parts)]:
        parts[index] += 1
    return tuple(parts)


@pytest.mark.parametrize(
    ("amount", "weights", "is_wrong_sum"),
    [
        (10**17 + 1, (1, 1, 1), True),
        (6, (120, 20, 20, 20, 120), False),
    ],
    ids=["the sum", "who gets the cent"],
)
def test_in_floats_it_fails(amount, weights, is_wrong_sum):
    wrong = split_in_floats(amount, weights)
    assert wrong != split_by_weights(amount, weights)
    assert (sum(wrong) != amount) is is_wrong_sum
