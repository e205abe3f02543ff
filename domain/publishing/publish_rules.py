"""What a product must have to be published: all that the structured data of its page requires (SEO contract, 4a).

A course without a provider is offered by the shop itself. Unique titles and descriptions need no rule:
domain/publishing/snippet_store.py generates them.
"""

from collections.abc import Callable
from decimal import Decimal

from domain.publishing.records import Json

Rule = Callable[[Json], str | None]
FREE = Decimal(0)


def has_name(row: Json) -> str | None:
    return None if row["name"].strip() else "it has no name"


def has_description(row: Json) -> str | None:
    return None if row["subtitle"].strip() or row["description"].strip() else "it has no subtitle and no description"


def has_picture(row: Json) -> str | None:
    if row["image"] and row["image_width"] > 0 and row["image_height"] > 0:
        return None
    return "it has no picture with a width and a height"


def has_category(row: Json) -> str | None:
    return None if row["category_id"] else "it has no category"


def has_duration(row: Json) -> str | None:
    """The workload in the structured data: from the record, or summed up over the lessons."""
    return None if (row["duration_min"] or 0) > 0 else "it has neither a duration nor timed lessons"


def has_price(row: Json) -> str | None:
    """Only courses may be free: search engines list no item without a price above zero."""
    prices = (row["list_price"], row["sale_price"])
    return None if all(price is None or price > Decimal(0) for price in prices) else "a shop item must cost something"


def has_payable_price(row: Json) -> str | None:
    """Gateways charge multiples of 0.01 in every currency, also where it has three decimals. What is finer than the
    shop's own currency is refused where a price is entered: imports and commands."""
    prices = (row["list_price"], row["sale_price"])
    is_payable = all(price is None or price == price.quantize(Decimal("0.01")) for price in prices)
    return None if is_payable else "its price has more than two decimals"


BOTH: tuple[Rule, ...] = (has_payable_price, has_name, has_description, has_picture, has_category)
RULES: dict[str, tuple[Rule, ...]] = {
    "course": (*BOTH, has_duration),
    "item": (*BOTH, has_price),
}


def missing_requirements(row: Json) -> tuple[str, ...]:
    """What the wanted columns of a product lack, in words for the publisher; () when it may be published."""
    return tuple(reason for rule in RULES[row["kind"]] if (reason := rule(row)) is not None)
