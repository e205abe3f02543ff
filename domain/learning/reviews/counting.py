"""Which courses' reviews have changed, and their stars counted anew: all together, because each change of the
catalogue's version empties the cache of pages."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.learning.reviews import ratings
from domain.tables import Course, Enrolment, ReviewReport


def lock_course(session: Session, course_id: int) -> None:
    """Before its reviews: inserting one locks the course's row too, for sharing, and two who then want to note their
    change would wait for each other."""
    session.scalar(select(Course.id).where(Course.id == course_id).with_for_update())


def note_change(session: Session, course_id: int, at: datetime) -> None:
    """What the course's page shows of its reviews changed. Write it in the transaction of the change, after it."""
    changed = update(Course).where(Course.id == course_id).values(reviews_changed_at=at)
    session.execute(changed, execution_options={"synchronize_session": False})


def count_reports(session: Session, review_id: int, course_id: int) -> int:
    """How many learners who have or had the course report the review; others are heard by moderators alone. Locking
    reads the newest rows: MariaDB's snapshot began before the course was locked, and lacks what others have reported
    until then."""
    reports = select(ReviewReport.learner_id).where(ReviewReport.review_id == review_id).with_for_update()
    learners = session.scalars(reports).all()
    had_course = (Enrolment.product_id == course_id, Enrolment.learner_id.in_(learners))
    return session.scalars(select(func.count(Enrolment.id)).where(*had_course)).one()


def update_ratings(session: Session) -> int:
    """Count the stars of the courses whose reviews changed, and increment the catalogue's version once. Returns the
    number of courses; without any, nothing is written.

    Their rows are locked first, as by everybody who changes a review: a change is either counted here, or noted after
    this.
    """
    changed = select(Course.id).where(Course.reviews_changed_at.is_not(None)).order_by(Course.id)
    ids: Sequence[int] = session.scalars(changed.with_for_update()).all()
    if not ids:
        return 0
    ratings.put_ratings(session, ids)
    counted = update(Course).where(Course.id.in_(ids)).values(reviews_changed_at=None)
    session.execute(counted, execution_options={"synchronize_session": False})
    bump_version(session)
    return len(ids)
