"""All tax rates as a list for staff, and one of them."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.rates.periods import DAY, OF_STATE, State, state_column
from domain.rates.tax_rates import UNKNOWN
from domain.tables import TaxRate
from domain.tax.context import TaxClass

_rates = TaxRate.__table__.c
_NAMES = (
    *("id", "country", "region", "tax_class", "label", "percent", "replaces", "postal_from", "postal_to"),
    *("starts_on", "ends_on"),
)


class TaxRateRow(NamedTuple):
    """The columns of tables.TaxRate, and `state`: whether the rate holds today."""

    id: int
    country: str
    region: str
    tax_class: TaxClass
    label: str
    percent: Decimal
    replaces: bool
    postal_from: str
    postal_to: str
    starts_on: date
    ends_on: date | None
    state: State


_ROWS = select(*(_rates[name] for name in _NAMES), state_column(_rates))


def tax_rates(today: Callable[[], date]) -> ListSource[TaxRateRow]:
    """All of them, with their states of `today`."""
    return ListSource(
        rows=_ROWS,
        make=TaxRateRow._make,
        key=_rates.id,
        sorts={"place": _rates.country},
        filters={
            "country": lambda text: _rates.country == text.strip().upper(),
            "class": lambda name: _rates.tax_class == name,
            "state": lambda name: OF_STATE[name](_rates, today()),
        },
        parameters={DAY: today},
    )


def rate_of(session: Session, rate_id: int, today: date) -> TaxRateRow:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_rates.id == rate_id), {DAY: today}).one_or_none()
    if row is None:
        raise NotFound(UNKNOWN)
    return TaxRateRow._make(row)


def all_rates(session: Session, today: date) -> list[TaxRateRow]:
    """By place and class, as their index has them."""
    order = (_rates.country, _rates.region, _rates.tax_class, _rates.starts_on, _rates.id)
    return [TaxRateRow._make(row) for row in session.execute(_ROWS.order_by(*order), {DAY: today})]
