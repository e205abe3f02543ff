"""Adding and ending tax rates: what was charged never changes, and no name is charged twice by mistake."""

from datetime import date
from decimal import Decimal

import pytest

from domain.audit import recording
from domain.errors import InvalidInput, Refused
from domain.permissions import SystemActor
from domain.rates import tax_effects, tax_list, tax_rates
from domain.tables import TaxRate
from tests.domain.tax.test_rates import GERMAN, rate
from tests.support.factories import NOON
from tests.support.shops import SHOP

TODAY = date(2026, 3, 1)
TYPED = {"country": "de", "taxClass": "book", "label": "VAT", "percent": "7 %", "startsOn": "2026-07-01"}


def typed(**values: str):
    return tax_rates.read_draft(TYPED | values, TODAY)


def change(session, fn, *args):
    return recording.run(session, SystemActor("command", NOON), fn, *args)


def stored(session) -> list[tuple[str, str, date, date | None]]:
    rows = session.query(TaxRate).order_by(TaxRate.starts_on, TaxRate.id)
    return [(row.label, f"{row.percent.normalize():f}", row.starts_on, row.ends_on) for row in rows]


WRONG = {
    "country": ("Germany", "no country"),
    "region": ("Bavaria", "addresses of Germany have no areas"),
    "taxClass": ("books", "no class"),
    "label": ("", "no name"),
    "percent": ("19,0001", "no number"),
    "startsOn": ("1.7.2026", "no day"),
    "endsOn": ("2026-06-30", "a last day before the first"),
    "replaces": ("perhaps", "neither yes nor no"),
    "postalTo": ("22", "no first postal code"),
}


@pytest.mark.parametrize("field", WRONG)
def test_what_is_typed_wrong_is_named_with_its_field(field):
    with pytest.raises(InvalidInput) as refused:
        typed(**{field: WRONG[field][0]})
    assert [*refused.value.errors] == ["postalFrom" if field == "postalTo" else field]


def test_an_area_is_known_by_its_code_its_name_and_as_a_territory():
    regions = [typed(country=country, region=name).region for country, name in AREAS]
    assert regions == ["QC", "QC", "GC", "Livigno"]


AREAS = [("CA", "QC"), ("CA", "quebec"), ("ES", "GC"), ("IT", "Livigno")]


def test_without_a_first_day_a_rate_begins_today():
    assert typed(startsOn="").starts_on == TODAY


@pytest.mark.each_database
def test_a_rate_of_the_same_name_follows_the_one_that_holds(session):
    rate(session, "DE", "5", "book")
    rate(session, "DE", "19", "goods")
    change(session, tax_rates.add, typed(), TODAY)
    assert stored(session) == [
        ("VAT", "5", date(2025, 1, 1), date(2026, 6, 30)),
        ("VAT", "19", date(2025, 1, 1), None),
        ("VAT", "7", date(2026, 7, 1), None),
    ]


# Name -> (rate that is there, what is added, the field that says why not)
CONFLICTS = {
    "a first day in the past": ({}, {"startsOn": "2026-02-28"}, "startsOn"),
    "one that begins later": ({"starts_on": date(2026, 8, 1)}, {}, "startsOn"),
    "an area that would be charged both": ({"place": "CA"}, {"country": "CA", "region": "QC"}, "replaces"),
    "postal codes that would be charged both": ({}, {"postalFrom": "90"}, "replaces"),
    "postal codes that overlap": (
        {"postal_from": "90", "postal_to": "94", "replaces": True},
        {"postalFrom": "930", "replaces": "yes"},
        "postalFrom",
    ),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_a_rate_that_would_be_charged_twice_or_in_the_past_is_refused(session, name):
    there, added, field = CONFLICTS[name]
    rate(session, there.pop("place", "DE"), "5", "book", **there)
    before = stored(session)
    with pytest.raises(InvalidInput) as refused:
        change(session, tax_rates.add, typed(**added), TODAY)
    assert ([*refused.value.errors], stored(session)) == ([field], before)


ALLOWED = {
    "another name is another component": {"label": "Book levy"},
    "a more exact rate that replaces": {"postalFrom": "27498", "percent": "0", "replaces": "yes"},
    "after the end of the other": {"startsOn": "2027-01-01"},
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_charged_once_is_added(session, name):
    rate(session, "DE", "5", "book", ends_on=date(2026, 12, 31))
    change(session, tax_rates.add, typed(**ALLOWED[name]), TODAY)
    assert [ends_on for _, percent, _, ends_on in stored(session) if percent == "5"] == [date(2026, 12, 31)]
    assert len(stored(session)) == 2


def test_the_last_day_may_change_until_it_is_over(session):
    number = rate(session, "DE", "5", "book", ends_on=TODAY)
    with pytest.raises(InvalidInput):
        change(session, tax_rates.set_last_day, number, date(2026, 2, 28), TODAY)
    change(session, tax_rates.set_last_day, number, None, TODAY)
    assert stored(session)[0][3] is None
    change(session, tax_rates.set_last_day, number, TODAY, TODAY)
    with pytest.raises(Refused):
        change(session, tax_rates.set_last_day, number, None, date(2026, 3, 2))
    assert stored(session)[0][3] == TODAY


def test_a_rate_that_has_begun_is_not_taken_back(session):
    number = change(session, tax_rates.add, typed(), TODAY)
    with pytest.raises(Refused):
        change(session, tax_rates.withdraw, number, date(2026, 7, 1))
    change(session, tax_rates.withdraw, number, date(2026, 6, 30))
    assert stored(session) == []


EFFECTS = {
    "exclusive": (
        SHOP,
        {},
        [
            "From July 1, 2026: Books to Germany are charged VAT 7%.",
            "VAT 5% ends on June 30, 2026.",
            "A price of $100.00: $107.00 to pay; without this rate $105.00 to pay.",
        ],
    ),
    "inclusive": (
        GERMAN,
        {"endsOn": "2026-12-31"},
        [
            "From July 1, 2026 until December 31, 2026: Books to Germany are charged VAT 7%.",
            "VAT 5% ends on June 30, 2026.",
            "After December 31, 2026 no rate of this name holds there: add the one that follows.",
            "A price of $100.00: $100.00, $6.54 of it tax; without this rate $100.00, $4.76 of it tax.",
        ],
    ),
    "an exception": (
        SHOP,
        {"postalFrom": "27498", "percent": "0", "replaces": "yes"},
        [
            "From July 1, 2026: Books to Germany, postal codes 27498 are charged VAT 0%.",
            "It replaces VAT 5% there.",
            "A price of $100.00: $100.00 to pay; without this rate $105.00 to pay.",
        ],
    ),
    "beside another": (
        SHOP,
        {"label": "Book levy", "percent": "1"},
        [
            "From July 1, 2026: Books to Germany are charged VAT 5% and Book levy 1%.",
            "A price of $100.00: $106.00 to pay; without this rate $105.00 to pay.",
        ],
    ),
}


@pytest.mark.parametrize("name", EFFECTS)
def test_what_a_rate_will_do_is_said_before(session, name):
    shop, added, texts = EFFECTS[name]
    rate(session, "DE", "5", "book")
    assert tax_effects.effects(session, typed(**added), TODAY, shop) == texts


def test_a_file_is_imported_whole_or_not_at_all(session):
    rows = [TYPED, TYPED | {"percent": "much"}]
    with pytest.raises(Refused, match="Row 2: Write a percentage"):
        change(session, tax_rates.import_rates, rows, TODAY)
    session.rollback()
    assert change(session, tax_rates.import_rates, [TYPED], TODAY) == 1
    assert [(row.percent, row.label) for row in tax_list.all_rates(session, TODAY)] == [(Decimal(7), "VAT")]
