"""Changes of progress give one result, in whatever order and however often they come."""

from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.learning.progress_merge import LessonState, ProgressChange, merged, within_clock
from tests.support.agreement_cases import cases
from tests.support.factories import NOON

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else EPOCH + timedelta(milliseconds=milliseconds)


def merge(changes) -> LessonState:
    return reduce(merged, changes, LessonState())


@pytest.mark.parametrize("case", cases("progress.json", "merges"))
def test_changes_are_merged_in_every_order(case):
    changes = [
        ProgressChange(1, time(change["at"]), change.get("done"), change.get("position")) for change in case["changes"]
    ]
    after = case["after"]
    expected = LessonState(
        after["done"], time(after["doneAt"]), after["position"], time(after["positionAt"]), after["furthest"]
    )
    assert {merge(order) for order in permutations(changes)} == {expected}
    assert merge([*changes, *changes]) == expected


CHANGES = st.builds(
    ProgressChange,
    st.just(1),
    st.integers(0, 5).map(time),
    st.none() | st.booleans(),
    st.none() | st.integers(0, 1000),
)


@given(st.lists(CHANGES, max_size=8), st.randoms(use_true_random=False))
def test_any_order_and_repetition_gives_one_result(changes, random):
    repeated = [*changes, *random.choices(changes, k=3)] if changes else []
    random.shuffle(repeated)
    assert merge(repeated) == merge(changes)


@pytest.mark.parametrize(
    ("at", "counts_as"),
    [
        (NOON, NOON),
        (NOON - timedelta(days=2), NOON - timedelta(days=2)),
        (NOON + timedelta(seconds=1), NOON),
        (NOON - timedelta(days=400), NOON - timedelta(days=400)),
    ],
)
def test_a_wrong_clock_cannot_win(at, counts_as):
    assert within_clock(ProgressChange(1, at), NOON).at == counts_as
