"""All delivery rates as a list for staff, and one of them."""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.errors import NotFound
from domain.rates.delivery_rates import UNKNOWN
from domain.rates.periods import DAY, OF_STATE, State, state_column
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone
from domain.tax.places import Place, parse_place

_rates = DeliveryRate.__table__.c
_NAMES = (
    *("id", "zone_id", "service", "from_g", "to_g", "price_minor", "free_from_minor", "days_min", "days_max"),
    *("starts_on", "ends_on"),
)


class DeliveryRateRow(NamedTuple):
    """The columns of tables.DeliveryRate, with the zone's name, its places (such as DE,AT-7), and `state`: whether it
    holds today."""

    id: int
    zone_id: int
    service: str
    from_g: int
    to_g: int | None
    price_minor: int
    free_from_minor: int | None
    days_min: int
    days_max: int
    starts_on: date
    ends_on: date | None
    zone: str
    countries: str
    state: State

    @property
    def places(self) -> list[Place]:
        return [parse_place(text) for text in self.countries.split(",")] if self.countries else []


_PLACE = DeliveryPlace.country + "-" + DeliveryPlace.region
_ROWS = select(
    *(_rates[name] for name in _NAMES),
    select(DeliveryZone.name).where(DeliveryZone.id == _rates.zone_id).scalar_subquery(),
    select(func.group_concat(case((DeliveryPlace.region == "", DeliveryPlace.country), else_=_PLACE)))
    .where(DeliveryPlace.zone_id == _rates.zone_id)
    .scalar_subquery(),
    state_column(_rates),
)


def delivery_rates(today: Callable[[], date]) -> ListSource[DeliveryRateRow]:
    """All of them, with their states of `today`."""
    return ListSource(
        rows=_ROWS,
        make=DeliveryRateRow._make,
        key=_rates.id,
        filters={"state": lambda name: OF_STATE[name](_rates, today())},
        parameters={DAY: today},
    )


def rate_of(session: Session, rate_id: int, today: date) -> DeliveryRateRow:
    """Raises NotFound."""
    row = session.execute(_ROWS.where(_rates.id == rate_id), {DAY: today}).one_or_none()
    if row is None:
        raise NotFound(UNKNOWN)
    return DeliveryRateRow._make(row)


def all_rates(session: Session, today: date) -> list[DeliveryRateRow]:
    """By zone and service."""
    order = (_rates.zone_id, _rates.service, _rates.from_g, _rates.starts_on, _rates.id)
    return [DeliveryRateRow._make(row) for row in session.execute(_ROWS.order_by(*order), {DAY: today})]
