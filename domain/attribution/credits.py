"""Credits: which touchpoint of its path a line of an order owes its net revenue to, by each model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from domain.attribution.cents import split_by_weights
from domain.attribution.paths import PathTouchpoint
from domain.attribution.weights import DEFAULT_HALF_LIFE_HOURS, MODELS, Model, weights_by_model
from domain.visits.days.channels import NONE

# What no visit of the learner led to: they refused to be counted, or came before anything was.
NOT_MEASURED = "(not measured)"
# The position of its credit; those of touchpoints begin at 1.
NO_POSITION = 0
# The buyer came by the link with their own student number.
SELF = "(self)"
# An order, in thousandths.
WHOLE_ORDER = 1000

CreditDimension = Literal["channel", "source", "campaign", "coupon", "special", "student", "partner"]
DIMENSIONS: tuple[CreditDimension, ...] = get_args(CreditDimension)


@dataclass(frozen=True)
class CreditedLine:
    """`net_minor`: what was paid without tax, less what went back of it."""

    line_id: int
    net_minor: int


class Credit(NamedTuple):
    """What a line gives to the touchpoint at `position` of its order's path."""

    model: Model
    line_id: int
    position: int
    amount_minor: int


@dataclass(frozen=True)
class OrderCredits:
    """`orders_milli`: model -> position -> thousandths of the order, also of one that cost nothing."""

    credits: tuple[Credit, ...]
    orders_milli: dict[Model, dict[int, int]]


def order_credits(
    path: Sequence[PathTouchpoint],
    lines: Iterable[CreditedLine],
    placed_at: datetime,
    half_life_hours: int = DEFAULT_HALF_LIFE_HOURS,
) -> OrderCredits:
    """All credits of an order: of each line, by each model, for each position that has a weight. They sum to the net
    amount of the line, always."""
    by_model = weights_by_model(path, placed_at, half_life_hours)
    weights = {model: _positions(of_model) for model, of_model in by_model.items()}
    ordered = sorted(lines, key=lambda line: line.line_id)
    return OrderCredits(
        tuple(credit for model in MODELS for line in ordered for credit in _line_credits(model, line, weights[model])),
        {model: _shares_of_order(weights[model]) for model in MODELS},
    )


def _positions(weights: Sequence[int]) -> dict[int, int]:
    """Position -> weight, of those that have one."""
    found = {position: weight for position, weight in enumerate(weights, 1) if weight}
    return found or {NO_POSITION: 1}


def _shares_of_order(weights: dict[int, int]) -> dict[int, int]:
    return dict(zip(weights, _parts_of_order(tuple(weights.values())), strict=True))


@lru_cache(10_000)
def _parts_of_order(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Most paths have a few touchpoints, and the weights of most models go by their number."""
    return split_by_weights(WHOLE_ORDER, weights)


def _share(amount: int, weights: dict[int, int]) -> dict[int, int]:
    if len(weights) == 1:
        return dict.fromkeys(weights, amount)
    return dict(zip(weights, split_by_weights(amount, tuple(weights.values())), strict=True))


def _line_credits(model: Model, line: CreditedLine, weights: dict[int, int]) -> Iterator[Credit]:
    for position, amount in _share(line.net_minor, weights).items():
        yield Credit(model, line.line_id, position, amount)


def credit_key(dimension: CreditDimension, position: int, path: Sequence[PathTouchpoint]) -> str:
    """Under which key of a dimension a credit counts. The buyer's own link is no referral."""
    if position == NO_POSITION:
        return NOT_MEASURED
    touchpoint = path[position - 1]
    if dimension == "student" and touchpoint.is_own:
        return SELF
    value: str = getattr(touchpoint, dimension)
    return value or NONE
