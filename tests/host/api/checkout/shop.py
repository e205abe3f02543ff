"""A site with rates of tax and delivery, and a learner who goes through its checkout."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone, ShopItem, TaxRate
from tests.host.signing import Learner
from tests.host.site import Site

SINCE = date(2020, 1, 1)
VAT, BOOK = "vat-basics", "tax-tables"
TERMS = "2026-10-01"
CALIFORNIA = {"billing.name": "Ada Lovelace", "billing.country": "US", "billing.country_area": "CA"}
BERLIN = {
    "delivery.country": "DE",
    "delivery.name": "Ada Lovelace",
    "delivery.street_address": "Linienstra\u00dfe 1",
    "delivery.city": "Berlin",
    "delivery.postal_code": "10115",
}


def add_rates(site: Site) -> None:
    """8 % on services in California; 19 % in Germany, where delivery of the book costs 4.90 or 9.90."""
    with site.db.write_session() as session:
        for country, region, percent in (("US", "CA", 8), ("DE", "", 19)):
            for tax_class in ("service", "book", "delivery"):
                place = {"country": country, "region": region, "label": "Tax" if region else "VAT"}
                session.add(TaxRate(**place, tax_class=tax_class, percent=Decimal(percent), starts_on=SINCE))
        zone = DeliveryZone(name="Germany")
        session.add(zone)
        session.flush()
        session.add(DeliveryPlace(zone_id=zone.id, country="DE"))
        for service, price in (("Standard", 490), ("Express", 990)):
            about = {"price_minor": price, "days_min": 1, "days_max": 1 if service == "Express" else 3}
            session.add(DeliveryRate(zone_id=zone.id, service=service, **about, starts_on=SINCE))
        book = session.get_one(ShopItem, site.id_of(BOOK))
        book.fulfilment, book.tax_class, book.stock = "shipped", "book", 5


@dataclass(frozen=True)
class Buyer:
    """A learner at the checkout."""

    learner: Learner

    async def show(self) -> dict[str, Any]:
        status, checkout = await self.learner.get("checkout")
        assert status == 200, checkout
        return checkout

    async def type(self, values: dict[str, str], service: str = "") -> tuple[int, dict[str, Any]]:
        return await self.learner.call("checkout", "PUT", values=values, service=service)

    async def order(self, typed: dict[str, str], **about: Any) -> tuple[int, dict[str, Any]]:
        """What the form with this typed would post, changed by `about`."""
        await self.type(typed, about.get("service", ""))
        checkout = await self.show()
        form = {"key": checkout["key"], "seen": checkout["seen"], "values": typed, "service": "", "terms": TERMS}
        return await self.learner.call("checkout", **{**form, **about})
