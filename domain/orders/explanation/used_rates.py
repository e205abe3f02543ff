"""Which tax rates an order was charged, and which of them replaced others, as those of an exceptional area do."""

from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from domain.display_text import percent_text
from domain.pricing import quote_reader
from domain.pricing.quote import Quote
from domain.tables import Order
from domain.tax.context import TaxClass
from domain.tax.rates import charged, rates_on


@dataclass(frozen=True)
class UsedRates:
    """The rates of the lines of one class, in words: `used` such as "VAT 0 % (rate 31)", or why there is none;
    `replaced`: what would have been charged otherwise, "" for nothing."""

    tax_class: TaxClass
    used: str
    replaced: str

    @property
    def text(self) -> str:
        return f"{self.used} in place of {self.replaced}" if self.replaced else self.used


def used_rates(session: Session, order: Order, quote: Quote) -> list[UsedRates]:
    """For each class of product in the order. `quote`: its prices, as they are stored or computed again."""
    place = quote.place
    if place is None:
        return []
    rows = rates_on(session, place, order.placed_at.date())
    found = []
    for tax_class in dict.fromkeys(line.tax_class for line in quote.lines):
        steps = [step for line in quote.lines if line.tax_class == tax_class for step in line.taxes]
        used = {step.facts.rate_id: (step, step.facts) for step in steps if step.facts is not None}
        replacing = [row for row in rows if row.id in used and row.replaces]
        others = charged([row for row in rows if row.id not in used], place, tax_class) if replacing else []
        texts = [_text(step.name, facts.percent, facts.rate_id) for step, facts in used.values()]
        none = "owed by the buyer" if quote.tax_kind == "reverse_charge" else "no rate holds there"
        replaced = " and ".join(_text(row.label, row.percent, row.id) for row in others)
        found.append(UsedRates(tax_class, " and ".join(texts) or none, replaced))
    return found


def stored_rates(session: Session, order: Order) -> tuple[UsedRates, ...]:
    """`used_rates` by the prices as they are stored. None when these cannot be read, which `orders explain` names: the
    page of an order is shown all the same."""
    try:
        _inputs, quote = quote_reader.from_json(order.quote)
    except (KeyError, TypeError, ValueError):
        return ()
    return tuple(used_rates(session, order, quote))


def _text(label: str, percent: Decimal | None, rate_id: int | None) -> str:
    return f"{label} {percent_text(percent or Decimal(0))} (rate {rate_id})"
