"""Whoever saw every table and knows who belonged when finds two histories for each person: tried for all of them."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from domain.reports.k_anonymity import at_least, is_large_enough, rounded_mean

MONTHS, DAILY_PEOPLE, K = 3, 10, 3
# How many belong from month 1, 2 and 3 on. A history of such a group: how many of it complete in each month from then
# on, and how many never; its members are alike otherwise.
Joined = tuple[int, int, int]
History = tuple[tuple[int, ...], ...]
Publish = Callable[[int, int, int, int], object]


def splits(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for rest in splits(number - first, parts - 1):
            yield (first, *rest)


def histories(joined: Joined) -> Iterator[History]:
    return product(*(list(splits(size, MONTHS + 1 - month)) for month, size in enumerate(joined)))


def tables(joined: Joined, history: History, publish: Publish) -> tuple[object, ...]:
    """What is shown in each month."""
    shown = []
    for month in range(MONTHS):
        learners = sum(joined[: month + 1])
        in_month = sum(done[month - since] for since, done in enumerate(history) if since <= month)
        so_far = sum(sum(done[: month - since + 1]) for since, done in enumerate(history) if since <= month)
        shown.append(publish(learners, in_month, so_far, K))
    return tuple(shown)


def disclosed(joined: Joined, publish: Publish) -> bool:
    """Whether some tables leave one history alone to some member."""
    fitting: defaultdict[tuple[object, ...], list[set[int]]] = defaultdict(lambda: [set() for _ in joined])
    for history in histories(joined):
        options = fitting[tables(joined, history, publish)]
        for members, done in zip(options, history, strict=True):
            members |= {place for place, number in enumerate(done) if number}
    # Members who joined together are alike: one of them fits wherever another does.
    return any(
        size > 0 and len(members) < 2
        for options in fitting.values()
        for size, members in zip(joined, options, strict=True)
        if size
    )


def coarse(learners: int, _in_month: int, so_far: int, k: int) -> object:
    return at_least(learners, so_far, k)


def exact(learners: int, in_month: int, _so_far: int, k: int) -> object:
    """How many complete in the month, of groups that are large enough."""
    return in_month if learners >= k else None


# The number of histories grows with the fourth power of the number of people.
@pytest.mark.parametrize(
    "number", [*range(1, DAILY_PEOPLE + 1), *(pytest.param(n, marks=pytest.mark.soak) for n in (11, 12))]
)
def test_every_member_of_every_group_has_two_histories(number):
    # Nobody can complete before the first month in which they belong, so that month and never are left at least.
    assert [joined for joined in splits(number, MONTHS) if disclosed(joined, coarse)] == []


def test_exact_figures_would_tell_the_history_of_some():
    """The negative control."""
    assert disclosed((3, 0, 0), exact)


@pytest.mark.parametrize(
    ("learners", "true_of", "shown"),
    [(4, 4, None), (9, 9, None), (10, 4, None), (10, 5, 5), (10, 10, 5), (15, 9, 5), (15, 15, 10), (100, 62, 60)],
)
def test_a_figure_comes_in_steps_and_never_of_the_last_of_a_group(learners, true_of, shown):
    assert at_least(learners, true_of, 5) == shown


def test_the_smallest_step_is_three():
    assert (at_least(6, 3, 1), is_large_enough(2, 1), is_large_enough(3, 1)) == (3, False, True)


@pytest.mark.parametrize(
    ("total", "number", "learners", "mean"),
    [
        (400, 4, 10, None),
        # That there is a mean of five of nine would tell that one of the last five has points.
        (350, 5, 9, None),
        (350, 5, 5, None),
        (500, 5, 10, 95),
        (0, 5, 10, 5),
        (361, 5, 10, 70),
        (363, 5, 10, 75),
    ],
)
def test_means_are_rounded_never_extreme_and_of_nobody_who_must_have_points(total, number, learners, mean):
    assert rounded_mean(total, number, learners, 5) == mean
