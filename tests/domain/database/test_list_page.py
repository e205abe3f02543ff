"""Pages of a list: order, filters, the bounded count, and reading by key. On SQLite and MariaDB."""

from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import pytest
from sqlalchemy import select, update

from domain.database import cached_counts, list_page
from domain.database.cached_counts import CachedCounts
from domain.database.list_page import (
    ListQuery,
    ListSource,
    SliceEnd,
    of_tenant,
    read_list_page,
    read_list_slice,
)
from domain.permissions import Tenant
from domain.tables import DeadLetter, Membership, Product
from tests.support import factories
from tests.support.factories import NOON

PRODUCTS = Product.__table__.c
LETTERS = DeadLetter.__table__.c
MEMBERSHIPS = Membership.__table__.c


class ProductRow(NamedTuple):
    name: str
    popularity: float


class LetterRow(NamedTuple):
    task: str


class TeamRow(NamedTuple):
    team: str


PUBLISHED = ListSource(
    rows=select(PRODUCTS.name, PRODUCTS.popularity).where(PRODUCTS.status == "published"),
    make=ProductRow._make,
    key=PRODUCTS.id,
    sorts={"popularity": PRODUCTS.popularity},
    filters={"level": lambda value: PRODUCTS.level == value},
    equal=frozenset({"status"}),
)
GROWING = ListSource(
    rows=select(LETTERS.task),
    make=LetterRow._make,
    key=LETTERS.id,
    filters={"task": lambda value: LETTERS.task == value},
    only_grows=True,
)

OF_ORGANISATIONS = ListSource(
    rows=select(MEMBERSHIPS.team),
    make=TeamRow._make,
    key=MEMBERSHIPS.id,
    filters={"team": MEMBERSHIPS.team.__eq__},
    tenant=MEMBERSHIPS.organisation_id,
)


@pytest.fixture
def products(session):
    """Five published products with two of one popularity, and a draft."""
    category = factories.category(session)
    for number, popularity in enumerate((30, 10, 20, 20, 40)):
        level = "advanced" if number > 2 else "beginner"
        factories.product(session, category.id, f"course-{number}", popularity=popularity, level=level)
    factories.product(session, category.id, "draft", status="draft")


@pytest.fixture
def letters(session):
    """Seven letters. Returns their ids, the oldest first."""
    rows = [
        DeadLetter(failed_at=NOON + timedelta(hours=hour), task=f"task {hour % 2}", body={}, error="no")
        for hour in range(7)
    ]
    session.add_all(rows)
    session.flush()
    return [row.id for row in rows]


def names(page):
    return [row.name for row in page.rows]


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (ListQuery(size=9, sort="popularity"), ["Course 4", "Course 0", "Course 3", "Course 2", "Course 1"]),
        (
            ListQuery(size=9, sort="popularity", is_descending=False),
            ["Course 1", "Course 2", "Course 3", "Course 0", "Course 4"],
        ),
        (ListQuery(size=9), ["Course 4", "Course 3", "Course 2", "Course 1", "Course 0"]),
        (ListQuery(size=2, sort="popularity", page=2), ["Course 3", "Course 2"]),
        (ListQuery(size=9, sort="popularity", filters={"level": "advanced"}), ["Course 4", "Course 3"]),
    ],
    ids=["largest first", "smallest first", "newest first", "second page", "filtered"],
)
def test_a_page_has_the_rows_of_its_order_and_filters(session, products, query, expected):
    assert names(read_list_page(session, PUBLISHED, query)) == expected


def test_a_page_beyond_the_end_is_the_last_one(session, products):
    page = read_list_page(session, PUBLISHED, ListQuery(size=2, sort="popularity", page=9))
    assert (page.page, page.total, names(page)) == (3, 5, ["Course 1"])


def test_a_list_without_rows_has_one_empty_page(session):
    page = read_list_page(session, PUBLISHED, ListQuery(size=2, page=4))
    assert (page.page, page.total, page.is_more, names(page)) == (1, 0, False, [])


def test_further_conditions_hold_beside_the_filters(session, products):
    """As the tenant's does."""
    query = ListQuery(size=9, filters={"level": "beginner"})
    page = read_list_page(session, PUBLISHED, query, PRODUCTS.popularity < 25)
    assert (names(page), page.total) == (["Course 2", "Course 1"], 2)


@pytest.mark.parametrize(("maximum", "expected"), [(5, (5, False)), (4, (4, True))])
def test_rows_are_counted_up_to_a_maximum(session, products, monkeypatch, maximum, expected):
    monkeypatch.setattr(list_page, "MAX_COUNT", maximum)
    page = read_list_page(session, replace(PUBLISHED, counts=CachedCounts()), ListQuery(size=2))
    assert (page.total, page.is_more) == expected


@pytest.mark.parametrize(
    ("cached_above", "expected"), [(4, [5, 5, 4]), (5, [5, 4, 4])], ids=["more rows than that", "not more"]
)
def test_the_first_page_of_a_large_list_counts_again_after_some_seconds(
    session, products, monkeypatch, cached_above, expected
):
    monkeypatch.setattr(cached_counts, "CACHED_ABOVE", cached_above)
    source, seen = replace(PUBLISHED, counts=CachedCounts()), []
    for now in (1_000.0, 1_009.9, 1_010.0):
        monkeypatch.setattr(cached_counts, "monotonic", lambda now=now: now)
        seen.append(read_list_page(session, source, ListQuery(size=2)).total)
        session.execute(update(Product).where(Product.name == "Course 1").values(status="draft"))
    assert seen == expected


def test_a_first_page_that_holds_all_rows_counts_them_itself(session, products, monkeypatch):
    """Whatever was cached when there were more."""
    monkeypatch.setattr(cached_counts, "CACHED_ABOVE", 4)
    source = replace(PUBLISHED, counts=CachedCounts())
    assert read_list_page(session, source, ListQuery(size=4)).total == 5
    session.execute(update(Product).where(Product.name == "Course 1").values(status="draft"))
    assert read_list_page(session, source, ListQuery(size=4)).total == 4


@pytest.mark.each_database
def test_later_pages_of_a_large_list_are_counted(session, products, monkeypatch):
    monkeypatch.setattr(cached_counts, "CACHED_ABOVE", 4)
    source = replace(PUBLISHED, counts=CachedCounts())
    read_list_page(session, source, ListQuery(size=2))
    session.execute(update(Product).where(Product.name == "Course 1").values(status="draft"))
    page = read_list_page(session, source, ListQuery(size=2, page=3))
    assert (page.page, page.total, names(page)) == (2, 4, ["Course 2", "Course 0"])


def test_a_list_may_have_another_order_than_that_of_its_keys(session, products):
    source = replace(PUBLISHED, order=(PRODUCTS.level, PRODUCTS.name), prepared={})
    assert names(read_list_page(session, source, ListQuery(size=9))) == [
        *("Course 2", "Course 1", "Course 0"),
        *("Course 4", "Course 3"),
    ]


def test_no_page_begins_beyond_the_rows_that_are_counted(session, products, monkeypatch):
    monkeypatch.setattr(list_page, "MAX_COUNT", 4)
    page = read_list_page(session, replace(PUBLISHED, counts=CachedCounts()), ListQuery(size=2, page=3))
    assert (page.page, names(page)) == (2, ["Course 2", "Course 1"])


def test_a_list_that_only_grows_is_read_from_its_newest_row_by_key(session, letters):
    pages = [read_list_page(session, GROWING, ListQuery(size=3, before=before)) for before in (None, *letters[4:0:-3])]
    assert [list(page.keys) for page in pages] == [letters[:3:-1], letters[3:0:-1], letters[:1]]
    assert [page.has_older for page in pages] == [True, True, False]


@pytest.mark.each_database
def test_rows_that_arrive_meanwhile_move_no_page_of_such_a_list(session, letters):
    session.add(DeadLetter(failed_at=NOON, task="new", body={}, error="no"))
    page = read_list_page(session, GROWING, ListQuery(size=3, before=letters[4], filters={"task": "task 1"}))
    assert (list(page.keys), page.has_older) == ([letters[3], letters[1]], False)


@pytest.mark.each_database
def test_organisations_share_statements_and_no_row(session):
    """Pages with a filter, which are not compiled once, and slices as well."""
    learner = factories.learner(session)
    teams = {}
    for slug in ("one", "two"):
        organisation = factories.organisation(session, slug)
        session.add(Membership(learner_id=learner.id, organisation_id=organisation.id, joined_at=NOON, team=slug))
        session.flush()
        teams[slug] = of_tenant(OF_ORGANISATIONS, Tenant(organisation.id))
    for slug in ("one", "two", "one"):
        page, filtered = (
            read_list_page(session, teams[slug], ListQuery(size=9, filters=filters)) for filters in ({}, {"team": slug})
        )
        part = read_list_slice(session, teams[slug], ListQuery(size=9), None)
        assert [*page.rows, *filtered.rows, *part.rows] == [TeamRow(slug)] * 3
        assert (page.total, filtered.total) == (1, 1)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 9])
def test_slices_have_every_row_once_however_large_they_are(session, letters, size):
    found = slices(session, GROWING, ListQuery(size=size))
    assert [row.task for row in found] == [f"task {hour % 2}" for hour in reversed(range(7))]


def slices(session, source, query):
    found, after = [], None
    while True:
        part = read_list_slice(session, source, query, after)
        found += part.rows
        if part.last is None:
            return found
        after = part.last


@pytest.mark.each_database
@pytest.mark.parametrize("size", [1, 2, 3, 9])
@pytest.mark.parametrize("is_descending", [True, False])
def test_slices_in_the_order_of_a_sort_are_the_rows_of_its_pages(session, products, size, is_descending):
    order = ListQuery(size=size, sort="popularity", is_descending=is_descending)
    expected = [*read_list_page(session, PUBLISHED, replace(order, size=100)).rows]
    assert slices(session, PUBLISHED, order) == expected


def test_a_slice_keeps_filters_and_conditions(session, letters):
    query = ListQuery(size=9, filters={"task": "task 1"})
    part = read_list_slice(session, GROWING, query, SliceEnd(letters[5]), LETTERS.id > letters[1])
    assert ([row.task for row in part.rows], part.last) == (["task 1"], None)


@pytest.mark.parametrize(
    ("column", "equal", "expected"),
    [
        (PRODUCTS.id, [], True),
        (PRODUCTS.kind, [], True),
        (PRODUCTS.slug, [], False),
        (PRODUCTS.slug, ["kind"], True),
        (PRODUCTS.popularity, [], False),
        (PRODUCTS.popularity, ["status"], True),
        (PRODUCTS.id, ["status", "popularity"], True),
        (PRODUCTS.name, ["status"], False),
        (PRODUCTS.list_price + 1, [], False),
    ],
)
def test_an_order_is_indexed_when_an_index_begins_with_its_column(column, equal, expected):
    assert list_page.is_indexed(column, frozenset(equal)) is expected


def test_a_list_may_not_be_sorted_by_a_column_without_an_index():
    with pytest.raises(ValueError, match="of these sorts: name"):
        ListSource(
            rows=select(PRODUCTS.name),
            make=ProductRow._make,
            key=PRODUCTS.id,
            sorts={"id": PRODUCTS.id, "name": PRODUCTS.name},
        )


def test_a_list_that_only_grows_has_one_order():
    with pytest.raises(ValueError, match="the newest row first"):
        ListSource(
            rows=select(LETTERS.task),
            make=LetterRow._make,
            key=LETTERS.id,
            sorts={"id": LETTERS.id},
            only_grows=True,
        )


@pytest.mark.parametrize("filters", [{}, {"level": "beginner"}])
@pytest.mark.parametrize("sort", [None, "popularity"])
def test_a_list_that_is_sorted_first_has_the_same_pages(session, products, sort, filters):
    pages = [
        [read_list_page(session, source, ListQuery(size=2, sort=sort, filters=filters, page=page)) for page in (1, 2)]
        for source in (PUBLISHED, replace(PUBLISHED, is_sorted_first=True, prepared={}))
    ]
    assert pages[0] == pages[1]
    assert len(pages[0][0].keys) == 2
