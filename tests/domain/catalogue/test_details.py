"""One course, one item, related products, and the data of the home page."""

from datetime import timedelta
from decimal import Decimal

import pytest

from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.details import ShopStats
from domain.tables import CatalogueVersion, CourseInstructor, Instructor
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)


def instructor(session, course_id, name, position):
    row = Instructor(slug=name.lower(), name=name)
    session.add(row)
    session.flush()
    session.add(CourseInstructor(course_id=course_id, instructor_id=row.id, position=position))
    session.flush()


def test_a_course_comes_with_its_category_and_its_instructors_in_order(session):
    tax = factories.category(session)
    course = factories.course(session, tax.id, "vat-basics")
    instructor(session, course.id, "Second", 2)
    instructor(session, course.id, "First", 1)
    detail = catalogue_details.course(session, "vat-basics")
    assert detail is not None
    assert (detail.product.id, detail.course.description, detail.category.slug) == (
        course.id,
        "All of vat-basics.",
        "tax",
    )
    assert [row.name for row in detail.instructors] == ["First", "Second"]
    assert detail.successors == []


@pytest.mark.parametrize("status", ["draft", "scheduled"])
def test_products_that_are_not_published_yet_are_not_found(session, status):
    tax = factories.category(session)
    course = factories.course(session, tax.id, "a", status=status)
    item = factories.item(session, tax.id, "b", status=status)
    assert catalogue_details.course(session, "a") is None
    assert catalogue_details.item(session, item.id) is None
    assert catalogue_details.slug_of(session, course.id, "course") is None


def test_a_retired_course_is_found_with_its_successor(session):
    tax = factories.category(session)
    new = factories.course(session, tax.id, "new")
    factories.course(session, tax.id, "old", status="retired", successor_id=new.id)
    detail = catalogue_details.course(session, "old")
    assert detail is not None
    assert (detail.product.status, [row.slug for row in detail.successors]) == ("retired", ["new"])


def test_a_successor_that_is_not_published_is_not_shown(session):
    tax = factories.category(session)
    draft = factories.course(session, tax.id, "draft", status="draft")
    factories.course(session, tax.id, "old", status="retired", successor_id=draft.id)
    detail = catalogue_details.course(session, "old")
    assert detail is not None
    assert detail.successors == []


@pytest.mark.each_database
@pytest.mark.parametrize("slug", ["VAT-BASICS", " vat-basics", "vat", "", "'; DROP TABLE products; --", "vat-b%"])
def test_a_similar_slug_finds_no_course(session, slug):
    tax = factories.category(session)
    factories.course(session, tax.id, "vat-basics")
    assert catalogue_details.course(session, slug) is None


@pytest.mark.each_database
def test_a_slug_with_a_trailing_space_finds_no_course(database):
    with database.write_session() as session:
        factories.course(session, factories.category(session).id, "vat-basics")
        assert catalogue_details.course(session, "vat-basics ") is None


def test_a_course_is_no_item_and_an_item_no_course(session):
    tax = factories.category(session)
    course, item = factories.course(session, tax.id, "a"), factories.item(session, tax.id, "b")
    assert catalogue_details.item(session, course.id) is None
    assert catalogue_details.course(session, "b") is None
    assert (
        catalogue_details.slug_of(session, course.id, "course"),
        catalogue_details.slug_of(session, item.id, "course"),
    ) == (
        "a",
        None,
    )


def test_related_products_are_others_of_the_same_category_and_kind(session):
    tax, data = factories.category(session), factories.category(session, "data", "Data")
    course = factories.course(session, tax.id, "course", popularity=9)
    for number in range(5):
        factories.course(session, tax.id, f"near-{number}", popularity=number)
    factories.course(session, data.id, "far", popularity=8)
    factories.course(session, tax.id, "draft", popularity=8, status="draft")
    factories.item(session, tax.id, "book", popularity=8)
    ids = catalogue_details.others(catalogue_details.most_popular(session, tax.id, "course"), course.id)
    assert [row.slug for row in catalogue_listing.card_rows(session, ids)] == ["near-4", "near-3", "near-2", "near-1"]


@pytest.mark.each_database
def test_the_newest_reviews_come_first_and_all_are_counted_by_stars(session):
    tax = factories.category(session)
    course, other = factories.course(session, tax.id, "a"), factories.course(session, tax.id, "b")
    for number, stars in enumerate((5, 5, 4, 1)):
        factories.review(session, course.id, stars, reviewed_at=NOON + number * DAY)
    factories.review(session, other.id, 2)
    for limit in (3, 4, 5):
        newest, counts = catalogue_details.reviews(session, course.id, limit=limit)
        assert [review.rating for review in newest] == [1, 4, 5, 5][:limit]
        assert counts == [1, 0, 0, 1, 2]


def test_the_home_page_shows_featured_courses_before_popular_ones(session):
    tax = factories.category(session)
    factories.course(session, tax.id, "popular", popularity=9, published_at=NOON - DAY)
    factories.course(session, tax.id, "featured", featured=1, published_at=NOON - 2 * DAY)
    factories.course(session, tax.id, "draft", featured=1, status="draft")
    factories.item(session, tax.id, "book", featured=1)
    data = catalogue_details.home_data(session)
    assert [row.slug for row in data.featured] == ["featured", "popular"]
    assert [row.slug for row in data.newest] == ["popular", "featured"]


@pytest.mark.each_database
def test_the_stats_count_published_courses(session):
    tax = factories.category(session)
    first = factories.course(session, tax.id, "a", rating=5, rating_count=3, enrolled=100)
    factories.course(session, tax.id, "b", rating=4, rating_count=1, enrolled=20)
    factories.course(session, tax.id, "c", rating=1, rating_count=50, enrolled=7, status="retired")
    instructor(session, first.id, "Ada", 1)
    assert catalogue_details.shop_stats(session) == ShopStats(2, 120, 1, 4.75, 4)


def test_the_home_page_of_an_empty_shop_has_no_rating(session):
    data = catalogue_details.home_data(session)
    assert (data.featured, data.testimonials) == ([], [])
    assert catalogue_details.shop_stats(session) == ShopStats(0, 0, 0, None, 0)


def test_only_long_five_star_reviews_become_testimonials(session):
    tax = factories.category(session)
    course = factories.course(session, tax.id, "a", name="VAT")
    long = "This course answered every question I had about filing returns."
    factories.review(session, course.id, 5, body=long)
    factories.review(session, course.id, 5, body="Good.")
    factories.review(session, course.id, 4, body=long)
    assert [(review.body, name, slug) for review, name, slug in catalogue_details.home_data(session).testimonials] == [
        (long, "VAT", "a")
    ]


def test_the_version_of_a_catalogue_is_0_until_it_changes(session):
    assert catalogue_listing.version(session) == 0
    session.add(CatalogueVersion(id=1, number=7))
    session.flush()
    assert catalogue_listing.version(session) == 7


def test_an_unlimited_item_has_no_stock_and_a_sold_out_item_has_0(session):
    tax = factories.category(session)
    unlimited = factories.item(session, tax.id, "a")
    sold_out = factories.item(session, tax.id, "b", detail={"stock": 0}, list_price=Decimal("3.00"))
    assert [catalogue_details.item(session, item.id)[1].stock for item in (unlimited, sold_out)] == [None, 0]
