"""A course of five required lessons, and learners who have finished some of them."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import publishing
from domain.learning import grants, progress
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.learning.reviews import writing
from domain.learning.reviews.texts import ReviewDraft
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, ReviewRecord, SectionRecord
from domain.tables import CatalogueVersion, Lesson, Product, Review
from tests.support import factories
from tests.support.factories import NOON

SOON, LATER = NOON + timedelta(minutes=1), NOON + timedelta(hours=1)
GOOD = ReviewDraft(5, "Clear", "It helped me at work.")


def make_course(session: Session, *stars: int, slug: str = "vat-basics") -> int:
    """`stars`: of the reviews that came with it."""
    category = session.scalar(select(Product.category_id)) or factories.category(session).id
    course = factories.course(session, category, slug).id
    lessons = tuple(LessonRecord(f"Lesson {number}", 5) for number in range(1, 6))
    publishing_lessons.put_lessons(session, course, (SectionRecord("All", lessons),), NOON)
    records = [ReviewRecord(f"Author {place}", rating, NOON) for place, rating in enumerate(stars)]
    publishing.related_rows.add_reviews(session, {course: records})
    return course


def make_learner(session: Session, course: int, name: str = "Ada Lovelace", done: int = 1) -> int:
    """Who has the course and has finished `done` of its lessons."""
    learner = factories.learner(session, name).id
    grants.grant(session, learner, [course], GrantSource("order", learner), NOON)
    finish(session, learner, course, done)
    return learner


def finish(session: Session, learner: int, course: int, count: int) -> None:
    ids = session.scalars(select(Lesson.id).where(Lesson.course_id == course).order_by(Lesson.id)).all()
    changes = [ProgressChange(lesson, NOON, True) for lesson in ids[:count]]
    if changes:
        progress.record(session, learner, changes, NOON)


def put(session: Session, learner: int, course: int, draft: ReviewDraft = GOOD, at: datetime = SOON):
    return writing.put(session, learner, course, draft, at)


def stars(session: Session, course: int) -> tuple[float | None, int]:
    row = session.execute(select(Product.rating, Product.rating_count).where(Product.id == course)).one()
    return (row.rating, row.rating_count)


def state_of(session: Session, review_id: int) -> str:
    return session.scalars(select(Review.state).where(Review.id == review_id)).one()


def version(session: Session) -> int:
    return session.scalar(select(CatalogueVersion.number)) or 0
