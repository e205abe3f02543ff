"""The engine: from lines and offers to a quote. Only tax raises a price, and no line costs less than 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from domain.money import round_to_cent
from domain.pricing.allocation import allocate
from domain.pricing.offers import ZERO, Line, Offer
from domain.pricing.quote import PricedLine, Quote, Refusal, RejectedOffer, Step, StepName
from domain.pricing.rules import covered_lines, first_refusal


@dataclass(frozen=True)
class Candidate:
    """One way to price a line: `unit` is the price of one unit without the cart's coupon, `total` that of the line."""

    step: StepName
    name: str
    unit: Decimal
    total: Decimal

    @property
    def label(self) -> str:
        return {"list": "the list price", "sale": "the sale price"}.get(self.step, self.name)


def quote(lines: Sequence[Line], coupon: Offer | None = None, tax_percent: Decimal = ZERO) -> Quote:
    """Offers are not combined on a line: the lowest price wins, among equals the first of list, sale, organisation,
    code, coupon. Every line has its own id. Tax is added on top, rounded for each line."""
    refusals: list[Refusal] = []
    if coupon is not None and (refusal := _refused("coupon", coupon, None, lines)) is not None:
        refusals.append(refusal)
        coupon = None
    coupon_totals = _coupon_totals(coupon, lines) if coupon is not None else {}
    priced = []
    for line in lines:
        candidates = [_base(line), *_offers_of_line(line, lines, refusals)]
        if coupon is not None and line.id in coupon_totals:
            candidates.append(Candidate("coupon", coupon.name, line.unit, coupon_totals[line.id]))
        priced.append(_priced(line, candidates, tax_percent))
    return _total_quote(tuple(priced), tuple(refusals))


def _refused(step: StepName, offer: Offer, line: Line | None, lines: Sequence[Line]) -> Refusal | None:
    reason = first_refusal(offer, line, lines)
    if reason is None:
        return None
    return Refusal(step, offer.name, None if line is None else line.id, reason.code, reason.message)


def _coupon_totals(coupon: Offer, lines: Sequence[Line]) -> dict[int, Decimal]:
    """Line id -> total of each covered line with the cart's coupon."""
    covered = covered_lines(coupon, lines)
    if coupon.kind == "amount":
        shares = allocate(coupon.value, covered)
        return {line.id: line.base - shares[line.id] for line in covered}
    return {line.id: round_to_cent(coupon.unit_price(line.unit)) * line.quantity for line in covered}


def _base(line: Line) -> Candidate:
    return Candidate("list" if line.unit == line.list_price else "sale", "", line.unit, line.base)


def _offers_of_line(line: Line, lines: Sequence[Line], refusals: list[Refusal]) -> list[Candidate]:
    """Candidates of the line's own offers; refused offers are added to `refusals`."""
    candidates = []
    offers: tuple[tuple[StepName, Offer | None], ...] = (("organisation", line.organisation), ("code", line.code))
    for step, offer in offers:
        if offer is None:
            continue
        refusal = _refused(step, offer, line, lines)
        if refusal is not None:
            refusals.append(refusal)
            continue
        unit = round_to_cent(offer.unit_price(line.unit))
        candidates.append(Candidate(step, offer.name, unit, unit * line.quantity))
    return candidates


def _priced(line: Line, candidates: list[Candidate], tax_percent: Decimal) -> PricedLine:
    winner = min(candidates, key=lambda candidate: candidate.total)
    return PricedLine(
        id=line.id,
        quantity=line.quantity,
        unit_price=winner.unit,
        unit_discount=line.unit - winner.unit if winner.step == "code" else None,
        steps=tuple(_steps(line, winner, tax_percent)),
        rejected_offers=tuple(_rejected_offer(other, winner) for other in candidates[1:] if other is not winner),
    )


def _steps(line: Line, winner: Candidate, tax_percent: Decimal) -> list[Step]:
    before = line.list_price * line.quantity
    steps = [Step("list", "", ZERO, before)]
    if line.base != before:
        steps.append(Step("sale", "", line.base - before, line.base))
    if winner.step not in ("list", "sale"):
        steps.append(Step(winner.step, winner.name, winner.total - line.base, winner.total))
    if tax_percent:
        tax = round_to_cent(winner.total * tax_percent / 100)
        steps.append(Step("tax", "", tax, winner.total + tax))
    return steps


def _rejected_offer(rejected: Candidate, winner: Candidate) -> RejectedOffer:
    if rejected.total == winner.total:
        message = f"{_capitalised(winner.label)} already gives this price."
        return RejectedOffer(rejected.step, rejected.name, rejected.total, "equal", message)
    lower = f"{winner.total:.2f} instead of {rejected.total:.2f} with {rejected.name}"
    return RejectedOffer(
        rejected.step, rejected.name, rejected.total, "higher", f"{_capitalised(winner.label)} is lower: {lower}."
    )


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _total_quote(lines: tuple[PricedLine, ...], refusals: tuple[Refusal, ...]) -> Quote:
    def changed(name: StepName) -> Decimal:
        return sum((step.change for line in lines for step in line.steps if step.step == name), ZERO)

    return Quote(
        lines=lines,
        refusals=refusals,
        subtotal=sum((line.unit_price * line.quantity for line in lines), ZERO),
        discount=-changed("coupon"),
        tax=changed("tax"),
        total=sum((line.total for line in lines), ZERO),
    )
