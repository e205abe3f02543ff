"""The cases of tests/agreements/pricing.json as the engine takes and gives them: money in minor units, camelCase."""

from dataclasses import asdict
from decimal import Decimal
from typing import Any

from domain import pricing
from domain.money import from_minor, to_minor


def offer(given: dict[str, Any] | None) -> pricing.Offer | None:
    if given is None:
        return None
    return pricing.Offer(
        name=given["name"],
        kind=given["kind"],
        value=from_minor(given["value"]),
        minimum=from_minor(given.get("minimum", 0)),
        covers=given.get("covers", "all"),
        products=frozenset(given.get("products", ())),
        scope=given.get("scope", "everything"),
    )


def line(given: dict[str, Any]) -> pricing.Line:
    sale = given.get("salePrice")
    return pricing.Line(
        id=given["id"],
        kind=given.get("kind", "course"),
        category=given.get("category", "tax"),
        list_price=from_minor(given["listPrice"]),
        sale_price=None if sale is None else from_minor(sale),
        quantity=given.get("quantity", 1),
        organisation=offer(given.get("organisation")),
        code=offer(given.get("code")),
    )


def quoted(case: dict[str, Any]) -> dict[str, Any]:
    """The quote of a case, written as the case's `quote`."""
    lines = [line(one) for one in case["lines"]]
    made = pricing.quote(lines, offer(case.get("coupon")), from_minor(case.get("tax", 0)))
    return written(asdict(made)) | {"lines": [written(asdict(one) | {"total": one.total}) for one in made.lines]}


def written(value: Any) -> Any:
    if isinstance(value, Decimal):
        return to_minor(value)
    if isinstance(value, dict):
        return {_camel(name): written(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [written(one) for one in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
