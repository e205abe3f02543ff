"""Tax rates and delivery rates of the demo shop. They are examples: a real shop enters its own."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.money import Currency, to_minor
from domain.seed.prices import price
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone, TaxRate

FILE = Path(__file__).parent / "tax_and_delivery.json"
# Rates are valid from here on, whatever day the demo is loaded.
STARTS_ON = date(2025, 1, 1)

Row = dict[str, Any]


def add(session: Session, currency: Currency) -> None:
    """Add the rates to a shop that has none; a shop with any rate keeps its own."""
    rows: Row = json.loads(FILE.read_text("utf-8"))
    if session.scalar(select(TaxRate.id).limit(1)) is None:
        session.add_all(rate for row in rows["tax_rates"] for rate in _tax_rates(row))
    if session.scalar(select(DeliveryZone.id).limit(1)) is None:
        for position, row in enumerate(rows["delivery_zones"], start=1):
            _add_zone(session, row, position, currency)
    session.flush()


def _tax_rates(row: Row) -> list[TaxRate]:
    place = {name: row[name] for name in ("country", "region", "label")}
    return [
        TaxRate(**place, tax_class=tax_class, percent=Decimal(percent), starts_on=STARTS_ON)
        for tax_class, percent in row["percent"].items()
    ]


def _add_zone(session: Session, row: Row, position: int, currency: Currency) -> None:
    zone = DeliveryZone(name=row["name"], position=position)
    session.add(zone)
    session.flush()
    session.add_all(DeliveryPlace(zone_id=zone.id, country=country) for country in row["countries"])
    session.add_all(_delivery_rate(zone.id, rate, currency) for rate in row["rates"])


def _delivery_rate(zone_id: int, row: Row, currency: Currency) -> DeliveryRate:
    days_min, days_max = row["days"]
    free_from = row["free_from"]
    return DeliveryRate(
        zone_id=zone_id,
        service=row["service"],
        from_g=row["from_g"],
        to_g=row["to_g"],
        price_minor=to_minor(price(row["price"], currency), currency),
        free_from_minor=None if free_from is None else to_minor(price(free_from, currency), currency),
        days_min=days_min,
        days_max=days_max,
        starts_on=STARTS_ON,
    )
