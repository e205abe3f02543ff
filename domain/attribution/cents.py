"""An amount shared by weights, to the minor unit: the parts always sum to the amount."""

from collections.abc import Sequence


def split_by_weights(amount: int, weights: Sequence[int]) -> tuple[int, ...]:
    """amount x weight / sum of weights, each rounded down; what remains goes to the largest remainders, the first among
    equals. An amount below 0 has the parts of the amount above 0, with the sign turned. Raises ValueError where no
    weight is above 0, or one is below."""
    total = sum(weights)
    if not total or min(weights) < 0:
        raise ValueError(f"an amount cannot be shared by the weights {list(weights)}")
    if amount < 0:
        return tuple(-part for part in split_by_weights(-amount, weights))
    parts = [amount * weight // total for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: (-(amount * weights[index] % total), index))
    for index in by_remainder[: amount - sum(parts)]:
        parts[index] += 1
    return tuple(parts)
