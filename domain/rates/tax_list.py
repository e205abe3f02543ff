"""All tax rates as a list for staff, and one of them."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from sqlalchemy import ColumnElement, bindparam, case, or_, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.rates.tax_rates import UNKNOWN
from domain.tables import TaxRate

_rates = TaxRate.__table__.c
State = Literal["planned", "now", "ended"]
_NAMES = (
    *("id", "country", "region", "tax_class", "label", "percent", "replaces", "postal_from", "postal_to"),
    *("starts_on", "ends_on"),
)


class TaxRateRow(NamedTuple):
    """The columns of tables.TaxRate, and `state`: whether the rate holds today."""

    id: int
    country: str
    region: str
    tax_class: str
    label: str
    percent: Decimal
    replaces: bool
    postal_from: str
    postal_to: str
    starts_on: date
    ends_on: date | None
    state: State


def today() -> date:
    """The day by which orders are taxed: in UTC."""
    return datetime.now(UTC).date()


def _state(day: ColumnElement[date]) -> ColumnElement[str]:
    return case((_rates.starts_on > day, "planned"), (_rates.ends_on < day, "ended"), else_="now")


_ROWS = select(*(_rates[name] for name in _NAMES), _state(bindparam("today", type_=_rates.starts_on.type)))
_OF_STATE: dict[str, Callable[[date], ColumnElement[bool]]] = {
    "planned": lambda day: _rates.starts_on > day,
    "now": lambda day: (_rates.starts_on <= day) & or_(_rates.ends_on.is_(None), _rates.ends_on >= day),
    "ended": lambda day: _rates.ends_on < day,
}

TAX_RATES = ListSource(
    rows=_ROWS,
    make=TaxRateRow._make,
    key=_rates.id,
    sorts={"place": _rates.country},
    filters={
        "country": lambda text: _rates.country == text.strip().upper(),
        "class": lambda name: _rates.tax_class == name,
        "state": lambda name: _OF_STATE[name](today()),
    },
    parameters={"today": today},
)


def rate_of(session: Session, rate_id: int) -> TaxRateRow:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_rates.id == rate_id), {"today": today()}).one_or_none()
    if row is None:
        raise NotFound(UNKNOWN)
    return TaxRateRow._make(row)


def all_rates(session: Session) -> list[TaxRateRow]:
    """By place and class, as their index has them."""
    order = (_rates.country, _rates.region, _rates.tax_class, _rates.starts_on, _rates.id)
    return [TaxRateRow._make(row) for row in session.execute(_ROWS.order_by(*order), {"today": today()})]
