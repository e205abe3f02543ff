"""Stars of courses: counted anew together, in one move of the catalogue's version."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import delete, func, select, update

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import ShopQuery
from domain.learning.reviews import counting, moderation, ratings, writing
from domain.learning.reviews import counting as review_counting
from domain.learning.reviews.texts import ReviewDraft
from domain.orders.settings import Context
from domain.tables import Course, Review, ReviewReport
from tests.domain.learning.reviews.world import (
    GOOD,
    LATER,
    SOON,
    make_course,
    make_learner,
    put,
    stars,
    version,
)
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

WRITERS = 12


@pytest.mark.each_database
def test_stars_come_from_both_imported_reviews_and_those_of_learners(session):
    course = make_course(session, 5, 4, 4)
    assert stars(session, course) == (4.33, 3)
    for name, rating in (("Ada Lovelace", 1), ("Grace Hopper", 2)):
        put(session, make_learner(session, course, name), course, ReviewDraft(rating))
    assert stars(session, course) == (4.33, 3)
    assert review_counting.update_ratings(session) == 1
    assert stars(session, course) == (3.2, 5)
    assert sum(catalogue_details.reviews(session, course)[1]) == 5


def test_a_course_without_reviews_has_no_stars_again(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course)
    review_counting.update_ratings(session)
    assert stars(session, course) == (5.0, 1)
    writing.delete(session, learner, course, LATER)
    review_counting.update_ratings(session)
    assert stars(session, course) == (None, 0)


def test_the_version_moves_once_for_all_and_not_without_a_change(session):
    courses = [make_course(session, slug=slug) for slug in ("vat-basics", "payroll", "ledgers")]
    learners = [make_learner(session, course, f"Learner {course}") for course in courses]
    before = version(session)
    for learner, course in zip(learners, courses, strict=True):
        put(session, learner, course)
    # Writing a review moves nothing: each move empties the page cache.
    assert version(session) == before
    assert [review_counting.update_ratings(session) for _ in range(3)] == [3, 0, 0]
    assert version(session) == before + 1


def test_an_edit_with_the_same_stars_reaches_the_page_too(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course)
    review_counting.update_ratings(session)
    put(session, learner, course, ReviewDraft(5, "Another title"), LATER)
    assert review_counting.update_ratings(session) == 1


def test_a_review_that_is_not_shown_moves_nothing(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course, ReviewDraft(1, "", "www.cheap.test"))
    put(session, learner, course, ReviewDraft(2, "", "www.cheap.test"))
    writing.delete(session, learner, course, LATER)
    assert review_counting.update_ratings(session) == 0


def test_the_order_by_stars_follows(session):
    worse, better = make_course(session, 4), make_course(session, 3, slug="payroll")
    put(session, make_learner(session, better), better, ReviewDraft(5))
    put(session, make_learner(session, better, "Grace Hopper"), better, ReviewDraft(5))

    def order() -> list[int]:
        return [card.id for card in catalogue_listing.card_page(session, ShopQuery(sort="rating"), NOON)[1]]

    assert order() == [worse, better]
    review_counting.update_ratings(session)
    assert order() == [better, worse]


def test_200_reviews_in_a_minute_move_the_version_at_most_twice(database):
    """The task runs once a minute: at most twice around a minute's reviews."""
    with database.write_session() as session:
        courses = [make_course(session, 3, 4, slug=f"course-{number}") for number in range(10)]
        learners = [make_learner(session, courses[0], f"Learner {number}", done=0) for number in range(20)]
        about = {"is_verified": True, "title": "", "reviewed_at": SOON}
    with database.write_session() as session:
        before = version(session)
        moves = []
        for number in range(200):
            learner, course = learners[number // 10], courses[number % 10]
            factories.review(session, course, 1 + number % 5, learner_id=learner, **about)
            counting.note_change(session, course, SOON + timedelta(milliseconds=300 * number))
            if number in (84, 199):
                moves.append(review_counting.update_ratings(session))
        assert (moves, version(session)) == ([10, 10], before + 2)
        expected = {course: ratings.stars_of(session, [course])[course] for course in courses}
        for course in courses:
            mean = session.scalars(select(func.avg(Review.rating)).where(Review.course_id == course)).one()
            assert stars(session, course) == (expected[course].rating, 22)
            assert abs(float(mean) - stars(session, course)[0]) <= 0.005


@pytest.fixture
def shop(database):
    """A committed course with learners who may review it."""
    with database.write_session() as session:
        course = make_course(session, 3)
        learners = [make_learner(session, course, f"Learner {number}") for number in range(WRITERS)]
    return database, course, learners


def write_at_once(database, course: int, learners: list[int], between=lambda: None) -> None:
    barrier = Barrier(len(learners) + 1)

    def write(learner: int) -> None:
        barrier.wait()
        for rating in (2, 4):
            database.write_sync(writing.put, learner, course, ReviewDraft(rating), SOON)

    with ThreadPoolExecutor(len(learners) + 1) as pool:
        running = [pool.submit(write, learner) for learner in learners]
        barrier.wait()
        between()
        for future in running:
            future.result()


@pytest.mark.each_database
def test_nothing_is_lost_when_stars_are_counted_while_reviews_are_written(shop):
    database, course, learners = shop

    def count_meanwhile() -> None:
        for _ in range(5):
            database.write_sync(review_counting.update_ratings)

    write_at_once(database, course, learners, count_meanwhile)
    database.write_sync(review_counting.update_ratings)
    with database.read_session() as session:
        assert stars(session, course) == (round((3 + 4 * WRITERS) / (WRITERS + 1), 2), WRITERS + 1)
        assert session.scalars(select(Course.reviews_changed_at)).all() == [None]


@pytest.mark.each_database
def test_without_a_note_of_the_change_stars_would_stay_behind(shop, monkeypatch):
    database, course, learners = shop
    monkeypatch.setattr("domain.learning.reviews.writing.note_change", lambda *_: None)
    write_at_once(database, course, learners[:2])
    database.write_sync(review_counting.update_ratings)
    with database.read_session() as session:
        assert stars(session, course) == (3.0, 1)


@pytest.mark.each_database
def test_one_learner_at_once_in_two_tabs_writes_one_review(shop):
    database, course, learners = shop
    write_at_once(database, course, learners[:1] * 6)
    with database.read_session() as session:
        assert session.scalars(select(func.count(Review.id)).where(Review.is_verified.is_(True))).one() == 1


def test_a_deleted_account_leaves_stars_and_text_without_a_name(session):
    course = make_course(session)
    learner = make_learner(session, course)
    put(session, learner, course)
    other = put(session, make_learner(session, course, "Grace Hopper"), course, ReviewDraft(1)).id
    moderation.report(session, other, learner, "Rude.", LATER)
    data = export(session, learner, NOON, USD)
    assert [(row["courseName"], row["rating"], row["text"], row["author"]) for row in data["reviews"]] == [
        ("Vat Basics", 5, GOOD.text, "Ada L.")
    ]
    assert [(row["reviewId"], row["reason"]) for row in data["reviewReports"]] == [(other, "Rude.")]
    session.execute(update(Course).values(reviews_changed_at=None))
    anonymise_account(session, learner, "ada-lovelace@example.test", Context(LATER))
    session.expire_all()
    row = session.scalars(select(Review).where(Review.rating == 5)).one()
    assert (row.learner_id, row.author, row.body, row.is_verified) == (None, "", GOOD.text, True)
    assert session.scalars(select(ReviewReport)).all() == []
    assert review_counting.update_ratings(session) == 1
    assert stars(session, course) == (3.0, 2)


def test_an_import_adds_to_the_base_and_leaves_what_learners_wrote(session):
    course = make_course(session, 5)
    put(session, make_learner(session, course), course, ReviewDraft(1))
    session.execute(delete(Review).where(Review.is_verified.is_(False)))
    ratings.put_base(session, [course])
    ratings.put_ratings(session, [course])
    assert stars(session, course) == (1.0, 1)
