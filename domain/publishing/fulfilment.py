"""How a shop item reaches its buyer and how it is taxed, where a record does not say so."""

from typing import Literal, get_args

Fulfilment = Literal["shipped", "download", "code", "courses"]
FULFILMENTS: tuple[Fulfilment, ...] = get_args(Fulfilment)


def default_fulfilment(item_kind: str, stock: int | None) -> Fulfilment:
    """A book without a stock is a file to download."""
    if item_kind == "book":
        return "download" if stock is None else "shipped"
    by_kind: dict[str, Fulfilment] = {"voucher": "code", "bundle": "courses"}
    return by_kind.get(item_kind, "shipped")


def default_tax_class(item_kind: str, fulfilment: str) -> str:
    """A class of domain/tax/context.py."""
    if item_kind == "book":
        return "book" if fulfilment == "shipped" else "ebook"
    return {"voucher": "voucher", "bundle": "service"}.get(item_kind, "goods")
