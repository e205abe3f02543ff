"""Requests that are approved in part: what staff chose of what was asked for, and what they did not give back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import InvalidInput
from domain.money import Currency
from domain.orders.refunds.chosen import parts_of_units
from domain.orders.refunds.refund_rows import Part
from domain.orders.refunds.shares import share_of_amount
from domain.tables import DeclinedPart, OrderLine, Refund

NOTHING = "Choose what goes back. A request of which nothing goes back is declined."
EVERYTHING = "This is all that was asked for: approve the request."


@dataclass(frozen=True)
class ChosenPart:
    """`units`: line number -> units that go back, at least 1. `amounts`: line number -> minor units of the price that
    go back of units that stay the buyer's."""

    units: Mapping[int, int] = field(default_factory=dict)
    amounts: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class NotBack:
    """Units of a line that were asked for and do not go back, and what was asked for them."""

    line: OrderLine
    quantity: int
    amount_minor: int


@dataclass(frozen=True)
class Divided:
    """A request: what goes back and what does not."""

    back: Sequence[Part]
    not_back: Sequence[NotBack]

    @property
    def numbers(self) -> Collection[int]:
        """The lines of which something goes back."""
        return {part.line.number for part in self.back}

    @property
    def back_minor(self) -> int:
        return sum(part.share.amount_minor for part in self.back)

    @property
    def requested_minor(self) -> int:
        return self.back_minor + sum(part.amount_minor for part in self.not_back)


def divide(
    lines: Sequence[OrderLine], asked: Mapping[int, int], chosen: ChosenPart | None, currency: Currency
) -> Divided:
    """`lines`: all of the order; `asked`: line number -> units; `chosen` None: all of it. Delivery goes back when the
    chosen units are the last of the goods. Raises InvalidInput, by the fields of the form, for what was not asked for,
    for nothing and for all of it; ValueError when fewer units are left than were asked for."""
    whole = {part.line.number: part for part in parts_of_units(lines, asked, currency)}
    if chosen is None:
        return Divided(list(whole.values()), [])
    if errors := _errors(asked, chosen, whole):
        raise InvalidInput(errors)
    back = list(parts_of_units(lines, chosen.units, currency))
    back += [
        Part(whole[number].line, share_of_amount(whole[number].line, minor, currency))
        for number, minor in chosen.amounts.items()
    ]
    if not back:
        raise InvalidInput({"form": NOTHING})
    not_back = [left for part in whole.values() if (left := _left(part, back)) is not None]
    if not not_back:
        raise InvalidInput({"form": EVERYTHING})
    return Divided(sorted(back, key=lambda part: part.line.number), not_back)


def _errors(asked: Mapping[int, int], chosen: ChosenPart, whole: Mapping[int, Part]) -> dict[str, str]:
    errors: dict[str, str] = {}
    for number, units in chosen.units.items():
        if not 1 <= units <= asked.get(number, 0):
            errors[f"units.{number}"] = f"They asked for {asked.get(number, 0)} of it."
    for number, minor in chosen.amounts.items():
        if number in chosen.units:
            errors[f"amounts.{number}"] = "Enter either units or an amount."
        elif number not in asked or not 1 <= minor <= whole[number].share.amount_minor:
            errors[f"amounts.{number}"] = "Enter an amount up to what they asked for."
    return errors


def _left(asked: Part, back: Sequence[Part]) -> NotBack | None:
    """None for a line that goes back as it was asked for, and for delivery that cost nothing."""
    if asked.line.kind == "delivery" and not asked.share.amount_minor:
        return None
    share = next((part.share for part in back if part.line.id == asked.line.id), None)
    if share is None:
        return NotBack(asked.line, asked.share.quantity, asked.share.amount_minor)
    quantity = asked.share.quantity - share.quantity
    return NotBack(asked.line, quantity, asked.share.amount_minor - share.amount_minor) if quantity else None


def insert_declined(session: Session, refund: Refund, not_back: Sequence[NotBack]) -> None:
    for part in not_back:
        session.add(
            DeclinedPart(
                refund_id=refund.id, line_id=part.line.id, quantity=part.quantity, amount_minor=part.amount_minor
            )
        )
    session.flush()


def declined_of(session: Session, refund_ids: Collection[int]) -> Sequence[DeclinedPart]:
    """What these refunds do not give back, in the order of the lines of the order."""
    if not refund_ids:
        return ()
    query = select(DeclinedPart).where(DeclinedPart.refund_id.in_(refund_ids))
    return session.scalars(query.order_by(DeclinedPart.refund_id, DeclinedPart.line_id)).all()
