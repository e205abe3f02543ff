"""The credits of the orders that were paid on a day, and their sums."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain.attribution.credits import DIMENSIONS, CreditedLine, OrderCredits, credit_key, order_credits
from domain.attribution.paths import PathTouchpoint
from domain.reports.attribution.stored_paths import StoredPath
from domain.reports.sales_lines import SaleLine


class CreditRow(NamedTuple):
    """A row of `credits`."""

    order_id: int
    line_id: int
    model: str
    position: int
    amount_minor: int


class CreditKey(NamedTuple):
    """The key of a row of `credit_days`, but for its day."""

    dimension: str
    currency: str
    model: str
    key: str


class CreditSums(NamedTuple):
    amount_minor: int
    orders_milli: int


DayCredits = tuple[tuple[CreditKey, CreditSums], ...]


class CreditedOrder(NamedTuple):
    order_id: int
    currency: str
    path: tuple[PathTouchpoint, ...]
    shares: OrderCredits

    @property
    def rows(self) -> list[CreditRow]:
        """In the order of their keys."""
        return sorted(
            CreditRow(self.order_id, credit.line_id, credit.model, credit.position, credit.amount_minor)
            for credit in self.shares.credits
        )


def credited_orders(lines: Iterable[SaleLine], paths: Mapping[int, StoredPath]) -> Iterator[CreditedOrder]:
    """Order by order, as their lines come. Those without a path are left out."""
    by_order: dict[int, list[SaleLine]] = defaultdict(list)
    for line in lines:
        by_order[line.order_id].append(line)
    for order_id, of_order in by_order.items():
        if (path := paths.get(order_id)) is not None:
            yield credited_order(path, of_order)


def credited_order(path: StoredPath, lines: Sequence[SaleLine]) -> CreditedOrder:
    touchpoints = tuple(step.touchpoint for step in path.steps)
    credited = [CreditedLine(line.line_id, line.net_minor) for line in lines]
    found = order_credits(touchpoints, credited, path.placed_at, path.half_life_hours)
    return CreditedOrder(path.order_id, lines[0].currency, touchpoints, found)


class DaySums:
    """Adds up credits, currency by currency."""

    def __init__(self) -> None:
        # Currency and model -> for each of DIMENSIONS its keys.
        self._sums: dict[tuple[str, str], list[dict[str, list[int]]]] = defaultdict(_no_sums)

    def add(self, order: CreditedOrder) -> None:
        amounts: dict[tuple[str, int], int] = defaultdict(int)
        for credit in order.shares.credits:
            amounts[credit.model, credit.position] += credit.amount_minor
        keys: dict[int, list[str]] = {}
        for model, shares in order.shares.orders_milli.items():
            of_model = self._sums[order.currency, model]
            for position, milli in shares.items():
                if position not in keys:
                    keys[position] = [credit_key(name, position, order.path) for name in DIMENSIONS]
                amount = amounts[model, position]
                for of_dimension, key in zip(of_model, keys[position], strict=True):
                    sums = of_dimension[key]
                    sums[0] += amount
                    sums[1] += milli

    @property
    def rows(self) -> DayCredits:
        """By their keys."""
        found = [
            (CreditKey(dimension, currency, model, key), CreditSums(*sums))
            for (currency, model), of_model in self._sums.items()
            for dimension, of_dimension in zip(DIMENSIONS, of_model, strict=True)
            for key, sums in of_dimension.items()
        ]
        return tuple(sorted(found))


def _no_sums() -> list[dict[str, list[int]]]:
    return [defaultdict(_zeros) for _ in DIMENSIONS]


def _zeros() -> list[int]:
    return [0, 0]


def hash_rows(digest: Any, rows: Iterable[CreditRow]) -> None:
    """Add credits to a SHA-256, which depends on nothing else: not on the zone, the database, or who was erased."""
    lines = (f"{row.order_id} {row.line_id} {row.model} {row.position} {row.amount_minor}\n" for row in rows)
    digest.update("".join(lines).encode())
