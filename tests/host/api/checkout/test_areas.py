"""Orders to areas whose name is long, on both databases: MariaDB refuses a value that is longer than its column."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.postal_addresses import countries as address_countries
from domain.postal_addresses import fields as address_fields
from domain.postal_addresses.validation import MAX_LENGTH
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone, Order, TaxRate
from tests.host.api.checkout.shop import BOOK, SINCE, VAT
from tests.host.site import Site

AREAS = {"IE": "Co. Dublin", "PA": "Panamá " + "x" * (MAX_LENGTH - 7)}


def sell_to(site: Site, country: str, area: str) -> None:
    """A rate of tax of the area alone, and a zone that is the area."""
    with site.db.write_session() as session:
        about = {"country": country, "region": area, "label": "VAT", "tax_class": "book", "starts_on": SINCE}
        session.add(TaxRate(**about, percent=Decimal(10)))
        zone = DeliveryZone(name=country)
        session.add(zone)
        session.flush()
        session.add(DeliveryPlace(zone_id=zone.id, country=country, region=area))
        price = {"price_minor": 100, "days_min": 1, "days_max": 3, "starts_on": SINCE}
        session.add(DeliveryRate(zone_id=zone.id, service="Standard", **price))


@pytest.mark.each_database
@pytest.mark.parametrize("country", AREAS)
async def test_a_book_to_an_area_with_a_long_name_is_taxed_delivered_and_ordered(selling_site, ada, country):
    area = AREAS[country]
    sell_to(selling_site, country, area)
    await ada.learner.add(BOOK)
    address = {"name": "Ada Lovelace", "street_address": "Main Street 1", "city": "Town", "country": country}
    typed = {f"delivery.{name}": value for name, value in {**address, "country_area": area}.items()}
    status, answer = await ada.order(typed)
    assert (status, answer["status"]) == (200, "success"), answer
    with selling_site.db.read_session() as session:
        order = session.scalars(select(Order)).one()
    assert (order.tax_place, order.tax_minor > 0, order.delivery_minor) == (f"{country}-{area}", True, 100)


def test_no_area_that_a_form_offers_is_longer_than_what_may_be_typed():
    fields = [field for country in address_countries.countries() for field in address_fields.fields_of(country)]
    offered = [option.value for field in fields if field.name == "country_area" for option in field.options]
    assert max(map(len, offered)) <= MAX_LENGTH


async def test_buyers_of_courses_in_spain_say_their_province_while_the_shop_has_a_rate_there(selling_site, ada):
    await ada.learner.add(VAT)
    names = []
    for percent in (None, 21):
        if percent:
            about = {"country": "ES", "label": "IVA", "tax_class": "service", "starts_on": SINCE}
            with selling_site.db.write_session() as session:
                session.add(TaxRate(**about, percent=Decimal(percent)))
        _, checkout = await ada.type({"billing.country": "ES", "billing.name": "Ada", "billing.country_area": "TF"})
        names.append([field["name"] for group in checkout["forms"] for field in group["fields"]][2:-1])
    assert names == [["billing.name"], ["billing.name", "billing.country_area"]]
    assert (checkout["totals"]["place"], checkout["totals"]["taxMinor"]) == ("ES-TF", 0)
    _, checkout = await ada.type({"billing.country": "ES", "billing.name": "Ada", "billing.country_area": "M"})
    assert (checkout["totals"]["place"], checkout["totals"]["taxMinor"] > 0) == ("ES-M", True)
