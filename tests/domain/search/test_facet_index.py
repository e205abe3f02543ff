"""Facet values are cached for one version of the catalogue and no longer."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import event

from domain.catalogue.listing import ShopQuery
from domain.publishing import prices as publishing_prices
from domain.search import facet_index
from domain.search import index as search_index
from domain.search import search as search_search
from domain.search.search import RELEVANCE
from tests.domain.search.demo_shop import find
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

SALE = {"list_price": Decimal(100), "sale_price": Decimal(20)}
DEAR, CHEAP = {"50-150": 1}, {"under-50": 1}


def put(session, **about):
    tax = factories.category(session)
    course = factories.course(session, tax.id, "audit", name="Audit", **about)
    search_index.index_product(session, course.id)
    return course.id


def prices(session, at=NOON):
    query = ShopQuery(sort=RELEVANCE)
    return search_search.search(session, "audit", query, at).counts["price"]


@pytest.fixture
def price_queries(session):
    """Statements that read the price of products."""
    statements = []

    def hear(_connection, _cursor, statement, *_about):
        statements.append(statement)

    event.listen(session.get_bind(), "before_cursor_execute", hear)
    yield lambda: [text for text in statements if "facet_price" in text]
    event.remove(session.get_bind(), "before_cursor_execute", hear)


@pytest.mark.each_database
def test_cached_values_are_not_queried_again(session, price_queries):
    put(session, list_price=Decimal(100))
    assert [prices(session) for _ in range(3)] == [DEAR] * 3
    assert find(session, "audit", price=("50-150",)).total == 1
    assert len(price_queries()) == 1


def test_a_change_of_the_catalogue_is_seen_at_once(session):
    put(session, list_price=Decimal(100))
    assert prices(session) == DEAR
    publishing_prices.change_price(session, "audit", Decimal(20), None, NOON, USD)
    assert prices(session) == CHEAP


def test_a_sale_that_begins_or_ends_by_itself_is_seen_at_once(session):
    minute = timedelta(minutes=1)
    put(session, **SALE, sale_from=NOON + minute, sale_until=NOON + 2 * minute)
    assert [prices(session, NOON + number * minute) for number in range(3)] == [DEAR, CHEAP, DEAR]


def test_an_earlier_time_has_the_values_of_that_time(session):
    minute = timedelta(minutes=1)
    put(session, **SALE, sale_from=NOON)
    assert [prices(session, at) for at in (NOON + minute, NOON - minute)] == [CHEAP, DEAR]


@pytest.mark.each_database
def test_products_with_huge_ids_are_counted_but_not_cached(session, price_queries, monkeypatch):
    monkeypatch.setattr(facet_index, "MAX_IDS", 1)
    put(session, list_price=Decimal(100))
    assert [prices(session) for _ in range(2)] == [DEAR] * 2
    assert len(price_queries()) == 2


def test_a_deleted_product_has_no_cell(session):
    course = put(session)
    index = facet_index.facet_index_of(session, [course, course + 5000], 1, NOON)
    assert (index.cell_of[course] > 0, index.cell_of[course + 5000]) == (True, 0)
