"""The figures of reports, from the sums that days of visits store: what each is called, its unit, and how it is
computed. Page, call, file and documentation read this one table; what a figure means: definitions.json."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from domain.visits.stored_days.keys import NAMES

# Money is in minor units of the currency of the answer; a number has up to three decimals.
# A duration is a number of seconds that is shown in words.
FigureUnit = Literal["count", "percent", "seconds", "duration", "money", "number"]
# What figures are computed from: of days of visits a StoredSums.
FigureSums = Mapping[str, int]
# None: there is nothing that it could be a share or a mean of.
FigureValue = int | float | None


class StoredSums(dict[str, int]):
    """A number for each of `domain.visits.stored_days.keys.NAMES`."""

    @classmethod
    def of(cls, numbers: "tuple[int, ...] | list[int]") -> "StoredSums":
        return cls(zip(NAMES, (int(number) for number in numbers), strict=True))

    @classmethod
    def zeros(cls) -> "StoredSums":
        return cls(dict.fromkeys(NAMES, 0))

    def plus(self, other: Mapping[str, int]) -> "StoredSums":
        return StoredSums({name: number + other[name] for name, number in self.items()})


@dataclass(frozen=True)
class Figure:
    """`key`: its name on the wire. `heading`: that of its column, "": the label. `is_shaded`: higher shares have a
    darker ground in the table."""

    key: str
    label: str
    unit: FigureUnit
    compute: Callable[[FigureSums], FigureValue]
    heading: str = ""
    is_shaded: bool = False

    @property
    def short(self) -> str:
        return self.heading or self.label


@dataclass(frozen=True)
class Definition:
    """What a figure means, in a sentence, with one worked example."""

    meaning: str
    example: str


def percent(part: int, whole: int) -> FigureValue:
    """With one decimal, a half rounded up."""
    return None if whole == 0 else (2_000 * part + whole) // (2 * whole) / 10


def mean(total: int, count: int) -> FigureValue:
    """A whole number, a half rounded up."""
    return None if count == 0 else (2 * total + count) // (2 * count)


def sum_of(name: str) -> Callable[[FigureSums], FigureValue]:
    return lambda sums: sums[name]


FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("visits", "Visits", "count", sum_of("visits")),
        Figure("sessions", "Sessions", "count", sum_of("sessions")),
        Figure("bounceRate", "Bounce rate", "percent", lambda sums: percent(sums["bounces"], sums["sessions"])),
        Figure("averageTime", "Average time", "seconds", lambda sums: mean(sums["seconds"], sums["timed_sessions"])),
        Figure("products", "Saw a product", "count", sum_of("reached_product"), "Product"),
        Figure("carts", "Opened the cart", "count", sum_of("reached_cart"), "Cart"),
        Figure("checkouts", "Went to the checkout", "count", sum_of("reached_checkout"), "Checkout"),
        Figure("orders", "Ordered", "count", sum_of("reached_order"), "Order"),
        Figure("payments", "Paid", "count", sum_of("reached_payment")),
        Figure("conversion", "Conversion", "percent", lambda sums: percent(sums["reached_payment"], sums["sessions"])),
    )
}


def figures_of(
    sums: FigureSums, keys: tuple[str, ...], figures: Mapping[str, Figure] = FIGURES
) -> dict[str, FigureValue]:
    return {key: figures[key].compute(sums) for key in keys}


DEFINITIONS = Path(__file__).parent / "definitions.json"


@lru_cache(16)
def definitions(path: Path = DEFINITIONS) -> Mapping[str, Definition]:
    """The definitions of a file with {figure: {meaning, example}}, by the key of the figure."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {key: Definition(row["meaning"], row["example"]) for key, row in rows.items()}
