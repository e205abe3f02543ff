"""Which rates an order is charged: by place, class, day and buyer."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from domain.tables import TaxRate
from domain.tax.places import Place, parse_place, place_of
from domain.tax.rates import Buyer, tax_for
from tests.support.shops import SHOP

TODAY = date(2026, 3, 1)
GERMAN = replace(SHOP, country="DE", price_mode="inclusive")
PRIVATE = Buyer("DE")
FRENCH_BUSINESS = Buyer("FR", "FR40303265045")


def rate(session, place: str, percent: str, tax_class: str = "service", label: str = "VAT", **about) -> int:
    country, _, region = place.partition("-")
    values = {"starts_on": date(2025, 1, 1), **about}
    row = TaxRate(country=country, region=region, tax_class=tax_class, label=label, percent=Decimal(percent), **values)
    session.add(row)
    session.flush()
    return row.id


def charged(context) -> dict[str, list[tuple[str, Decimal]]]:
    return {name: [(each.label, each.percent) for each in rates] for name, rates in context.rates.items()}


def test_rates_of_the_country_come_before_those_of_the_region_and_each_is_a_component(session):
    regional = rate(session, "CA-QC", "9.975", label="QST")
    rate(session, "CA-ON", "8", label="HST")
    national = rate(session, "CA", "5", label="GST")
    context = tax_for(session, Place("CA", "QC"), {"service"}, TODAY, Buyer("CA"), SHOP)
    assert charged(context) == {"service": [("GST", Decimal("5.000")), ("QST", Decimal("9.975"))]}
    assert [component.rate_id for component in context.rates["service"]] == [national, regional]
    assert (context.kind, context.place) == ("standard", Place("CA", "QC"))


@pytest.mark.each_database
def test_a_rate_holds_from_its_first_to_its_last_day(session):
    rate(session, "DE", "19", ends_on=date(2026, 3, 1))
    rate(session, "DE", "16", starts_on=date(2026, 3, 2))
    days = (date(2024, 12, 31), TODAY, date(2026, 3, 2))
    found = [charged(tax_for(session, Place("DE"), {"service"}, day, PRIVATE, SHOP)) for day in days]
    assert found == [{}, {"service": [("VAT", Decimal(19))]}, {"service": [("VAT", Decimal(16))]}]


def test_without_a_rate_the_shop_is_not_registered_there(session):
    rate(session, "DE", "7", "book")
    context = tax_for(session, Place("DE"), {"service"}, TODAY, PRIVATE, SHOP)
    assert (charged(context), context.kind) == ({}, "none")


def test_inclusive_prices_contain_the_rates_of_the_shops_own_place(session):
    rate(session, "DE", "19")
    rate(session, "FR", "20")
    inclusive = tax_for(session, Place("FR"), {"service"}, TODAY, PRIVATE, GERMAN)
    exclusive = tax_for(session, Place("FR"), {"service"}, TODAY, PRIVATE, replace(GERMAN, price_mode="exclusive"))
    assert [component.percent for component in inclusive.home_components("service")] == [Decimal(19)]
    assert exclusive.home_components("service") == ()
    assert charged(inclusive) == charged(exclusive) == {"service": [("VAT", Decimal(20))]}


CLASSES = frozenset({"service", "book", "delivery"})
ALL, SERVICES, NOTHING = CLASSES, frozenset({"service"}), frozenset()
GOODS = CLASSES - SERVICES
# name -> (buyer, the shop's country, where it is taxed, classes whose tax the buyer owes)
REVERSE_CHARGE = {
    "a business in another country": (FRENCH_BUSINESS, "DE", "FR", ALL),
    "goods of such a business that stay in the shop's country": (FRENCH_BUSINESS, "DE", "DE", SERVICES),
    "goods of such a business that go to a third country": (FRENCH_BUSINESS, "DE", "AT", ALL),
    "a shop outside the Union": (FRENCH_BUSINESS, "US", "FR", ALL),
    "a business in the shop's own country": (Buyer("DE", "DE136695976"), "DE", "DE", NOTHING),
    "a private person": (Buyer("FR"), "DE", "FR", NOTHING),
    "a business outside the Union": (Buyer("CH", "CHE123456788"), "DE", "CH", NOTHING),
    "a British business": (Buyer("GB", "GB980780684"), "DE", "GB", NOTHING),
    "a business in Monaco": (Buyer("FR", "FR53000004605", "MC"), "DE", "FR-MC", ALL),
    "a business in Monaco of a French shop": (Buyer("FR", "FR53000004605", "MC"), "FR", "FR-MC", NOTHING),
    "a business on the Canary Islands": (Buyer("ES", "ESB58378431", "TF"), "DE", "ES-TF", NOTHING),
    "goods of a business of the Union to the Canary Islands": (FRENCH_BUSINESS, "DE", "ES-TF", SERVICES),
    "goods of a business of the Union to another continent": (FRENCH_BUSINESS, "DE", "US-CA", SERVICES),
    "goods to Northern Ireland": (Buyer("GB", "XI110305878"), "DE", "GB-XI", GOODS),
    "goods of such a business to England": (Buyer("GB", "XI110305878"), "DE", "GB", NOTHING),
    "goods to Northern Ireland under a British id": (Buyer("GB", "GB980780684"), "DE", "GB-XI", NOTHING),
}


@pytest.mark.parametrize(("buyer", "home", "place", "owed"), REVERSE_CHARGE.values(), ids=REVERSE_CHARGE)
def test_who_owes_the_tax(session, buyer, home, place, owed):
    shop = replace(SHOP, country=home)
    context = tax_for(session, parse_place(place), CLASSES, TODAY, buyer, shop)
    assert context.reverse_charge == owed
    assert (context.kind == "reverse_charge", context.buyer_vat_id) == (bool(owed), buyer.vat_id)


def test_without_a_vat_id_of_the_seller_no_business_owes_the_tax(session):
    rate(session, "FR", "20")
    context = tax_for(session, Place("FR"), CLASSES, TODAY, FRENCH_BUSINESS, replace(GERMAN, has_vat_id=False))
    assert (context.reverse_charge, context.kind, charged(context)) == (
        frozenset(),
        "standard",
        {"service": [("VAT", Decimal(20))]},
    )


def test_no_component_of_a_class_is_charged_whose_tax_the_buyer_owes(session):
    rate(session, "DE", "19")
    book = rate(session, "DE", "7", "book")
    context = tax_for(session, Place("DE"), CLASSES, TODAY, FRENCH_BUSINESS, GERMAN)
    assert context.components("service") == ()
    assert [component.rate_id for component in context.components("book")] == [book]
    assert [component.percent for component in context.home_components("service")] == [Decimal(19)]


def test_an_order_is_taxed_where_its_goods_go_else_where_the_buyer_is():
    home, shipped_to = Place("DE"), Place("CA", "QC")
    assert place_of(None, home) == home
    assert place_of(shipped_to, home) == shipped_to
    assert [place.text for place in (home, shipped_to)] == ["DE", "CA-QC"]
    assert [parse_place(text) for text in ("DE", "CA-QC")] == [home, shipped_to]


def percents(session, place: str, tax_class: str = "service", postal_code: str = "") -> list[float]:
    """What lines of a class are charged at a place."""
    context = tax_for(session, parse_place(place), {tax_class}, TODAY, PRIVATE, SHOP, postal_code)
    return [float(component.percent) for component in context.components(tax_class)]


def test_outside_the_vat_area_of_a_country_only_rates_that_name_the_place_are_charged(session):
    rate(session, "ES", "21")
    rate(session, "ES", "4", "book")
    rate(session, "ES-GC", "7", label="IGIC")
    charged = {place: percents(session, place) for place in ("ES-M", "ES", "ES-TF", "ES-GC", "ES-CE")}
    assert charged == {"ES-M": [21], "ES": [21], "ES-TF": [], "ES-GC": [7], "ES-CE": []}
    assert [percents(session, place, "book") for place in ("ES-M", "ES-TF", "ES-GC")] == [[4], [], []]


def test_a_territory_under_the_vat_of_another_country_is_charged_its_rates_or_its_own(session):
    rate(session, "FR", "20")
    rate(session, "GB", "20")
    rate(session, "GB", "0", "book")
    assert [percents(session, place) for place in ("FR-MC", "GB-IM", "GB-XI", "GB-JE")] == [[20], [20], [20], []]
    rate(session, "MC", "19")
    rate(session, "XI", "5", "book")
    rate(session, "XI", "23")
    assert [percents(session, place) for place in ("FR-MC", "FR", "GB-IM")] == [[19], [20], [20]]
    # Rates of Northern Ireland are for goods; services have those of the United Kingdom.
    assert [percents(session, "GB-XI", tax_class) for tax_class in ("book", "service")] == [[5], [20]]


@pytest.mark.each_database
def test_a_rate_that_replaces_is_charged_in_place_of_all_others_the_most_exact_one(session):
    rate(session, "PT", "23")
    rate(session, "PT", "22", replaces=True, postal_from="90", postal_to="94", label="Madeira")
    rate(session, "PT", "16", replaces=True, postal_from="95", postal_to="99", label="Azores")
    codes = ("1000-205", "9000-001", "9499-999", "9500-001", "9980-001", "")
    assert [percents(session, "PT", postal_code=code) for code in codes] == [[23], [22], [22], [16], [16], [23]]
    rate(session, "CA", "5", label="GST")
    rate(session, "CA-ON", "13", replaces=True, label="HST")
    rate(session, "CA-QC", "9.975", label="QST")
    rate(session, "CA-ON", "0", replaces=True, postal_from="P0V", label="None")
    found = [percents(session, place) for place in ("CA-AB", "CA-ON", "CA-QC")]
    assert (found, percents(session, "CA-ON", postal_code="P0V 1A0")) == ([[5], [13], [5, 9.975]], [0])


def test_a_rate_of_zero_for_postal_codes_takes_the_tax_away_where_the_table_knows_no_territory(session):
    rate(session, "AT", "20")
    rate(session, "AT", "19", replaces=True, postal_from="6691", label="Jungholz")
    rate(session, "AT", "0", replaces=True, postal_from="6991", postal_to="6993")
    codes = ("1010", "6691", "6992", "6994")
    assert [percents(session, "AT", postal_code=code) for code in codes] == [[20], [19], [0], [20]]
