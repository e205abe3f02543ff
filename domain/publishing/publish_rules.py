"""What a product must have before it goes live: all that the structured data of its page requires (SEO contract, 4a).

A course may leave its provider out: then the shop itself offers it, and a shop always has a name. Unique titles and
descriptions are not asked for here: domain/publishing/texts.py makes them so.
"""

from collections.abc import Callable
from decimal import Decimal

from domain.publishing.records import Json

Rule = Callable[[Json], str | None]


def has_name(row: Json) -> str | None:
    return None if row["name"].strip() else "it has no name"


def is_described(row: Json) -> str | None:
    return None if row["subtitle"].strip() or row["description"].strip() else "nothing describes it"


def has_picture(row: Json) -> str | None:
    if row["image"] and row["image_width"] > 0 and row["image_height"] > 0:
        return None
    return "it has no picture with a width and a height"


def is_on_a_shelf(row: Json) -> str | None:
    return None if row["category_id"] else "it has no category"


def says_how_long_it_takes(row: Json) -> str | None:
    """The workload in the markup: given, or counted from the lessons."""
    return (
        None if (row["duration_min"] or 0) > 0 else "nothing says how long it takes: no duration and no timed lessons"
    )


def costs_something(row: Json) -> str | None:
    """Only courses may be free: search engines list no item without a price above zero."""
    prices = (row["list_price"], row["sale_price"])
    return None if all(price is None or price > Decimal(0) for price in prices) else "a shop item must cost something"


BOTH: tuple[Rule, ...] = (has_name, is_described, has_picture, is_on_a_shelf)
RULES: dict[str, tuple[Rule, ...]] = {
    "course": (*BOTH, says_how_long_it_takes),
    "item": (*BOTH, costs_something),
}


def lacks(row: Json) -> tuple[str, ...]:
    """What the wanted columns of a product lack, in words for whoever wants to publish it; () when it may go live."""
    return tuple(reason for rule in RULES[row["kind"]] if (reason := rule(row)) is not None)
