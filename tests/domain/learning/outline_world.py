"""A learner with a course of three lessons, which change under them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import grants, progress
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Lesson, LessonProgress
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
ONE, TWO, THREE = (
    LessonRecord(title, 5, source_key=key) for title, key in (("One", "1"), ("Two", "2"), ("Three", "3"))
)
ALL = (ONE, TWO, THREE)


@dataclass(frozen=True)
class World:
    session: Session
    learner: int
    course: int
    ids: dict[str, int]

    def finish(self, *titles: str, at: datetime = NOON) -> None:
        changes = [ProgressChange(self.ids[title], at, True) for title in titles]
        progress.record(self.session, self.learner, changes, at)

    def put(self, *lessons: LessonRecord, at: datetime = NOON + DAY) -> None:
        publishing_lessons.put_lessons(self.session, self.course, (SectionRecord("All", lessons),), at)

    def done(self) -> set[int]:
        return set(self.session.scalars(select(LessonProgress.lesson_id).where(LessonProgress.is_done.is_(True))))

    def shown(self) -> list[int]:
        """The lessons of the outline."""
        query = select(Lesson.id).where(Lesson.course_id == self.course, Lesson.withdrawn_at.is_(None))
        return list(self.session.scalars(query.order_by(Lesson.position)))


def fill(session: Session) -> World:
    course = factories.course(session, factories.category(session).id).id
    publishing_lessons.put_lessons(session, course, (SectionRecord("All", ALL),), NOON)
    learner = factories.learner(session).id
    grants.grant(session, learner, [course], GrantSource("order", 1), NOON)
    return World(session, learner, course, dict(session.execute(select(Lesson.title, Lesson.id)).all()))
