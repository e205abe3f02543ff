"""Weights of the touchpoints of a path under five models: integers, so that every computer finds the same ones."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from itertools import compress
from typing import Literal, get_args

from domain.attribution.paths import PathTouchpoint
from domain.attribution.rules import AttributionRules

# last: the last touchpoint that says where the learner came from, known elsewhere as last non-direct.
Model = Literal["first", "last", "linear", "decay", "position"]
MODELS: tuple[Model, ...] = get_args(Model)

DEFAULT_HALF_LIFE_HOURS = AttributionRules.half_life_hours
HOUR = timedelta(hours=1)
# The weight by decay of a touchpoint in the hour of the order.
DECAY_UNIT = 2**20
# Far more digits than the unit has: rounding to an integer hides how the last ones come about.
_PRECISION = Context(prec=40, rounding=ROUND_HALF_EVEN)
# Percent of the position model: for either end, and for all between them together.
END, BETWEEN = 40, 20


def path_weights(
    model: Model,
    path: Sequence[PathTouchpoint],
    placed_at: datetime,
    half_life_hours: int = DEFAULT_HALF_LIFE_HOURS,
) -> tuple[int, ...]:
    """A weight for each touchpoint, of which at least one is above 0; () for an empty path.

    A plain touchpoint weighs 0 where the path has another: somebody who comes back by a bookmark came of what had
    brought them before."""
    return weights_by_model(path, placed_at, half_life_hours)[model]


def weights_by_model(
    path: Sequence[PathTouchpoint], placed_at: datetime, half_life_hours: int = DEFAULT_HALF_LIFE_HOURS
) -> dict[Model, tuple[int, ...]]:
    """The weights that `path_weights` gives, of every model."""
    is_weighed = [not touchpoint.is_plain for touchpoint in path]
    if True not in is_weighed:
        is_weighed = [True] * len(path)
    hours = [(placed_at - touchpoint.visited_at) // HOUR for touchpoint in compress(path, is_weighed)]
    weights = {model: by_number(len(hours)) if hours else [] for model, by_number in _BY_NUMBER.items()}
    weights["decay"] = _decay(hours, half_life_hours)
    return {model: _in_places(weights[model], is_weighed) for model in MODELS}


def _in_places(weights: Sequence[int], is_weighed: Sequence[bool]) -> tuple[int, ...]:
    if len(weights) == len(is_weighed):
        return tuple(weights)
    following = iter(weights)
    return tuple(next(following) if has_weight else 0 for has_weight in is_weighed)


def _first(number: int) -> list[int]:
    return [1, *[0] * (number - 1)]


def _last(number: int) -> list[int]:
    return [*[0] * (number - 1), 1]


def _linear(number: int) -> list[int]:
    return [1] * number


def _position(number: int) -> list[int]:
    """40, 20 shared by those between, 40; of two 50 each. Multiplied by the number of those between, so that their
    shares are integers."""
    between = number - 2
    if between <= 0:
        return [1] * number
    return [END * between, *[BETWEEN] * between, END * between]


def _decay(hours: Sequence[int], half_life_hours: int) -> list[int]:
    """By whole hours before the order. At least 1: a window of many half-lives leaves no path without a weight."""
    return [max(1, _decayed(hour, half_life_hours)) for hour in hours]


@lru_cache(4096)
def _decayed(hours: int, half_life_hours: int) -> int:
    exponent = _PRECISION.divide(Decimal(-hours), Decimal(half_life_hours))
    factor = _PRECISION.power(Decimal(2), exponent)
    return int(_PRECISION.to_integral_value(_PRECISION.multiply(Decimal(DECAY_UNIT), factor)))


_BY_NUMBER: dict[Model, Callable[[int], list[int]]] = {
    "first": _first,
    "last": _last,
    "linear": _linear,
    "position": _position,
}
