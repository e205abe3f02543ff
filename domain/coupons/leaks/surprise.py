"""Whether the visits of one hour with a code are more than chance: pure, so that months can be simulated.

Visits of people who know a code come as a Poisson process whose rate has the shape of a day. The rate of an hour is
known from the same time of the days before, and not exactly: the test allows for that.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

HOUR = timedelta(hours=1)
HISTORY = timedelta(days=14)
# A younger code has no history yet: its first day is its launch.
MIN_HISTORY = timedelta(hours=24)
MIN_NETWORKS = 10
# The chance of so many networks, below which an hour with a new referring site is an alarm. 100 codes have 72,000 hours
# a month, so that without such a site the chance has to be much smaller.
ALARM_P, ALARM_P_ALONE = 1e-4, 1e-6
# Weights of the hours before: by the distance of their time of day, of the kind of their day, and of their age.
_NEAR = {0: 1.0, 1: 0.5, 23: 0.5}
_OTHER_KIND = 0.25
_HALF_LIFE_DAYS = 7.0


@dataclass(frozen=True)
class Baseline:
    """`mean`: networks in such an hour; `hours`: how many hours it is worth."""

    mean: float
    hours: float

    def chance_of(self, networks: int) -> float:
        """That an hour has at least so many networks: negative binomial, a Poisson whose rate is known by `hours`."""
        shape, rate = self.mean * self.hours + 0.5, self.hours
        log_hit, log_miss = math.log(rate / (rate + 1)), math.log(1 / (rate + 1))
        below = (
            math.exp(
                math.lgamma(shape + count)
                - math.lgamma(shape)
                - math.lgamma(count + 1)
                + shape * log_hit
                + count * log_miss
            )
            for count in range(networks)
        )
        return max(0.0, 1.0 - math.fsum(below))


def baseline(networks: Mapping[datetime, int], hour: datetime, since: datetime) -> Baseline | None:
    """`networks`: by the hours before, without those that had none. `since`: the first hour in which the code could be
    used. None while that is too short ago."""
    first = max(since, hour - HISTORY)
    if hour - first < MIN_HISTORY:
        return None
    total = squares = found = 0.0
    for days in range(HISTORY.days + 1):
        for offset in (-1, 0, 1):
            before = hour - timedelta(days=days) + offset * HOUR
            if not first <= before < hour:
                continue
            weight = _weight(before, hour)
            total, squares, found = total + weight, squares + weight**2, found + weight * networks.get(before, 0)
    return Baseline(found / total, total**2 / squares) if total else None


def _weight(before: datetime, hour: datetime) -> float:
    near = _NEAR[(before.hour - hour.hour) % 24]
    kind = 1.0 if (before.weekday() >= 5) is (hour.weekday() >= 5) else _OTHER_KIND
    return float(near * kind * 0.5 ** ((hour - before) / timedelta(days=_HALF_LIFE_DAYS)))


def is_alarming(usual: Baseline, networks: int, *, has_new_host: bool) -> bool:
    if networks < MIN_NETWORKS or networks <= usual.mean:
        return False
    return usual.chance_of(networks) < (ALARM_P if has_new_host else ALARM_P_ALONE)
