"""The delivery zone of a place."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import DeliveryPlace, DeliveryZone
from domain.tax.places import Place


def zone_of(session: Session, place: Place) -> DeliveryZone | None:
    """The zone that names the place's region, else the one that names its whole country; of several the first by
    position. None: nothing is delivered there."""
    query = (
        select(DeliveryZone, DeliveryPlace.region)
        .join(DeliveryPlace, DeliveryPlace.zone_id == DeliveryZone.id)
        .where(DeliveryPlace.country == place.country, DeliveryPlace.region.in_({"", place.region}))
        .order_by(DeliveryZone.position, DeliveryZone.id)
    )
    rows = session.execute(query).all()
    zones_of_region = [zone for zone, region in rows if region == place.region]
    return next(iter(zones_of_region or [zone for zone, _ in rows]), None)


def countries(session: Session) -> list[str]:
    """The countries to which anything is delivered, at least to a part of them."""
    return list(session.scalars(select(DeliveryPlace.country).distinct().order_by(DeliveryPlace.country)))
