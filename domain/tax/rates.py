"""Reads tax rates, and decides whether the buyer owes the tax."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.shop_settings import ShopSettings
from domain.tables import TaxRate
from domain.tax.context import GOODS, Components, TaxClass, TaxComponent, TaxContext
from domain.tax.places import Place


@dataclass(frozen=True)
class Buyer:
    """Who is billed. `vat_id`: as `vat_ids.check` returned it, "" for private people and businesses without one."""

    country: str
    vat_id: str = ""


_rates = TaxRate.__table__.c
_AT_PLACE = PreparedSelect(
    select(_rates.tax_class, _rates.label, _rates.percent, _rates.id)
    .where(
        _rates.country == bindparam("country"),
        or_(_rates.region == "", _rates.region == bindparam("region")),
        _rates.starts_on <= bindparam("on"),
        or_(_rates.ends_on.is_(None), _rates.ends_on >= bindparam("on")),
    )
    .order_by(_rates.region, _rates.starts_on, _rates.id),
    tuple,
)


def tax_for(
    session: Session, place: Place, classes: Collection[TaxClass], on: date, buyer: Buyer, shop: ShopSettings
) -> TaxContext:
    """How lines of these classes are taxed at a place (`places.place_of`) on a day.

    A class without a rate there is not taxed: the shop is not registered in that place.
    """
    home = Place(shop.country, shop.region)
    return TaxContext(
        place=place,
        rates=_rates_at(session, place, classes, on),
        home_rates=_rates_at(session, home, classes, on) if shop.price_mode == "inclusive" else {},
        reverse_charge=_reverse_charge(place, home, classes, buyer) if shop.has_vat_id else frozenset(),
        buyer_vat_id=buyer.vat_id,
    )


def _rates_at(session: Session, place: Place, classes: Collection[TaxClass], on: date) -> Mapping[TaxClass, Components]:
    """Rates of the whole country first, then those of the region."""
    components: dict[TaxClass, Components] = {}
    rows = _AT_PLACE.all(session, country=place.country, region=place.region, on=on) if classes else ()
    for tax_class, label, percent, rate_id in rows:
        if tax_class in classes:
            component = TaxComponent(label, percent, rate_id)
            components[tax_class] = (*components.get(tax_class, ()), component)
    return components


def _reverse_charge(place: Place, home: Place, classes: Collection[TaxClass], buyer: Buyer) -> frozenset[TaxClass]:
    """A business in another country of the European Union owes the tax itself; of goods only if they leave the shop's
    country."""
    is_business_elsewhere = buyer.vat_id and Place(buyer.country).is_in_eu and buyer.country != home.country
    if not is_business_elsewhere:
        return frozenset()
    goods_leave = place.country != home.country
    return frozenset(tax_class for tax_class in classes if goods_leave or tax_class not in GOODS)
