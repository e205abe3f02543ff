"""Changing the price of one product by hand."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.catalogue.changes import bump_version
from domain.errors import NotFound, Refused
from domain.publishing.prices import change_price
from domain.tables import CatalogueVersion, Product
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import JPY, KWD, USD

LATER = NOON + timedelta(days=1)


@pytest.fixture
def tax_category(session):
    bump_version(session)
    return factories.category(session).id


def version(session):
    return session.scalar(select(CatalogueVersion.number))


def test_a_new_sale_begins_at_once_without_an_end(session, tax_category):
    course = factories.course(session, tax_category, sale_price=Decimal("80"), sale_until=NOON)
    before = version(session)
    assert change_price(session, "vat-basics", Decimal("90"), Decimal("45.5"), LATER, USD) == course.id
    assert (course.list_price, course.sale_price, course.sale_until) == (Decimal("90.00"), Decimal("45.50"), None)
    assert (course.updated_at, version(session)) == (LATER, before + 1)


def test_a_sale_that_has_ended_can_begin_again(session, tax_category):
    course = factories.course(session, tax_category, sale_price=Decimal("80"), sale_until=NOON)
    change_price(session, "vat-basics", Decimal("100"), Decimal("80"), LATER, USD)
    assert course.sale_until is None


def test_a_running_sale_keeps_its_end_when_only_the_price_changes(session, tax_category):
    course = factories.course(session, tax_category, sale_price=Decimal("80"), sale_until=LATER)
    change_price(session, "vat-basics", Decimal("120"), Decimal("80"), NOON, USD)
    assert (course.list_price, course.sale_until) == (Decimal("120.00"), LATER)


def test_the_same_price_again_changes_nothing(session, tax_category):
    course = factories.course(session, tax_category, sale_price=None)
    before = version(session)
    change_price(session, "vat-basics", Decimal("100"), None, LATER, USD)
    assert (course.updated_at, version(session)) == (NOON, before)


@pytest.mark.parametrize(
    ("price", "sale", "words"),
    [
        ("90", "90", "The sale price 90.00 must be below the price 90.00."),
        ("-1", None, "A price lies between 0 and 9999999999.99."),
        ("10000000000", None, "A price lies between 0 and 9999999999.99."),
        ("NaN", None, "A price lies between 0 and 9999999999.99."),
    ],
    ids=["sale not below", "negative", "too large", "no number"],
)
def test_an_invalid_price_is_refused(session, tax_category, price, sale, words):
    course = factories.course(session, tax_category)
    with pytest.raises(Refused) as refused:
        change_price(session, "vat-basics", Decimal(price), sale and Decimal(sale), LATER, USD)
    assert str(refused.value) == words
    session.expire_all()
    assert session.get(Product, course.id).list_price == Decimal("100.00")


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("currency", "price", "stored"),
    [(JPY, "1200", "1200"), (KWD, "12.340", "12.340"), (USD, "12.5", "12.50")],
    ids=lambda value: getattr(value, "code", value),
)
def test_a_price_has_the_decimals_of_the_currency(session, tax_category, currency, price, stored):
    course = factories.course(session, tax_category)
    change_price(session, "vat-basics", Decimal(price), None, LATER, currency)
    session.expire_all()
    assert session.get(Product, course.id).list_price == Decimal(stored)


@pytest.mark.parametrize(
    ("currency", "price", "words"),
    [
        (USD, "12.345", "12.345 is finer than USD allows: prices are multiples of 0.01."),
        (JPY, "12.5", "12.5 is finer than JPY allows: prices are multiples of 1."),
        (KWD, "12.345", "12.345 is finer than KWD allows: prices are multiples of 0.010."),
        (JPY, "10000000000", "A price lies between 0 and 9999999999."),
    ],
    ids=["dollars", "yen", "dinars", "too large in yen"],
)
def test_a_price_finer_than_the_currency_is_refused(session, tax_category, currency, price, words):
    factories.course(session, tax_category)
    with pytest.raises(Refused, match=re.escape(words)):
        change_price(session, "vat-basics", Decimal(price), None, LATER, currency)


def test_an_unknown_slug_is_not_found(session, tax_category):
    with pytest.raises(NotFound, match=r"No course or shop item is called gone\."):
        change_price(session, "gone", Decimal("1"), None, LATER, USD)


@pytest.mark.each_database
def test_a_slug_of_both_a_course_and_an_item_needs_the_kind(session, tax_category):
    factories.course(session, tax_category, "calm")
    item = factories.item(session, tax_category, "calm")
    with pytest.raises(Refused, match="write course:calm or item:calm"):
        change_price(session, "calm", Decimal("1"), None, LATER, USD)
    assert change_price(session, "item:calm", Decimal("1"), None, LATER, USD) == item.id
