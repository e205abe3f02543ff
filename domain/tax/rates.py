"""Reads tax rates, and decides whether the buyer owes the tax."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import PreparedSelect
from domain.european_union import EU_COUNTRIES
from domain.postal_addresses.postal_codes import compact_code
from domain.shop_settings.shop import ShopSettings
from domain.tables import TaxRate
from domain.tax.context import GOODS, Components, TaxClass, TaxComponent, TaxContext
from domain.tax.places import Place, tax_place
from domain.tax.vat_ids import NORTHERN_IRELAND


@dataclass(frozen=True)
class Buyer:
    """Who is billed, at a place of tax. `vat_id`: as `vat_ids.check` returned it, "" for private people and businesses
    without one."""

    country: str
    vat_id: str = ""
    region: str = ""

    @property
    def place(self) -> Place:
        return Place(self.country, self.region)


class Rate(NamedTuple):
    """A row of tax_rates that holds on some day."""

    tax_class: TaxClass
    label: str
    percent: Decimal
    id: int
    country: str
    region: str
    replaces: bool
    postal_from: str
    postal_to: str

    @property
    def exactness(self) -> int:
        """2: names postal codes, 1: an area, 0: the whole country."""
        return 2 if self.postal_from else 1 if self.region else 0


_rates = TaxRate.__table__.c
_AT_PLACE = PreparedSelect(
    select(*(_rates[name] for name in Rate._fields))
    .where(
        or_(_rates.country == bindparam("country"), _rates.country == bindparam("own_country")),
        or_(_rates.region == "", _rates.region == bindparam("region")),
        _rates.starts_on <= bindparam("on"),
        or_(_rates.ends_on.is_(None), _rates.ends_on >= bindparam("on")),
    )
    .order_by(_rates.region, _rates.starts_on, _rates.id),
    Rate._make,
)


def tax_for(
    session: Session,
    place: Place,
    classes: Collection[TaxClass],
    on: date,
    buyer: Buyer,
    shop: ShopSettings,
    postal_code: str = "",
) -> TaxContext:
    """How lines of these classes are taxed at a place (`places.place_of`) on a day. `postal_code`: of that place, for
    rates of some postal codes alone.

    A class without a rate there is not taxed: the shop is not registered in that place.
    """
    home = tax_place({"country": shop.country, "country_area": shop.region})
    return TaxContext(
        place=place,
        rates=_rates_at(session, place, classes, on, postal_code),
        home_rates=_rates_at(session, home, classes, on) if shop.price_mode == "inclusive" else {},
        reverse_charge=_reverse_charge(place, home, classes, buyer) if shop.has_vat_id else frozenset(),
        buyer_vat_id=buyer.vat_id,
    )


def _rates_at(
    session: Session, place: Place, classes: Collection[TaxClass], on: date, postal_code: str = ""
) -> Mapping[TaxClass, Components]:
    """Rates of the whole country first, then those of the region."""
    rows = rates_on(session, place, on) if classes else ()
    rates: dict[TaxClass, Components] = {}
    for tax_class in dict.fromkeys(row.tax_class for row in rows if row.tax_class in classes):
        if used := charged(rows, place, tax_class, postal_code):
            rates[tax_class] = components_of(used)
    return rates


def rates_on(session: Session, place: Place, on: date) -> Sequence[Rate]:
    """The rows that name a place, or its whole country, on a day: of all classes and postal codes."""
    where = {"country": place.country, "own_country": place.own_country, "region": place.region}
    return _AT_PLACE.all(session, **where, on=on)


def charged(rows: Iterable[Rate], place: Place, tax_class: TaxClass, postal_code: str = "") -> list[Rate]:
    """The rates that a line of a class is charged, of those that `rates_on` found."""
    code = compact_code(postal_code)
    return _used([row for row in rows if row.tax_class == tax_class and _has_code(row, code)], place, tax_class)


def components_of(rows: Iterable[Rate]) -> Components:
    return tuple(TaxComponent(row.label, row.percent, row.id) for row in rows)


def _has_code(row: Rate, code: str) -> bool:
    """Whether a rate holds for a postal code; the ends of its range are beginnings of codes."""
    if not row.postal_from:
        return True
    first, last = compact_code(row.postal_from), compact_code(row.postal_to) or compact_code(row.postal_from)
    return bool(code) and first <= code[: len(first)] and code[: len(last)] <= last


def _used(rows: list[Rate], place: Place, tax_class: TaxClass) -> list[Rate]:
    """The rates of one class that are charged: those of a territory's own country code before all others, else those
    that replace, the most exact of them, else all, each a component."""
    own = [row for row in rows if row.country != place.country]
    if own and (place.own_country != NORTHERN_IRELAND or tax_class in GOODS):
        return _most_exact(own)
    of_country = [row for row in rows if row.country == place.country]
    return _most_exact([row for row in of_country if row.exactness or not place.is_outside])


def _most_exact(rows: Iterable[Rate]) -> list[Rate]:
    """The rates that replace, if any: of an area before those of the country, of postal codes before both."""
    rows = list(rows)
    exactness = max((row.exactness for row in rows if row.replaces), default=None)
    return [row for row in rows if exactness is None or (row.replaces and row.exactness == exactness)]


def _reverse_charge(place: Place, home: Place, classes: Collection[TaxClass], buyer: Buyer) -> frozenset[TaxClass]:
    """A business in another country of the European Union owes the tax itself (article 196 of directive 2006/112/EC);
    of goods only if they leave the shop's country for another one of the Union, or for Northern Ireland (article 138).
    VAT ids of other countries change nothing: what their businesses owe there is no matter of this law."""
    prefix = buyer.vat_id[:2]
    is_northern_irish = prefix == NORTHERN_IRELAND
    is_of_union = buyer.place.is_in_eu and ("GR" if prefix == "EL" else prefix) in EU_COUNTRIES
    owes_services = is_of_union and buyer.country != home.country
    goods_leave = place.country != home.country and place.is_in_eu_for_goods
    owes_goods = (owes_services or is_northern_irish) and goods_leave
    return frozenset(name for name in classes if (owes_goods if name in GOODS else owes_services))
