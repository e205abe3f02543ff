"""Weights by five models, as exact integers."""

from datetime import timedelta

import pytest

from domain.attribution.weights import MODELS, path_weights
from tests.domain.attribution.samples import path_of, touchpoint
from tests.support.factories import NOON

WEEK = timedelta(days=7)
CASES = [
    ("first", "search", (1,)),
    ("first", "search email direct", (1, 0, 0)),
    ("first", "direct search email", (0, 1, 0)),
    ("first", "direct direct", (1, 0)),
    ("last", "search", (1,)),
    ("last", "search email direct", (0, 1, 0)),
    ("last", "search email direct student", (0, 0, 0, 1)),
    ("last", "direct direct", (0, 1)),
    ("linear", "search", (1,)),
    ("linear", "search direct email direct", (1, 0, 1, 0)),
    ("linear", "direct direct direct", (1, 1, 1)),
    ("position", "search", (1,)),
    ("position", "search email", (1, 1)),
    ("position", "search direct email", (1, 0, 1)),
    ("position", "search social email", (40, 20, 40)),
    ("position", "search social paid email", (80, 20, 20, 80)),
    ("position", "direct search social paid partner email direct", (0, 120, 20, 20, 20, 120, 0)),
    ("decay", "search", (2**20,)),
    ("decay", "search email", (2**19, 2**20)),
    ("decay", "search direct email social direct", (2**16, 0, 2**18, 2**19, 0)),
    ("decay", "direct direct", (2**19, 2**20)),
]


@pytest.mark.parametrize(("model", "channels", "weights"), CASES)
def test_weights_are_exact(model, channels, weights):
    assert path_weights(model, path_of(channels, WEEK), NOON) == weights


def test_every_model_is_in_the_table():
    assert {case[0] for case in CASES} == set(MODELS) == {"first", "last", "linear", "decay", "position"}


@pytest.mark.parametrize(
    ("before", "half_life", "weight"),
    [
        (timedelta(minutes=59, seconds=59), 168, 1_048_576),
        (timedelta(hours=1), 168, 1_044_259),
        (timedelta(hours=1, minutes=59), 168, 1_044_259),
        (timedelta(hours=24), 168, 949_720),
        (timedelta(hours=100), 168, 694_089),
        (timedelta(days=30), 168, 53_761),
        (timedelta(hours=1), 3, 832_255),
        (timedelta(hours=60), 3, 1),
        (timedelta(hours=90), 3, 1),
    ],
)
def test_decay_counts_whole_hours(before, half_life, weight):
    path = (touchpoint("a", NOON - before),)
    assert path_weights("decay", path, NOON, half_life) == (weight,)


@pytest.mark.parametrize("hours", [*range(0, 60, 7), 100, 167, 168, 169, 336, 719, 720])
def test_decay_is_the_nearest_integer_by_whole_numbers_alone(hours):
    """A weight w is within 1/2 of 2^20 x 2^(-hours / 168), so (2w - 1)^168 and (2w + 1)^168 are on its two sides."""
    (weight,) = path_weights("decay", (touchpoint("a", NOON - timedelta(hours=hours)),), NOON)
    assert (2 * weight - 1) ** 168 <= 2 ** (21 * 168 - hours) <= (2 * weight + 1) ** 168


def test_a_path_of_many_half_lives_still_has_weights():
    path = path_of("search email", timedelta(days=20))
    assert path_weights("decay", path, NOON + timedelta(days=20), 1) == (1, 1)


@pytest.mark.parametrize("model", MODELS)
def test_an_empty_path_has_no_weights(model):
    assert path_weights(model, (), NOON) == ()
