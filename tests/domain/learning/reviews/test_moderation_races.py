"""Reports and decisions that are committed while another one has begun: all of them count.

SQLite has one writer at a time: there nothing is committed meanwhile. The one that has begun keeps the state of its
first read (`read_session`, in which MariaDB lets it write): at the level of writes none misses anything.
"""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from domain.learning.reviews import counting, moderation, ratings
from domain.learning.reviews import moderation as review_moderation
from domain.tables import Course, Review, ReviewReport
from tests.domain.learning.reviews.world import LATER, make_course, make_learner, put, state_of

pytestmark = pytest.mark.mariadb


def count_in_snapshot(session, review_id: int, _course_id: int) -> int:
    """The negative control: what the transaction's snapshot knows of the reports."""
    reports = select(func.count()).select_from(ReviewReport).where(ReviewReport.review_id == review_id)
    return session.scalars(reports).one()


@pytest.mark.parametrize(("count", "state"), [(counting.count_reports, "pending"), (count_in_snapshot, "published")])
def test_three_reports_at_once_take_a_review_from_the_page(mariadb_database, monkeypatch, count, state):
    database = mariadb_database
    monkeypatch.setattr(moderation, "count_reports", count)
    with database.write_session() as session:
        course = make_course(session)
        review = put(session, make_learner(session, course), course).id
        first, second, third = (make_learner(session, course, f"Reader {number}", done=0) for number in range(3))
    with database.read_session() as slow:
        slow.scalars(select(Review.course_id)).all()
        for learner in (first, second):
            database.write_sync(review_moderation.report, review, learner, "", LATER)
        review_moderation.report(slow, review, third, "", LATER)
    with database.read_session() as session:
        assert state_of(session, review) == state


def put_base_of_snapshot(session, course_ids, *, is_locking: bool) -> None:
    """The negative control."""
    assert is_locking
    ratings.put_base(session, course_ids)


@pytest.mark.parametrize(("put_base", "base"), [(ratings.put_base, (5, 1)), (put_base_of_snapshot, (4, 2))])
def test_two_reviews_that_are_hidden_at_once_both_leave_the_stars(mariadb_database, monkeypatch, put_base, base):
    database = mariadb_database
    with database.write_session() as session:
        make_course(session, 1, 3, 5)
        low, middle, _ = session.scalars(select(Review.id).order_by(Review.rating)).all()
    monkeypatch.setattr(moderation, "ratings", type("Ratings", (), {"put_base": staticmethod(put_base)}))
    with database.read_session() as slow:
        slow.scalars(select(Review.course_id)).all()
        database.write_sync(review_moderation.hide, middle, "It names a person.", LATER)
        review_moderation.hide(slow, low, "It is rude.", LATER + timedelta(minutes=1))
    with database.read_session() as session:
        assert session.execute(select(Course.base_rating, Course.base_rating_count)).one() == base
