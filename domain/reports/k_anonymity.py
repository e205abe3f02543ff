"""Figures about people, so coarse that nobody who knows who belonged when learns about one of them.

Of a group that only grows, one number is shown each month: of how many of its members something is true by then, in
steps of `k`, and never of the last `k` members. Then each member may be one of those or not, whatever all months of the
group say: those who are counted may always be others (docs/decisions/0065). Groups share no members, and every total is
the sum of what is shown of groups, so that no difference of totals says more.
"""

MIN_K = 3
# Means are rounded to so many points, and never shown as 0 or 100, which would be true of everybody.
POINTS = 5


def at_least(learners: int, true_of: int, k: int) -> int | None:
    """What may be shown of a group: it is true of so many of its `learners` or more. None: too few, or too alike, to
    show. `k` below MIN_K counts as MIN_K."""
    step = max(k, MIN_K)
    shown = step * (max(0, min(true_of, learners - step)) // step)
    return shown or None


def is_large_enough(learners: int, k: int) -> bool:
    """Whether the number of a group's learners may be shown."""
    return learners >= max(k, MIN_K)


def rounded_mean(total: int, number: int, learners: int, k: int) -> int | None:
    """The mean of points from 0 to 100 of so many of a group's `learners`, rounded to 5 and between 5 and 95; None
    where `at_least` shows nothing of who has points: that there is a mean would tell it."""
    if at_least(learners, number, k) is None:
        return None
    return min(100 - POINTS, max(POINTS, POINTS * round(total / number / POINTS)))
