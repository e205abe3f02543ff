"""When an offer may be used. Each rule returns None, or the reason why not and what to do about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.pricing.amount_texts import amount_in_text
from domain.pricing.offers import ZERO, Line, Offer
from domain.shop_settings.shop import ShopSettings
from domain.text_direction import isolated


@dataclass(frozen=True)
class RefusalReason:
    """`code` for programs, `message` for people."""

    code: str
    message: str


# (offer, its line or None for a whole cart, all lines of the cart, the shop that sells them)
Rule = Callable[[Offer, Line | None, Sequence[Line], ShopSettings], RefusalReason | None]


def is_covered(offer: Offer, line: Line) -> bool:
    if offer.products and line.id not in offer.products:
        return False
    return offer.applies_to in ("all", line.kind, line.category)


def covered_lines(offer: Offer, lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if is_covered(offer, line)]


def covers_any_line(
    offer: Offer, line: Line | None, lines: Sequence[Line], _shop: ShopSettings
) -> RefusalReason | None:
    if covered_lines(offer, lines if line is None else [line]):
        return None
    subject = "anything in your cart" if line is None else "this one"
    text = f"{isolated(offer.name)} does not cover {subject}: it is for {isolated(offer.scope)}."
    return RefusalReason("product", text)


def reaches_minimum(
    offer: Offer, _line: Line | None, lines: Sequence[Line], shop: ShopSettings
) -> RefusalReason | None:
    """Counts only covered lines, at prices after sale: other offers do not change whether the minimum is reached."""
    missing = offer.minimum - sum((covered.base for covered in covered_lines(offer, lines)), ZERO)
    if missing <= 0:
        return None
    where = "" if offer.scope == "everything" else f" on {isolated(offer.scope)}"
    least, to_go = amount_in_text(offer.minimum, shop), amount_in_text(missing, shop)
    return RefusalReason("minimum", f"Spend {least} or more{where} to use {isolated(offer.name)}: {to_go} to go.")


def is_used_once(offer: Offer, line: Line | None, lines: Sequence[Line], _shop: ShopSettings) -> RefusalReason | None:
    """What counts once per order is used by the line with the smallest id that has its code and that it covers, else
    by the whole cart."""
    for other in lines:
        is_before = line is None or other.id < line.id
        if is_before and _has_once(other, offer.name) and is_covered(offer, other):
            where = "a line" if line is None else "another line"
            return RefusalReason("once", f"{isolated(offer.name)} counts once per order, and {where} has it.")
    return None


def _has_once(line: Line, name: str) -> bool:
    return line.code is not None and line.code.once_per_order and line.code.name == name


RULES: tuple[Rule, ...] = (covers_any_line, reaches_minimum, is_used_once)


def first_refusal(offer: Offer, line: Line | None, lines: Sequence[Line], shop: ShopSettings) -> RefusalReason | None:
    """The refusal of the first rule that refuses, None if none does."""
    return next((reason for rule in RULES if (reason := rule(offer, line, lines, shop)) is not None), None)
