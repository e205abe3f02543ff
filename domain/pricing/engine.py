"""The engine: from lines and offers to a quote. Only tax raises a price, and no line costs less than 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from domain.money import Currency, rounded
from domain.pricing.allocation import allocate
from domain.pricing.amount_texts import amount_in_text
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import ZERO, Delivery, Line, Offer, OfferRef
from domain.pricing.quote import (
    DELIVERY_ID,
    PricedLine,
    Quote,
    Refusal,
    RejectedOffer,
    Step,
    StepFacts,
    StepName,
)
from domain.pricing.rules import covered_lines, first_refusal
from domain.pricing.taxes import tax_steps
from domain.shop_settings.shop import ShopSettings
from domain.text_direction import isolated

# Raised when a case of contracts/cases/pricing.json changes, and when a new input changes what comes out, so that an
# earlier build refuses it; the engine of before stays in engine_versions.py.
VERSION = 2


@dataclass(frozen=True)
class Candidate:
    """One way to price a line: `unit` is the price of one unit without what is taken off once, `total` that of the
    line."""

    step: StepName
    name: str
    unit: Decimal
    total: Decimal
    ref: OfferRef | None = None
    facts: StepFacts | None = None

    @property
    def label(self) -> str:
        return {"list": "the list price", "sale": "the sale price"}.get(self.step, self.name)


def price(inputs: QuoteInputs) -> Quote:
    """Offers are not combined on a line: the lowest price wins, among equals the first of list, sale, organisation,
    code, coupon. Every line has its own id. Tax is rounded for each line and component."""
    lines, coupon, shop = inputs.lines, inputs.coupon, inputs.shop
    refusals = list(inputs.refusals)
    if coupon is not None and (refusal := _refused("coupon", coupon, None, lines, shop)) is not None:
        refusals.append(refusal)
        coupon = None
    on_cart = _coupon_candidates(coupon, lines, shop.currency) if coupon is not None else {}
    priced = []
    for line in lines:
        candidates = [_base(line), *_offers_of_line(line, lines, shop, refusals)]
        if line.id in on_cart:
            candidates.append(on_cart[line.id])
        priced.append(_priced(line, candidates, inputs))
    if inputs.delivery is not None:
        priced.append(_delivery(inputs.delivery, inputs))
    return _total_quote(inputs, tuple(priced), tuple(refusals))


def _refused(
    step: StepName, offer: Offer, line: Line | None, lines: Sequence[Line], shop: ShopSettings
) -> Refusal | None:
    reason = first_refusal(offer, line, lines, shop)
    if reason is None:
        return None
    return Refusal(step, offer.name, None if line is None else line.id, reason.code, reason.message, offer.ref)


def _coupon_candidates(coupon: Offer, lines: Sequence[Line], currency: Currency) -> dict[int, Candidate]:
    """Line id -> the candidate of each covered line with the cart's coupon."""
    covered = covered_lines(coupon, lines)
    if coupon.kind != "amount":
        totals = {line.id: rounded(coupon.unit_price(line.unit), currency) * line.quantity for line in covered}
        facts = {line.id: _facts(coupon, line.base) for line in covered}
    else:
        shares = allocate(coupon.value, covered, currency)
        totals = {line.id: line.base - shares[line.id] for line in covered}
        # The sum of all covered lines explains the share of each.
        facts = dict.fromkeys(totals, _facts(coupon, sum((line.base for line in covered), ZERO)))
    return {
        line.id: Candidate("coupon", coupon.name, line.unit, totals[line.id], coupon.ref, facts[line.id])
        for line in covered
    }


def _facts(offer: Offer, base: Decimal) -> StepFacts:
    if offer.kind == "percent":
        return StepFacts(percent=offer.value, base=base)
    return StepFacts(value=offer.value, base=base)


def _base(line: Line) -> Candidate:
    return Candidate("list" if line.unit == line.list_price else "sale", "", line.unit, line.base)


def _offers_of_line(line: Line, lines: Sequence[Line], shop: ShopSettings, refusals: list[Refusal]) -> list[Candidate]:
    """Candidates of the line's own offers; refused offers are added to `refusals`."""
    candidates = []
    offers: tuple[tuple[StepName, Offer | None], ...] = (("organisation", line.organisation), ("code", line.code))
    for step, offer in offers:
        if offer is None:
            continue
        refusal = _refused(step, offer, line, lines, shop)
        if refusal is not None:
            refusals.append(refusal)
            continue
        candidates.append(_line_candidate(step, offer, line, shop.currency))
    return candidates


def _line_candidate(step: StepName, offer: Offer, line: Line, currency: Currency) -> Candidate:
    """An amount that counts once is no part of the unit price, unless the line is of one unit."""
    unit = rounded(offer.unit_price(line.unit), currency)
    total = unit * line.quantity
    if offer.once_per_order:
        total = max(ZERO, line.base - offer.value)
        unit = total if line.quantity == 1 else line.unit
    return Candidate(step, offer.name, unit, total, offer.ref, _facts(offer, line.base))


def _priced(line: Line, candidates: list[Candidate], inputs: QuoteInputs) -> PricedLine:
    winner = min(candidates, key=lambda candidate: candidate.total)
    rejected = [candidate for candidate in candidates[1:] if candidate is not winner]
    return PricedLine(
        id=line.id,
        quantity=line.quantity,
        unit_price=winner.unit,
        unit_discount=line.unit - winner.unit if winner.step == "code" and _is_of_units(line, winner) else None,
        steps=(*_steps(line, winner), *tax_steps(winner.total, line.tax_class, inputs.shop, inputs.tax)),
        rejected_offers=tuple(_rejected_offer(candidate, winner, inputs.shop) for candidate in rejected),
        tax_class=line.tax_class,
    )


def _is_of_units(line: Line, winner: Candidate) -> bool:
    """Whether the unit price says all that the line costs."""
    return winner.unit * line.quantity == winner.total


def _steps(line: Line, winner: Candidate) -> list[Step]:
    before = line.list_price * line.quantity
    steps = [Step("list", "", ZERO, before, facts=StepFacts(value=line.list_price))]
    if line.base != before:
        facts = StepFacts(value=line.unit, base=before)
        steps.append(Step("sale", "", line.base - before, line.base, facts=facts))
    if winner.step not in ("list", "sale"):
        change = winner.total - line.base
        steps.append(Step(winner.step, winner.name, change, winner.total, ref=winner.ref, facts=winner.facts))
    return steps


def _rejected_offer(rejected: Candidate, winner: Candidate, shop: ShopSettings) -> RejectedOffer:
    reason: Literal["higher", "equal"] = "equal" if rejected.total == winner.total else "higher"
    text = "already gives this price"
    if reason == "higher":
        prices = amount_in_text(winner.total, shop), amount_in_text(rejected.total, shop)
        text = f"is lower: {prices[0]} instead of {prices[1]} with {isolated(rejected.name)}"
    message = f"{isolated(_capitalised(winner.label))} {text}."
    return RejectedOffer(rejected.step, rejected.name, rejected.total, reason, message, rejected.ref)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _delivery(delivery: Delivery, inputs: QuoteInputs) -> PricedLine:
    listed = StepFacts(value=delivery.list_price, rate_id=delivery.rate_id)
    steps = [Step("list", delivery.service, ZERO, delivery.list_price, facts=listed)]
    if delivery.price != delivery.list_price:
        facts = StepFacts(value=delivery.price, base=delivery.free_from, rate_id=delivery.rate_id)
        steps.append(Step("sale", "", delivery.price - delivery.list_price, delivery.price, facts=facts))
    return PricedLine(
        id=DELIVERY_ID,
        quantity=1,
        unit_price=delivery.price,
        unit_discount=None,
        steps=(*steps, *tax_steps(delivery.price, "delivery", inputs.shop, inputs.tax)),
        rejected_offers=(),
        kind="delivery",
        tax_class="delivery",
    )


def _total_quote(inputs: QuoteInputs, lines: tuple[PricedLine, ...], refusals: tuple[Refusal, ...]) -> Quote:
    products = [line for line in lines if line.kind == "product"]
    subtotal = sum((line.unit_price * line.quantity for line in products), ZERO)
    return Quote(
        engine_version=VERSION,
        currency=inputs.shop.currency.code,
        price_mode=inputs.shop.price_mode,
        place=None if inputs.tax is None else inputs.tax.place,
        tax_kind="none" if inputs.tax is None else inputs.tax.kind,
        lines=lines,
        refusals=refusals,
        subtotal=subtotal,
        discount=subtotal - sum((line.offered for line in products), ZERO),
        delivery=sum((line.offered for line in lines if line.kind == "delivery"), ZERO),
        tax=sum((line.tax for line in lines), ZERO),
        removed_tax=sum((line.removed_tax for line in lines), ZERO),
        total=sum((line.total for line in lines), ZERO),
    )
