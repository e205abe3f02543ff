"""Delivery: the zone of a place, and what its services cost for a weight, a sum and a day."""

from datetime import date

import pytest

from domain.delivery import rates, zones
from domain.delivery.rates import ShippedLine
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone
from domain.tax.places import Place

TODAY = date(2026, 3, 1)


def zone(session, name: str, *places: tuple[str, str], position: int = 0) -> DeliveryZone:
    row = DeliveryZone(name=name, position=position)
    session.add(row)
    session.flush()
    session.add_all(DeliveryPlace(zone_id=row.id, country=country, region=region) for country, region in places)
    session.flush()
    return row


def rate(session, zone: DeliveryZone, service: str = "Standard", price: int = 500, **about) -> DeliveryRate:
    values = {"from_g": 0, "to_g": None, "days_min": 2, "days_max": 5, "starts_on": date(2026, 1, 1), **about}
    row = DeliveryRate(zone_id=zone.id, service=service, price_minor=price, **values)
    session.add(row)
    session.flush()
    return row


def services(session, *lines: ShippedLine, country: str = "US", region: str = "", on: date = TODAY):
    return [
        (found.service, found.price_minor) for found in rates.services_for(session, Place(country, region), lines, on)
    ]


BOOK = ShippedLine(weight_g=400, quantity=1, total_minor=3_900)


@pytest.fixture
def domestic(session) -> DeliveryZone:
    return zone(session, "United States", ("US", ""), position=2)


@pytest.mark.each_database
def test_services_are_listed_from_the_cheapest_on(session, domestic):
    rate(session, domestic, "Express", 1_500, days_max=2)
    rate(session, domestic, "Post", 500, days_max=9)
    rate(session, domestic, "Courier", 500, days_max=3)
    assert services(session, BOOK) == [("Courier", 500), ("Post", 500), ("Express", 1_500)]


@pytest.mark.parametrize(("quantity", "price"), [(1, 500), (2, 500), (3, 900), (9, 900), (10, None)])
def test_the_weight_of_all_units_decides_the_rate(session, domestic, quantity, price):
    rate(session, domestic, price=500, to_g=1_000)
    rate(session, domestic, price=900, from_g=1_001, to_g=3_500)
    found = services(session, ShippedLine(300, 1, 0), ShippedLine(350, quantity, 3_900))
    assert found == ([] if price is None else [("Standard", price)])


@pytest.mark.parametrize(("total", "price"), [(7_499, 500), (7_500, 0), (9_000, 0)])
def test_a_service_is_free_from_a_sum_of_shipped_lines_on(session, domestic, total, price):
    rate(session, domestic, free_from_minor=7_500)
    [found] = rates.services_for(
        session, Place("US"), [ShippedLine(100, 1, total - 2_000), ShippedLine(100, 1, 2_000)], TODAY
    )
    assert (found.price_minor, found.list_price_minor, found.free_from_minor) == (price, 500, 7_500)


@pytest.mark.each_database
def test_a_rate_holds_from_its_first_to_its_last_day(session, domestic):
    rate(session, domestic, price=500, ends_on=date(2026, 3, 1))
    rate(session, domestic, price=600, starts_on=date(2026, 3, 2))
    days = (date(2025, 12, 31), date(2026, 3, 1), date(2026, 3, 2))
    assert [services(session, BOOK, on=day) for day in days] == [[], [("Standard", 500)], [("Standard", 600)]]


def test_of_two_rates_of_a_service_the_later_one_counts(session, domestic):
    rate(session, domestic, price=600, starts_on=date(2026, 2, 1))
    rate(session, domestic, price=500, starts_on=date(2026, 1, 1))
    assert services(session, BOOK) == [("Standard", 600)]


def test_a_region_has_its_own_zone_and_the_rest_of_the_country_the_general_one(session, domestic):
    islands = zone(session, "Alaska and Hawaii", ("US", "AK"), ("US", "HI"), position=3)
    rate(session, domestic, price=500)
    rate(session, islands, price=1_900)
    assert services(session, BOOK, region="HI") == [("Standard", 1_900)]
    assert services(session, BOOK, region="CA") == [("Standard", 500)]
    assert services(session, BOOK) == [("Standard", 500)]


def test_nothing_is_delivered_where_no_zone_is_and_the_refusal_names_the_country(session, domestic):
    rate(session, domestic, to_g=1_000)
    iceland = Place("IS")
    assert services(session, BOOK, country="IS") == []
    assert zones.zone_of(session, iceland) is None
    assert rates.refusal(session, iceland, "Iceland") == "We do not deliver to Iceland."
    too_heavy = "This order is too heavy to be delivered to United States. Order fewer items at once."
    assert services(session, ShippedLine(1_001, 1, 0)) == []
    assert rates.refusal(session, Place("US"), "United States") == too_heavy


def test_an_order_without_shipped_lines_has_no_delivery(session, domestic):
    rate(session, domestic)
    assert services(session) == []
    assert zones.countries(session) == ["US"]
