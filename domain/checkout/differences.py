"""What a buyer saw, compared with what it costs now: any difference, a lower one too, is shown before anything is
charged."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from domain.errors import InvalidInput

Part = Literal["line", "delivery", "tax", "total"]
FIELD = "seen"
_KEYS = {"lines", "delivery", "tax", "total"}


@dataclass(frozen=True)
class Seen:
    """Totals in minor units. `lines`: product id -> total of the line after offers."""

    lines: Mapping[int, int] = field(default_factory=dict)
    delivery: int = 0
    tax: int = 0
    total: int = 0


@dataclass(frozen=True)
class PricedPart:
    """A line as it costs now. `step`: of its breakdown, the one that made the price; `reason`: why an offer no longer
    holds, a text, or ""."""

    id: int
    name: str
    total_minor: int
    step: str = "list"
    reason: str = ""


@dataclass(frozen=True)
class QuoteDifference:
    """`before` None: the buyer had not seen it; `after` None: it is gone. `step`, `reason`: as of PricedPart."""

    part: Part
    name: str
    before: int | None
    after: int | None
    line_id: int | None = None
    step: str = ""
    reason: str = ""


def parse_seen(text: str) -> Seen:
    """What the buyer has seen, from the JSON in the hidden field of the form. Raises InvalidInput as `seen_of` does,
    and for what is no JSON."""
    try:
        return seen_of(json.loads(text))
    except (ValueError, RecursionError):
        raise _invalid() from None


def seen_of(value: Any) -> Seen:
    """What the buyer has seen, from parsed JSON: {lines: {id: total}, delivery, tax, total}. Raises InvalidInput for
    what is not in this form, unknown keys included."""
    if not isinstance(value, dict) or set(value) != _KEYS or not isinstance(value["lines"], dict):
        raise _invalid()
    lines = {_product_id(key): _amount(total) for key, total in value["lines"].items()}
    return Seen(lines, _amount(value["delivery"]), _amount(value["tax"]), _amount(value["total"]))


def to_json(seen: Seen) -> dict[str, Any]:
    """The form that `seen_of` reads."""
    lines = {str(product_id): total for product_id, total in sorted(seen.lines.items())}
    return {"lines": lines, "delivery": seen.delivery, "tax": seen.tax, "total": seen.total}


def _product_id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise _invalid()
    return int(text)


def _amount(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**15:
        raise _invalid()
    return value


def _invalid() -> InvalidInput:
    return InvalidInput({FIELD: "The prices of this form cannot be read. Load the page again."})


def compare(seen: Seen, lines: Sequence[PricedPart], now: Seen) -> list[QuoteDifference]:
    """Line by line in the order of the cart, what is gone after them, then delivery, tax and total. [] when everything
    is as it was seen."""
    found = [_of_line(seen, line) for line in lines if seen.lines.get(line.id) != line.total_minor]
    known = {line.id for line in lines}
    found += [
        QuoteDifference("line", "", before, None, line_id=product_id)
        for product_id, before in seen.lines.items()
        if product_id not in known
    ]
    totals: tuple[tuple[Part, str, int, int], ...] = (
        ("delivery", "Delivery", seen.delivery, now.delivery),
        ("tax", "Tax", seen.tax, now.tax),
        ("total", "Total", seen.total, now.total),
    )
    return found + [
        QuoteDifference(part, name, before, after) for part, name, before, after in totals if before != after
    ]


def _of_line(seen: Seen, line: PricedPart) -> QuoteDifference:
    before = seen.lines.get(line.id)
    return QuoteDifference("line", line.name, before, line.total_minor, line.id, line.step, line.reason)
