"""One course, one item, their neighbours, and the front page."""

from datetime import timedelta
from decimal import Decimal

import pytest

from domain import catalogue
from domain.tables import CatalogueVersion, CourseInstructor, Instructor
from tests import factories
from tests.factories import NOON

DAY = timedelta(days=1)


def instructor(session, course_id, name, position):
    made = Instructor(slug=name.lower(), name=name)
    session.add(made)
    session.flush()
    session.add(CourseInstructor(course_id=course_id, instructor_id=made.id, position=position))
    session.flush()


def test_a_course_comes_with_its_category_and_its_instructors_in_order(session):
    tax = factories.category(session)
    made = factories.course(session, tax.id, "vat-basics")
    instructor(session, made.id, "Second", 2)
    instructor(session, made.id, "First", 1)
    found = catalogue.course(session, "vat-basics")
    assert found is not None
    assert (found.product.id, found.course.description, found.category.slug) == (made.id, "All of vat-basics.", "tax")
    assert [one.name for one in found.instructors] == ["First", "Second"]
    assert found.successors == []


@pytest.mark.parametrize("status", ["draft", "scheduled"])
def test_what_is_not_published_yet_is_nobodys(session, status):
    tax = factories.category(session)
    course = factories.course(session, tax.id, "a", status=status)
    item = factories.item(session, tax.id, "b", status=status)
    assert catalogue.course(session, "a") is None
    assert catalogue.item(session, item.id) is None
    assert catalogue.slug_of(session, course.id, "course") is None


def test_a_retired_course_is_found_with_what_follows_it(session):
    tax = factories.category(session)
    new = factories.course(session, tax.id, "new")
    factories.course(session, tax.id, "old", status="retired", successor_id=new.id)
    found = catalogue.course(session, "old")
    assert found is not None
    assert (found.product.status, [row.slug for row in found.successors]) == ("retired", ["new"])


def test_a_successor_that_is_not_published_is_not_shown(session):
    tax = factories.category(session)
    draft = factories.course(session, tax.id, "draft", status="draft")
    factories.course(session, tax.id, "old", status="retired", successor_id=draft.id)
    found = catalogue.course(session, "old")
    assert found is not None
    assert found.successors == []


@pytest.mark.parametrize("slug", ["VAT-BASICS", " vat-basics", "vat", "", "'; DROP TABLE products; --", "vat-b%"])
def test_another_slug_is_another_course(session, slug):
    tax = factories.category(session)
    factories.course(session, tax.id, "vat-basics")
    assert catalogue.course(session, slug) is None


def test_a_slug_with_a_space_at_its_end_is_another_course(database):
    with database.session() as session:
        factories.course(session, factories.category(session).id, "vat-basics")
        assert catalogue.course(session, "vat-basics ") is None


def test_a_course_is_no_item_and_an_item_no_course(session):
    tax = factories.category(session)
    course, item = factories.course(session, tax.id, "a"), factories.item(session, tax.id, "b")
    assert catalogue.item(session, course.id) is None
    assert catalogue.course(session, "b") is None
    assert (catalogue.slug_of(session, course.id, "course"), catalogue.slug_of(session, item.id, "course")) == (
        "a",
        None,
    )


def test_related_ones_are_of_the_same_category_and_kind_and_never_the_one_itself(session):
    tax, data = factories.category(session), factories.category(session, "data", "Data")
    mine = factories.course(session, tax.id, "mine", popularity=9)
    for number in range(5):
        factories.course(session, tax.id, f"near-{number}", popularity=number)
    factories.course(session, data.id, "far", popularity=8)
    factories.course(session, tax.id, "draft", popularity=8, status="draft")
    factories.item(session, tax.id, "book", popularity=8)
    found = catalogue.related(session, mine.id, tax.id, "course")
    assert [row.slug for row in catalogue.card_rows(session, found)] == ["near-4", "near-3", "near-2", "near-1"]


def test_the_newest_reviews_come_first_and_all_are_counted_by_stars(session):
    tax = factories.category(session)
    course, other = factories.course(session, tax.id, "a"), factories.course(session, tax.id, "b")
    for number, stars in enumerate((5, 5, 4, 1)):
        factories.review(session, course.id, stars, at=NOON + number * DAY)
    factories.review(session, other.id, 2)
    newest, counts = catalogue.reviews(session, course.id, limit=3)
    assert [one.rating for one in newest] == [1, 4, 5]
    assert counts == [1, 0, 0, 1, 2]


def test_the_front_shows_featured_courses_before_popular_ones(session):
    tax = factories.category(session)
    factories.course(session, tax.id, "popular", popularity=9, published_at=NOON - DAY)
    factories.course(session, tax.id, "featured", featured=1, published_at=NOON - 2 * DAY)
    factories.course(session, tax.id, "draft", featured=1, status="draft")
    factories.item(session, tax.id, "book", featured=1)
    found = catalogue.front(session)
    assert [row.slug for row in found.featured] == ["featured", "popular"]
    assert [row.slug for row in found.newest] == ["popular", "featured"]


def test_the_proof_is_counted_over_published_courses(session):
    tax = factories.category(session)
    first = factories.course(session, tax.id, "a", rating=5, rating_count=3, enrolled=100)
    factories.course(session, tax.id, "b", rating=4, rating_count=1, enrolled=20)
    factories.course(session, tax.id, "c", rating=1, rating_count=50, enrolled=7, status="retired")
    instructor(session, first.id, "Ada", 1)
    proof = {"courses": 2, "learners": 120, "instructors": 1, "rating": 4.75, "ratings": 4}
    assert catalogue.front(session).proof == proof


def test_the_front_of_an_empty_shop_has_no_rating(session):
    found = catalogue.front(session)
    assert (found.featured, found.quotes) == ([], [])
    assert found.proof == {"courses": 0, "learners": 0, "instructors": 0, "rating": None, "ratings": 0}


def test_only_long_five_star_reviews_are_quoted(session):
    tax = factories.category(session)
    course = factories.course(session, tax.id, "a", name="VAT")
    long = "This course answered every question I had about filing returns."
    factories.review(session, course.id, 5, body=long)
    factories.review(session, course.id, 5, body="Good.")
    factories.review(session, course.id, 4, body=long)
    assert [(review.body, name, slug) for review, name, slug in catalogue.front(session).quotes] == [(long, "VAT", "a")]


def test_the_version_of_a_catalogue_is_0_until_it_moves(session):
    assert catalogue.version(session) == 0
    session.add(CatalogueVersion(id=1, number=7))
    session.flush()
    assert catalogue.version(session) == 7


def test_an_item_without_end_has_no_stock_and_a_sold_out_one_has_0(session):
    tax = factories.category(session)
    endless = factories.item(session, tax.id, "a")
    gone = factories.item(session, tax.id, "b", detail={"stock": 0}, list_price=Decimal("3.00"))
    assert [catalogue.item(session, one.id)[1].stock for one in (endless, gone)] == [None, 0]
