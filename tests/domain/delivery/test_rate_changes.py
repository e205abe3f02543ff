"""Adding and ending delivery rates: what orders were charged stays, and no weight has two rates of a service."""

from datetime import date

import pytest

from domain.audit import recording
from domain.audit.recording import Subject
from domain.delivery.rates import ShippedLine, services_for
from domain.errors import InvalidInput, Refused
from domain.permissions import SystemActor
from domain.rates import delivery_list, delivery_rates, delivery_zones
from domain.staff.recorded_events import subject_entries
from domain.tax.places import Place
from tests.support.factories import NOON
from tests.support.shops import USD

TODAY = date(2026, 3, 1)
LATER = date(2026, 7, 1)
TYPED = {
    **{"zone": "Alps", "countries": "CH, at-7", "service": "Standard", "toGrams": "2000", "price": "4.90"},
    **{"freeFrom": "50", "daysMin": "2", "daysMax": "4"},
}
NEXT = {"countries": "", "price": "5.50", "startsOn": LATER.isoformat()}


def change(session, fn, *args):
    return recording.run(session, SystemActor("command", NOON), fn, *args)


def add(session, **values: str) -> int:
    zone, draft = delivery_rates.read_draft(TYPED | values, USD, TODAY)
    return change(session, delivery_rates.add, zone, draft, TODAY)


def price(session, day: date, country: str = "CH", region: str = "") -> list[int]:
    lines = [ShippedLine(weight_g=400, quantity=2, total_minor=2_000)]
    return [service.price_minor for service in services_for(session, Place(country, region), lines, day)]


@pytest.mark.each_database
def test_a_rate_brings_its_zone_and_the_next_one_follows_it(session):
    add(session)
    add(session, **NEXT)
    assert [price(session, day) for day in (TODAY, date(2026, 6, 30), LATER)] == [[490], [490], [550]]
    assert [price(session, LATER, "AT", region) for region in ("7", "9")] == [[550], []]
    rows = [(row.zone, row.state, row.ends_on) for row in delivery_list.all_rates(session, TODAY)]
    assert [row[2] for row in rows] == [date(2026, 6, 30), None]


WRONG = {
    "countries": "Switzerland",
    "service": "",
    "toGrams": "-1",
    "price": "much",
    "freeFrom": "0.001",
    "daysMax": "1",
    "startsOn": "soon",
    "endsOn": "2026-02-01",
}


@pytest.mark.parametrize("field", WRONG)
def test_what_is_typed_wrong_is_named_with_its_field(field):
    with pytest.raises(InvalidInput) as refused:
        delivery_rates.read_draft(TYPED | {field: WRONG[field]}, USD, TODAY)
    assert [*refused.value.errors] == [field]


CONFLICTS = {
    "a first day in the past": (NEXT | {"startsOn": "2026-02-28"}, "startsOn"),
    "the same first day": (NEXT | {"startsOn": ""}, "startsOn"),
    "some of the weights": (NEXT | {"toGrams": "1000"}, "fromGrams"),
    "a new zone without countries": (NEXT | {"zone": "Sea"}, "countries"),
    "other countries of a zone": (NEXT | {"countries": "DE"}, "countries"),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_two_rates_for_one_parcel_are_refused(session, name):
    values, field = CONFLICTS[name]
    add(session)
    with pytest.raises(InvalidInput) as refused:
        add(session, **values)
    assert [*refused.value.errors] == [field]
    assert len(delivery_list.all_rates(session, TODAY)) == 1


def test_a_rate_ends_today_or_later_and_is_taken_back_before_it_begins(session):
    first, second = add(session), add(session, **NEXT)
    with pytest.raises(InvalidInput, match="begins on July 1, 2026"):
        change(session, delivery_rates.set_last_day, first, None, TODAY)
    change(session, delivery_rates.withdraw, second, TODAY)
    with pytest.raises(Refused):
        change(session, delivery_rates.withdraw, first, TODAY)
    change(session, delivery_rates.set_last_day, first, TODAY, TODAY)
    assert [price(session, day) for day in (TODAY, LATER)] == [[490], []]


def test_what_a_rate_will_do_is_said_before(session):
    add(session)
    zone, draft = delivery_rates.read_draft(TYPED | NEXT, USD, TODAY)
    assert delivery_rates.effects(session, zone, draft, TODAY, USD) == [
        "From July 1, 2026: Standard to Switzerland; Austria, 7 costs $5.50 (nothing from $50.00 on) for 0 to 2,000 g, "
        "in 2 to 4 working days.",
        "Standard for $4.90 (nothing from $50.00 on) ends on June 30, 2026.",
    ]


FOUND = {
    "aus": ["AU", "AT"],
    "at": ["AT"],
    "canada, q": ["CA-QC"],
    "ca, quebec": ["CA-QC"],
    "atlantis": [],
}


@pytest.mark.parametrize("typed", FOUND)
def test_places_are_found_by_their_names(typed):
    assert [place.text for place in delivery_zones.find_places(typed)][: len(FOUND[typed]) or 1] == FOUND[typed]


@pytest.mark.each_database
def test_other_countries_of_a_zone_are_delivered_to_at_once_and_recorded(session):
    add(session)
    (zone_id,) = {row.zone_id for row in delivery_list.all_rates(session, TODAY)}
    change(session, delivery_zones.change_places, zone_id, delivery_zones.read_places(["CH", "CA-qc"]), "A new carrier")
    assert [price(session, TODAY, *place) for place in (("CH", ""), ("CA", "QC"), ("AT", "7"))] == [[490], [490], []]
    assert [row.countries for row in delivery_list.all_rates(session, TODAY)] == ["CH,CA-QC"]
    (event, _) = subject_entries(session, Subject("delivery_zone", zone_id))
    assert (event.before, event.after) == ({"places": ["CH", "AT-7"]}, {"places": ["CH", "CA-QC"]})
    assert event.reason == "A new carrier"


def test_what_a_change_of_countries_will_do_is_said_before(session):
    add(session)
    add(session, zone="Sea", countries="GB", service="Ship")
    add(session, zone="Snow", countries="NO AT", service="Sledge")
    ids = {row.zone: row.zone_id for row in delivery_list.all_rates(session, TODAY)}
    places = delivery_zones.read_places(["CH", "NO", "IS"])
    assert delivery_zones.effects(session, ids["Sea"], places, TODAY) == [
        "Switzerland stays in the zone Alps, which comes before this one.",
        "Norway: delivered by the rates of this zone.",
        "Norway leaves the zone Snow.",
        "Iceland: delivered by the rates of this zone.",
        "United Kingdom: nothing is delivered there any more.",
        "Orders that are placed keep what they were charged.",
    ]
    texts = delivery_zones.effects(session, ids["Alps"], delivery_zones.read_places(["CH"]), date(2026, 2, 1))
    assert texts[:2] == [
        "Austria, 7: delivered by the rates of the zone Snow.",
        "The zone has no rate today, so nothing is delivered by it.",
    ]
    same = delivery_zones.read_places(["GB"])
    assert delivery_zones.effects(session, ids["Sea"], same, TODAY) == ["Nothing changes."]
    with pytest.raises(InvalidInput):
        delivery_zones.read_places([])


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        ("DE", "Germany"),
        ("DE AT FR IT", "Germany; Austria; France; Italy"),
        ("DE AT FR IT ES", "Germany; Austria; France and 2 more"),
    ],
)
def test_a_row_names_few_countries_of_a_zone_with_many(codes, text):
    assert delivery_zones.short_places_text([Place(code) for code in codes.split()]) == text
