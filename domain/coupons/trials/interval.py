"""The 95 % interval of a mean difference, by Student's t distribution."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, stdev

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """In which the true mean lies for 95 of 100 trials like this one."""

    low: float
    mean: float
    high: float

    @property
    def margin(self) -> float:
        return self.high - self.mean

    @property
    def sign(self) -> int:
        """1 or -1 when the whole interval is above or below zero, else 0."""
        return (self.low > 0) - (self.high < 0)


def mean_interval(differences: Sequence[float]) -> Interval:
    """Mean ± t·s ÷ √n of at least two differences."""
    count, mean = len(differences), fmean(differences)
    margin = t_quantile(count - 1) * stdev(differences, mean) / math.sqrt(count)
    return Interval(mean - margin, mean, mean + margin)


@lru_cache(256)
def t_quantile(freedom: int) -> float:
    """The t within which CONFIDENCE of the distribution lies, by halving."""
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _share_within(middle, freedom) < CONFIDENCE else (low, middle)
    return high


def _share_within(t: float, freedom: int) -> float:
    """The share of the distribution between -t and t: for whole degrees of freedom a finite sum (Abramowitz and Stegun,
    26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    is_odd = freedom % 2 == 1
    term = cosine if is_odd else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(3 if is_odd else 2, freedom, 2):
        term *= cosine**2 * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total
