"""Lists of the catalogue: facets and their counts, sort orders, prices during sales, pages, and what is listed."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from domain.catalogue import facet_cells
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import PAGE_SIZE, SORTS, ShopQuery
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)


@pytest.fixture
def shop(session):
    """Five products with different values in the facets."""
    tax, data = factories.category(session), factories.category(session, "data", "Data", 1)
    german = {"level": "advanced", "language": "de", "duration_min": 300}
    factories.course(session, tax.id, "a", list_price=Decimal("49.99"), duration_min=119, popularity=5)
    factories.course(session, tax.id, "b", list_price=Decimal("50.00"), **german, popularity=4)
    factories.course(session, data.id, "c", list_price=Decimal("300.00"), duration_min=600, popularity=3)
    factories.item(session, data.id, "d", list_price=Decimal("0.00"), popularity=2)
    factories.item(session, tax.id, "e", list_price=Decimal("20.00"), item_kind="voucher", popularity=1)
    return session


def slugs(session, at=NOON, **filters):
    return [row.slug for row in catalogue_listing.card_page(session, ShopQuery(**filters), at)[1]]


def counts(session, at=NOON, **filters):
    return facet_cells.facet_counts(session, ShopQuery(**filters), at)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "abcde"),
        ({"category": ("tax",)}, "abe"),
        ({"category": ("data", "tax")}, "abcde"),
        ({"level": ("advanced",)}, "b"),
        ({"language": ("de", "en")}, "abc"),
        ({"price": ("free",)}, "d"),
        ({"price": ("under-50",)}, "ae"),
        ({"price": ("50-150",)}, "b"),
        ({"price": ("over-300",)}, "c"),
        ({"price": ("free", "over-300")}, "cd"),
        ({"duration": ("under-2h",)}, "a"),
        ({"duration": ("5h-10h",)}, "b"),
        ({"duration": ("over-10h",)}, "c"),
        ({"kind": ("course",)}, "abc"),
        ({"kind": ("book", "voucher")}, "de"),
        ({"category": ("tax",), "kind": ("course",), "price": ("under-50",)}, "a"),
        ({"category": ("nowhere",)}, ""),
    ],
)
def test_facets_are_joined_by_and_their_values_by_or(shop, filters, expected):
    assert "".join(slugs(shop, **filters)) == expected
    assert counts(shop, **filters)[0] == len(expected)


def test_the_limits_of_price_bands_scale_with_the_currency(shop):
    assert "".join(slugs(shop, price=("under-50",), price_scale=100)) == "abce"
    assert counts(shop, price_scale=100)[1]["price"] == {"free": 1, "under-50": 4}


def test_without_filters_every_value_is_counted(shop):
    assert counts(shop) == (
        5,
        {
            "category": {"tax": 3, "data": 2},
            "level": {"beginner": 2, "advanced": 1},
            "language": {"en": 2, "de": 1},
            "price": {"free": 1, "under-50": 2, "50-150": 1, "over-300": 1},
            "duration": {"under-2h": 1, "5h-10h": 1, "over-10h": 1},
            "kind": {"course": 3, "book": 1, "voucher": 1},
        },
    )


@pytest.mark.each_database
def test_a_catalogue_read_in_several_pieces_has_the_same_counts(shop, monkeypatch):
    queries = [ShopQuery(), ShopQuery(category=("tax",), kind=("course",))]
    whole = [facet_cells.facet_counts(shop, query, NOON) for query in queries]
    monkeypatch.setattr(facet_cells, "PIECE", 2)
    assert [facet_cells.facet_counts(shop, query, NOON) for query in queries] == whole


@pytest.mark.each_database
def test_a_value_is_counted_given_what_the_other_facets_filter(shop):
    total, facets = counts(shop, category=("tax",), kind=("course",))
    assert total == 2
    assert facets["category"] == {"tax": 2, "data": 1}
    assert facets["kind"] == {"course": 2, "voucher": 1}
    assert facets["price"] == {"under-50": 1, "50-150": 1}


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("sort", "order"),
    [("popular", "cab"), ("newest", "bca"), ("rating", "acb"), ("price-low", "bac"), ("price-high", "cab")],
)
def test_each_sort_orders_the_list(session, sort, order):
    tax = factories.category(session)
    a = {"rating": 4.5, "rating_count": 2, "popularity": 2, "published_at": NOON - 2 * DAY}
    b = {"rating": None, "popularity": 1, "published_at": NOON}
    c = {"rating": 4.5, "rating_count": 1, "popularity": 3, "published_at": NOON - DAY}
    for slug, price, about in (("a", "20.00", a), ("b", "3.00", b), ("c", "100.00", c)):
        factories.course(session, tax.id, slug, list_price=Decimal(price), **about)
    assert "".join(slugs(session, sort=sort)) == order


def test_equal_products_are_listed_newest_row_first(session):
    tax = factories.category(session)
    for slug in "abc":
        factories.course(session, tax.id, slug)
    assert {sort: "".join(slugs(session, sort=sort)) for sort in SORTS} == dict.fromkeys(SORTS, "cba")


@pytest.mark.each_database
def test_pages_by_price_have_what_is_on_sale_and_what_is_not_in_one_order(session, monkeypatch):
    monkeypatch.setattr(catalogue_listing, "PAGE_SIZE", 3)
    catalogue_listing._list_by_price.cache_clear()
    tax = factories.category(session)
    for number, slug in enumerate("abcdefgh"):
        sale = {"sale_price": Decimal(number % 3)} if number % 2 else {}
        factories.course(session, tax.id, slug, list_price=Decimal(number % 4), **sale)
    # a 0, b 1 (sale), c 2, d 0 (sale), e 0, f 2 (sale), g 2, h 1 (sale)
    pages = {sort: "".join("".join(slugs(session, sort=sort, page=page)) for page in (1, 2, 3)) for sort in SORTS[3:]}
    catalogue_listing._list_by_price.cache_clear()
    assert pages == {"price-low": "edahbgfc", "price-high": "gfchbeda"}


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("since", "until", "price"),
    [
        (None, None, "10.00"),
        (NOON, None, "10.00"),
        (None, NOON + DAY, "10.00"),
        (NOON - DAY, NOON + DAY, "10.00"),
        (NOON + timedelta(microseconds=1), None, "100.00"),
        (None, NOON, "100.00"),
        (NOON - 2 * DAY, NOON - DAY, "100.00"),
    ],
)
def test_a_sale_includes_its_first_moment_and_excludes_its_last(session, since, until, price):
    tax = factories.category(session)
    sale = {"sale_price": Decimal("10.00"), "sale_from": since, "sale_until": until}
    factories.course(session, tax.id, "a", list_price=Decimal("100.00"), **sale)
    factories.course(session, tax.id, "b", list_price=Decimal("20.00"))
    row = next(row for row in catalogue_listing.card_page(session, ShopQuery(), NOON)[1] if row.slug == "a")
    band = "under-50" if price == "10.00" else "50-150"
    assert catalogue_listing.price_now(row, NOON) == Decimal(price)
    assert "a" in slugs(session, price=(band,))
    assert slugs(session, sort="price-low") == (["a", "b"] if price == "10.00" else ["b", "a"])
    assert counts(session)[1]["price"] == ({"under-50": 2} if price == "10.00" else {"50-150": 1, "under-50": 1})


def test_a_sale_price_of_zero_counts(session):
    tax = factories.category(session)
    factories.course(session, tax.id, "a", sale_price=Decimal("0.00"))
    row = catalogue_listing.card_page(session, ShopQuery(), NOON)[1][0]
    assert catalogue_listing.price_now(row, NOON) == Decimal("0.00")
    assert slugs(session, price=("free",)) == ["a"]


def test_a_page_has_24_products_and_the_next_page_the_rest(session):
    tax = factories.category(session)
    for number in range(PAGE_SIZE + 1):
        factories.course(session, tax.id, f"course-{number:02}", popularity=100 - number)
    first, second, third = (slugs(session, page=page) for page in (1, 2, 3))
    assert first == [f"course-{number:02}" for number in range(24)]
    assert (second, third) == (["course-24"], [])


@pytest.mark.parametrize("status", ["draft", "scheduled", "retired"])
def test_only_what_is_published_is_listed_and_counted(session, status):
    tax = factories.category(session)
    factories.course(session, tax.id, "shown")
    factories.course(session, tax.id, "hidden", status=status)
    factories.item(session, tax.id, "hidden-too", status=status)
    assert slugs(session) == ["shown"]
    assert counts(session)[0] == 1
    assert [(row.slug, row.count) for row in catalogue_listing.categories(session)] == [("tax", 1)]


@pytest.mark.each_database
def test_categories_are_ordered_by_position_and_empty_ones_count_0(session):
    factories.category(session, "data", "Data", 2)
    tax = factories.category(session, "tax", "Tax", 1)
    factories.course(session, tax.id)
    assert [(row.slug, row.count) for row in catalogue_listing.categories(session)] == [("tax", 1), ("data", 0)]


def test_counts_depend_on_filters_alone():
    query = ShopQuery(category=("tax",), sort="rating", page=3)
    assert query.filters == ShopQuery(category=("tax",))
    assert query.without("category") == replace(query, category=())
