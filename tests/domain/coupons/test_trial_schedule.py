"""When a trial shows the special offer, and how sure its result is."""

import math
import random
from datetime import timedelta
from itertools import pairwise

import pytest

from domain.coupons.trials.interval import Interval, mean_interval, t_quantile
from domain.coupons.trials.schedule import HOUR, MIN_PAIRS, plan_of
from domain.reports.coupon_trials import BlockResult, PairResult, result_of
from tests.support.factories import NOON

PLAN = plan_of(NOON, 200, 12, "0123456789abcdef")
MICROSECOND = timedelta(microseconds=1)


def test_one_block_of_each_pair_shows_the_offer_and_chance_decides_which():
    pairs = [PLAN.pair(number) for number in range(PLAN.pairs)]
    assert all(first.is_on is not second.is_on for first, second in pairs)
    assert 80 <= sum(first.is_on for first, _ in pairs) <= 120
    other = plan_of(NOON, 200, 12, "0123456789abcdee")
    same = sum(first.is_on is other.pair(number)[0].is_on for number, (first, _) in enumerate(pairs))
    assert 80 <= same <= 120


def test_blocks_follow_each_other_without_a_gap():
    blocks = [block for number in range(3) for block in PLAN.pair(number)]
    assert [block.starts_at for block in blocks] == [NOON + number * 12 * HOUR for number in range(6)]
    assert [block.counted_from - block.starts_at for block in blocks] == [3 * HOUR] * 6
    for block, after in pairwise(blocks):
        assert block.ends_at == after.starts_at
        assert PLAN.is_on(block.starts_at) is PLAN.is_on(block.ends_at - MICROSECOND) is block.is_on


def test_before_and_after_a_trial_the_offer_is_shown():
    assert PLAN.is_on(NOON - MICROSECOND)
    assert PLAN.is_on(PLAN.ends_at)


def test_a_pair_counts_a_day_after_its_end():
    assert [len([*PLAN.pairs_until(NOON + hours * HOUR)]) for hours in (47, 48, 71, 72)] == [0, 1, 1, 2]
    assert len([*PLAN.pairs_until(NOON + timedelta(days=999))]) == 200


# Student's t as tables have it: 97.5 %.
TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 19: 2.093, 20: 2.086, 39: 2.023, 120: 1.980, 199: 1.972}


@pytest.mark.parametrize("freedom", TABLE)
def test_the_quantile_of_t_is_that_of_tables(freedom):
    assert round(t_quantile(freedom), 3) == TABLE[freedom]


def test_an_interval_is_the_mean_and_as_much_on_both_sides():
    found = mean_interval([1.0, 2.0, 3.0])
    margin = 4.302653 / math.sqrt(3)
    assert (found.mean, round(found.low, 5), round(found.high, 5)) == (2.0, round(2 - margin, 5), round(2 + margin, 5))
    signs = [Interval(low, (low + high) / 2, high).sign for low, high in ((1.0, 2.0), (-1.0, 1.0), (-2.0, -1.0))]
    assert signs == [1, 0, -1]


def pair_of(number: int, *counts: tuple[int, int, int]) -> PairResult:
    """The counts with the offer, then without."""
    first, second = PLAN.pair(number)
    shown, hidden = (first, second) if first.is_on else (second, first)
    return PairResult(BlockResult(shown, *counts[0]), BlockResult(hidden, *counts[1]))


def test_below_twenty_pairs_there_is_no_interval_and_empty_blocks_are_counted_apart():
    pairs = [pair_of(number, (100, 3 + number % 2, 900), (100, 2, 400)) for number in range(MIN_PAIRS)]
    few = result_of([*pairs[1:], pair_of(30, (0, 0, 0), (50, 1, 100))])
    assert (few.paid, few.net, few.usable, few.empty) == (None, None, 19, 1)
    enough = result_of(pairs)
    assert enough.paid is not None
    assert enough.net is not None
    assert round(enough.paid.mean, 6) == 0.015
    assert (enough.net.low, enough.net.mean, enough.net.high) == (5.0, 5.0, 5.0)
    assert (enough.totals(is_on=True), enough.totals(is_on=False)) == ((2000, 70, 18_000), (2000, 40, 8000))


# --- Simulated trials ---

# Sessions of an hour by day and by night, the share of them that pays, what the offer adds, and what an order brings.
DAY_SESSIONS, NIGHT_SESSIONS, PAYING, ADDED, DISCOUNT = 240, 60, (0.03, 0.02), 0.01, 0.9


def simulated(source: random.Random, seed: str, pairs: int) -> tuple[float, float, list[PairResult]]:
    """What the offer truly changes, paid and net, and what a trial sees of it: days that differ, nights that differ
    from days, and amounts of which few are large."""
    plan = plan_of(NOON - 12 * HOUR, pairs, 12, seed)
    found = []
    for number in range(pairs):
        of_day = source.gauss(1, 0.15)
        blocks = [block_result(source, block, place, max(0.3, of_day)) for place, block in enumerate(plan.pair(number))]
        shown, hidden = blocks if blocks[0].block.is_on else blocks[::-1]
        found.append(PairResult(shown, hidden))
    mean_amount = 5000 * math.exp(0.6**2 / 2)
    net = [mean_amount * ((share + ADDED) * DISCOUNT - share) for share in PAYING]
    return ADDED, sum(net) / 2, found


def block_result(source: random.Random, block, place: int, of_day: float) -> BlockResult:
    mean = (NIGHT_SESSIONS, DAY_SESSIONS)[place] * of_day
    sessions = max(1, round(source.gauss(mean, math.sqrt(mean))))
    share = PAYING[place] + (ADDED if block.is_on else 0)
    paid = sum(source.random() < share for _ in range(sessions))
    amounts = (source.lognormvariate(math.log(5000), 0.6) for _ in range(paid))
    return BlockResult(block, sessions, paid, round(sum(amounts) * (DISCOUNT if block.is_on else 1)))


def test_95_percent_intervals_cover_the_truth_in_95_of_100_simulated_trials():
    source, trials = random.Random(20260302), 1000
    covered_paid = covered_net = 0
    for number in range(trials):
        paid, net, pairs = simulated(source, f"seed {number}", MIN_PAIRS + number % 9)
        found = result_of(pairs)
        assert found.paid is not None
        assert found.net is not None
        covered_paid += found.paid.low <= paid <= found.paid.high
        covered_net += found.net.low <= net <= found.net.high
    assert 930 <= covered_paid <= 970
    assert 930 <= covered_net <= 970


def test_intervals_that_took_the_normal_distribution_of_few_pairs_would_cover_less():
    """The negative control: 1.96 in place of t, of five pairs."""
    source, covered = random.Random(3), 0
    for number in range(1000):
        truth, _, pairs = simulated(source, f"seed {number}", 5)
        found = mean_interval([pair.paid_difference for pair in pairs])
        margin = found.margin * 1.96 / t_quantile(4)
        covered += found.mean - margin <= truth <= found.mean + margin
    assert covered < 930
