"""The engine: from lines and offers to a quote. Prices rise nowhere but by tax, and no line falls below 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from domain.money import rounded
from domain.pricing.offers import NOTHING, Line, Offer
from domain.pricing.quotes import Loser, PricedLine, Quote, Refusal, Step, StepName
from domain.pricing.rules import covered, refusal_of
from domain.pricing.sharing import shares


@dataclass(frozen=True)
class Candidate:
    """One way to price a line: `unit` is the price of one unit without the cart's coupon, `total` that of the line."""

    step: StepName
    name: str
    unit: Decimal
    total: Decimal

    @property
    def called(self) -> str:
        return {"list": "the list price", "sale": "the sale price"}.get(self.step, self.name)


def quote(lines: Sequence[Line], coupon: Offer | None = None, tax_percent: Decimal = NOTHING) -> Quote:
    """Line and cart offers never add up on one line: the lowest price wins, among equals what comes first of list,
    sale, organisation, code, coupon. Each id stands on one line. Tax comes on top, rounded for each line."""
    refusals: list[Refusal] = []
    if coupon is not None and (refusal := _refused("coupon", coupon, None, lines)) is not None:
        refusals.append(refusal)
        coupon = None
    off = _coupon_totals(coupon, lines) if coupon is not None else {}
    priced = []
    for line in lines:
        candidates = [_base(line), *_of_line(line, lines, refusals)]
        if coupon is not None and line.id in off:
            candidates.append(Candidate("coupon", coupon.name, line.unit, off[line.id]))
        priced.append(_priced(line, candidates, tax_percent))
    return _summed(tuple(priced), tuple(refusals))


def _refused(step: StepName, offer: Offer, line: Line | None, lines: Sequence[Line]) -> Refusal | None:
    reason = refusal_of(offer, line, lines)
    if reason is None:
        return None
    return Refusal(step, offer.name, None if line is None else line.id, reason.code, reason.message)


def _coupon_totals(coupon: Offer, lines: Sequence[Line]) -> dict[int, Decimal]:
    """What each covered line costs with the coupon of the cart."""
    found = covered(coupon, lines)
    if coupon.kind == "amount":
        parts = shares(coupon.value, found)
        return {line.id: line.base - parts[line.id] for line in found}
    return {line.id: rounded(coupon.unit_price(line.unit)) * line.quantity for line in found}


def _base(line: Line) -> Candidate:
    return Candidate("list" if line.unit == line.list_price else "sale", "", line.unit, line.base)


def _of_line(line: Line, lines: Sequence[Line], refusals: list[Refusal]) -> list[Candidate]:
    """The line's own offers; refused ones are noted."""
    made = []
    offers: tuple[tuple[StepName, Offer | None], ...] = (("organisation", line.organisation), ("code", line.code))
    for step, offer in offers:
        if offer is None:
            continue
        refusal = _refused(step, offer, line, lines)
        if refusal is not None:
            refusals.append(refusal)
            continue
        unit = rounded(offer.unit_price(line.unit))
        made.append(Candidate(step, offer.name, unit, unit * line.quantity))
    return made


def _priced(line: Line, candidates: list[Candidate], tax_percent: Decimal) -> PricedLine:
    winner = min(candidates, key=lambda one: one.total)
    return PricedLine(
        id=line.id,
        quantity=line.quantity,
        unit_price=winner.unit,
        unit_off=line.unit - winner.unit if winner.step == "code" else None,
        steps=tuple(_steps(line, winner, tax_percent)),
        losers=tuple(_loser(one, winner) for one in candidates[1:] if one is not winner),
    )


def _steps(line: Line, winner: Candidate, tax_percent: Decimal) -> list[Step]:
    before = line.list_price * line.quantity
    made = [Step("list", "", NOTHING, before)]
    if line.base != before:
        made.append(Step("sale", "", line.base - before, line.base))
    if winner.step not in ("list", "sale"):
        made.append(Step(winner.step, winner.name, winner.total - line.base, winner.total))
    if tax_percent:
        tax = rounded(winner.total * tax_percent / 100)
        made.append(Step("tax", "", tax, winner.total + tax))
    return made


def _loser(loser: Candidate, winner: Candidate) -> Loser:
    if loser.total == winner.total:
        message = f"{_capital(winner.called)} already gives this price."
        return Loser(loser.step, loser.name, loser.total, "same", message)
    lower = f"{winner.total:.2f} instead of {loser.total:.2f} with {loser.name}"
    return Loser(loser.step, loser.name, loser.total, "dearer", f"{_capital(winner.called)} is lower: {lower}.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _summed(lines: tuple[PricedLine, ...], refusals: tuple[Refusal, ...]) -> Quote:
    def changed(name: StepName) -> Decimal:
        return sum((step.change for line in lines for step in line.steps if step.step == name), NOTHING)

    return Quote(
        lines=lines,
        refusals=refusals,
        subtotal=sum((line.unit_price * line.quantity for line in lines), NOTHING),
        discount=-changed("coupon"),
        tax=changed("tax"),
        total=sum((line.total for line in lines), NOTHING),
    )
