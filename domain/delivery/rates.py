"""Delivery services for the shipped lines of an order, with what each costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.delivery.zones import zone_of
from domain.tables import DeliveryRate
from domain.tax.places import Place
from domain.text_direction import isolated


@dataclass(frozen=True)
class ShippedLine:
    """A line that is shipped: `weight_g` of one unit, `total_minor` of the line after offers and before tax."""

    weight_g: int
    quantity: int
    total_minor: int


@dataclass(frozen=True)
class Service:
    """`price_minor` is 0 when the order reaches `free_from_minor` of the rate; `list_price_minor` is what it costs
    below. Amounts are in minor units of the shop's currency, days are working days."""

    service: str
    price_minor: int
    list_price_minor: int
    free_from_minor: int | None
    days_min: int
    days_max: int
    rate_id: int
    zone_id: int


def services_for(session: Session, place: Place, lines: Sequence[ShippedLine], on: date) -> list[Service]:
    """The services that deliver these lines to the place, cheapest first; [] without lines, or if none delivers there.

    The weight of all lines decides the rate; a rate covers `from_g` to `to_g` grams, both included.
    """
    zone = zone_of(session, place) if lines else None
    if zone is None:
        return []
    weight_g = sum(line.weight_g * line.quantity for line in lines)
    query = (
        select(DeliveryRate)
        .where(
            DeliveryRate.zone_id == zone.id,
            DeliveryRate.from_g <= weight_g,
            or_(DeliveryRate.to_g.is_(None), DeliveryRate.to_g >= weight_g),
            DeliveryRate.starts_on <= on,
            or_(DeliveryRate.ends_on.is_(None), DeliveryRate.ends_on >= on),
        )
        .order_by(DeliveryRate.starts_on, DeliveryRate.id)
    )
    total_minor = sum(line.total_minor for line in lines)
    services = [_service(rate, total_minor) for rate in _newest(session.scalars(query))]
    return sorted(services, key=lambda service: (service.price_minor, service.days_max, service.service))


def refusal(session: Session, place: Place, country_name: str) -> str:
    """Why `services_for` has none for the place, for the learner, with the country's name."""
    if zone_of(session, place) is None:
        return f"We do not deliver to {country_name}."
    return f"This order is too heavy to be delivered to {isolated(country_name)}. Order fewer items at once."


def _newest(rates: Iterable[DeliveryRate]) -> Iterable[DeliveryRate]:
    """One rate of each service: the one that began last."""
    return {rate.service: rate for rate in rates}.values()


def _service(rate: DeliveryRate, total_minor: int) -> Service:
    is_free = rate.free_from_minor is not None and total_minor >= rate.free_from_minor
    return Service(
        service=rate.service,
        price_minor=0 if is_free else rate.price_minor,
        list_price_minor=rate.price_minor,
        free_from_minor=rate.free_from_minor,
        days_min=rate.days_min,
        days_max=rate.days_max,
        rate_id=rate.id,
        zone_id=rate.zone_id,
    )
