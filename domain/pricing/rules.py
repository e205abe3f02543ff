"""When an offer may lower prices at all. Each rule answers None, or why not and what would help."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from domain.pricing.offers import NOTHING, Line, Offer


@dataclass(frozen=True)
class Reason:
    """`code` for programs, `message` for people."""

    code: str
    message: str


# (offer, the line it stands on or None for a whole cart, all lines of the cart)
Rule = Callable[[Offer, Line | None, Sequence[Line]], Reason | None]


def is_covered(offer: Offer, line: Line) -> bool:
    if offer.products and line.id not in offer.products:
        return False
    return offer.covers in ("all", line.kind, line.category)


def covered(offer: Offer, lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if is_covered(offer, line)]


def covers_something(offer: Offer, line: Line | None, lines: Sequence[Line]) -> Reason | None:
    if line is not None:
        if is_covered(offer, line):
            return None
        return Reason("product", f"{offer.name} does not cover this one: it is for {offer.scope}.")
    if covered(offer, lines):
        return None
    return Reason("product", f"{offer.name} does not cover anything in your cart: it is for {offer.scope}.")


def reaches_minimum(offer: Offer, _line: Line | None, lines: Sequence[Line]) -> Reason | None:
    """Only what the offer covers counts, at prices after sale: no other offer can push it below its minimum."""
    missing = offer.minimum - sum((one.base for one in covered(offer, lines)), NOTHING)
    if missing <= 0:
        return None
    where = "" if offer.scope == "everything" else f" on {offer.scope}"
    return Reason(
        "minimum", f"Spend {_text(offer.minimum)} or more{where} to use {offer.name}: {_text(missing)} to go."
    )


def _text(amount: Decimal) -> str:
    return f"{amount:.2f}"


RULES: tuple[Rule, ...] = (covers_something, reaches_minimum)


def refusal_of(offer: Offer, line: Line | None, lines: Sequence[Line]) -> Reason | None:
    """The first rule that says no."""
    return next((reason for rule in RULES if (reason := rule(offer, line, lines)) is not None), None)
