"""What adding a tax rate would do, in words: the checkout's own rules with and without it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from sqlalchemy.orm import Session

from domain.display_text import day_text, money_text
from domain.locales import shop_locale
from domain.money import to_minor
from domain.pricing.taxes import tax_steps
from domain.rates.tax_rates import (
    CLASSES,
    TaxRateDraft,
    followed_by,
    own_place,
    place_text,
    rate_text,
    rates_of_class,
    rates_text,
)
from domain.shop_settings.shop import ShopSettings
from domain.tax.places import Place
from domain.tax.rates import Buyer, Rate, charged, components_of, rates_on, tax_for


def effects(session: Session, draft: TaxRateDraft, today: date, shop: ShopSettings) -> list[str]:
    """What adding the rate would do, in words, with what 100.00 would cost. Raises InvalidInput."""
    followed = followed_by(rates_of_class(session, draft), draft, today)
    place = _place_of(draft)
    rows = rates_on(session, place, draft.starts_on)
    before = charged(rows, place, draft.tax_class, draft.postal_from)
    new = Rate(
        *(draft.tax_class, draft.label, draft.percent, 0, draft.country, draft.region),
        *(draft.replaces, draft.postal_from, draft.postal_to),
    )
    ended = {row.id for row in followed}
    left = [row for row in rows if row.id not in ended]
    after = charged([*left, new], place, draft.tax_class, draft.postal_from)
    end = "" if draft.ends_on is None else f" until {day_text(draft.ends_on)}"
    of_class = f"{CLASSES[draft.tax_class]} to {place_text(draft)}"
    texts = [f"From {day_text(draft.starts_on)}{end}: {of_class} are charged {rates_text(after)}."]
    texts += [f"{rate_text(row)} ends on {day_text(draft.starts_on - timedelta(days=1))}." for row in followed]
    if replaced := [row for row in charged(left, place, draft.tax_class, draft.postal_from) if row not in after]:
        texts.append(f"It replaces {rates_text(replaced)} there.")
    if draft.ends_on is not None and followed:
        texts.append(f"After {day_text(draft.ends_on)} no rate of this name holds there: add the one that follows.")
    if new not in after:
        texts.append("It is not charged itself while a more exact rate replaces it.")
    with_rate, without = (_cost(session, draft, place, shop, found) for found in (after, before))
    texts.append(f"A price of {_amount(Decimal(100), shop)}: {with_rate}; without this rate {without}.")
    return texts


def _cost(session: Session, draft: TaxRateDraft, place: Place, shop: ShopSettings, rates: Iterable[Rate]) -> str:
    """What a price of 100 becomes."""
    buyer = Buyer(place.country, region=place.region)
    tax = tax_for(session, place, {draft.tax_class}, draft.starts_on, buyer, shop)
    tax = replace(tax, rates={draft.tax_class: components_of(rates)}, reverse_charge=frozenset())
    steps = tax_steps(Decimal(100), draft.tax_class, shop, tax)
    total = _amount(steps[-1].total if steps else Decimal(100), shop)
    included = sum((step.included for step in steps), Decimal(0))
    return f"{total}, {_amount(included, shop)} of it tax" if included else f"{total} to pay"


def _amount(amount: Decimal, shop: ShopSettings) -> str:
    return money_text(to_minor(amount, shop.currency), shop.currency, shop_locale())


def _place_of(draft: TaxRateDraft) -> Place:
    """A place that the rate names."""
    own = own_place(draft.country)
    return Place(draft.country, draft.region) if own is None else Place(own.country, own.code)
