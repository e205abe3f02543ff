"""Converts the cases of contracts/cases/pricing.json (money in minor units, camelCase) for the engine and back."""

from dataclasses import asdict
from decimal import Decimal
from typing import Any

from domain import pricing
from domain.money import from_minor, to_minor


def offer(data: dict[str, Any] | None) -> pricing.Offer | None:
    if data is None:
        return None
    return pricing.Offer(
        name=data["name"],
        kind=data["kind"],
        value=from_minor(data["value"]),
        minimum=from_minor(data.get("minimum", 0)),
        applies_to=data.get("covers", "all"),
        products=frozenset(data.get("products", ())),
        scope=data.get("scope", "everything"),
    )


def line(data: dict[str, Any]) -> pricing.Line:
    sale = data.get("salePrice")
    return pricing.Line(
        id=data["id"],
        kind=data.get("kind", "course"),
        category=data.get("category", "tax"),
        list_price=from_minor(data["listPrice"]),
        sale_price=None if sale is None else from_minor(sale),
        quantity=data.get("quantity", 1),
        organisation=offer(data.get("organisation")),
        code=offer(data.get("code")),
    )


def quoted(case: dict[str, Any]) -> dict[str, Any]:
    """The quote of a case, written as the case's `quote`."""
    lines = [line(data) for data in case["lines"]]
    quote = pricing.quote(lines, offer(case.get("coupon")), from_minor(case.get("tax", 0)))
    return written(asdict(quote)) | {
        "lines": [written(asdict(priced) | {"total": priced.total}) for priced in quote.lines]
    }


def written(value: Any) -> Any:
    if isinstance(value, Decimal):
        return to_minor(value)
    if isinstance(value, dict):
        return {_camel(name): written(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [written(item) for item in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
