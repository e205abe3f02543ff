"""What comes out: prices with the steps that led to them, in major units and of the whole line unless named unit."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

StepName = Literal["list", "sale", "organisation", "code", "coupon", "tax"]


@dataclass(frozen=True)
class Step:
    """One step of a line's price: `change` is what it took off (below 0) or added, `total` what the line then costs."""

    step: StepName
    name: str
    change: Decimal
    total: Decimal


@dataclass(frozen=True)
class Loser:
    """An offer that could have lowered the line and did not: `total` is what the line would have cost with it.

    reason dearer: something else is lower; same: something before it gives the same price.
    """

    step: StepName
    name: str
    total: Decimal
    reason: Literal["dearer", "same"]
    message: str


@dataclass(frozen=True)
class Refusal:
    """An offer that a rule refused: on one line, or (line_id None) for the whole cart."""

    step: StepName
    name: str
    line_id: int | None
    reason: str
    message: str


@dataclass(frozen=True)
class PricedLine:
    """`unit_price` is what one unit costs before the cart's coupon and tax; `unit_off` what the line's code took off it
    (None: it took nothing)."""

    id: int
    quantity: int
    unit_price: Decimal
    unit_off: Decimal | None
    steps: tuple[Step, ...]
    losers: tuple[Loser, ...]

    @property
    def total(self) -> Decimal:
        return self.steps[-1].total


@dataclass(frozen=True)
class Quote:
    """subtotal (quantity x unit price of each line) - discount (the cart's coupon) + tax = total = sum of the lines."""

    lines: tuple[PricedLine, ...]
    refusals: tuple[Refusal, ...]
    subtotal: Decimal
    discount: Decimal
    tax: Decimal
    total: Decimal
