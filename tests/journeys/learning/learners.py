"""Learners of a running site with courses, and what the database holds of their progress."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from domain.identity import sessions
from domain.learning import grants, progress
from domain.learning.progress_merge import ProgressChange
from domain.learning.quizzes import attempts
from domain.learning.quizzes.attempts import Submission
from domain.learning.quizzes.marking import Answers, Quiz
from domain.seed.progress.quiz_answers import answers, event_id
from domain.tables import Course, Enrolment, Lesson, LessonProgress, Product
from tests.journeys.conftest import Visitor
from tests.journeys.orders import new_learner, sign_in, writing
from tests.support.site import Site

SQL = "sql-for-spreadsheet-people"


@dataclass(frozen=True)
class Student:
    site: Site
    id: int
    token: dict[str, Any]

    async def sign_in(self, visitor: Visitor) -> None:
        await sign_in(visitor, self.token)

    def end_sessions(self) -> None:
        """In all browsers."""
        with writing(self.site) as session:
            sessions.end_all(session, self.id)

    def again(self) -> "Student":
        """With a new session, as after another sign-in."""
        [(subject,)] = self.site.query("SELECT subject FROM learners WHERE id = ?", self.id)
        return replace(self, token=json.loads(self.site.dev("token", subject)))

    def lessons(self, slug: str = SQL, kind: str | None = None) -> Sequence[Lesson]:
        """The lessons of a course in the order of its outline, all or of one kind."""
        query = select(Lesson).join(Course, Course.id == Lesson.course_id).join(Product, Product.id == Course.id)
        with writing(self.site) as session:
            rows = session.scalars(query.where(Product.slug == slug)).all()
            session.expunge_all()
        rows = sorted(rows, key=lambda row: (row.section_id, row.position))
        return [row for row in rows if kind in (None, row.kind)]

    def progress(self, lesson: int) -> LessonProgress | None:
        """What is stored of a lesson."""
        with writing(self.site) as session:
            row = session.scalars(
                select(LessonProgress).where(LessonProgress.learner_id == self.id, LessonProgress.lesson_id == lesson)
            ).first()
            session.expunge_all()
        return row

    def quiz(self, lesson: int) -> Quiz:
        """With the right answers, which the site keeps."""
        with writing(self.site) as session:
            return attempts.view_of(session, self.id, lesson).quiz

    def answer(self, lesson: int, given: Answers | None = None) -> None:
        """An attempt at a quiz; without answers with the right ones."""
        with writing(self.site) as session:
            view = attempts.view_of(session, self.id, lesson)
            event = event_id(str(self.id), lesson, view.status.next_number)
            sent = Submission(lesson, event, view.revision, answers(view.quiz) if given is None else given)
            attempts.record(session, self.id, sent, datetime.now(UTC))

    def finish(self, *lessons: Lesson) -> None:
        """Quizzes are passed."""
        for quiz in (lesson.id for lesson in lessons if lesson.kind == "quiz"):
            self.answer(quiz)
        now = datetime.now(UTC)
        changes = [ProgressChange(lesson.id, now, True) for lesson in lessons if lesson.kind != "quiz"]
        with writing(self.site) as session:
            progress.record(session, self.id, changes, now)

    def done(self) -> set[int]:
        """The lessons that are stored as done."""
        query = select(LessonProgress.lesson_id).where(
            LessonProgress.learner_id == self.id, LessonProgress.is_done.is_(True)
        )
        with writing(self.site) as session:
            return set(session.scalars(query))

    def counted(self) -> int:
        """How many lessons count as done, in all courses."""
        with writing(self.site) as session:
            return sum(session.scalars(select(Enrolment.done_lessons).where(Enrolment.learner_id == self.id)))


def student(site: Site, name: str, *slugs: str) -> Student:
    """A new learner who has been given these courses."""
    learner_id, token = new_learner(site, name)
    with writing(site) as session:
        for slug in slugs:
            product_id = session.scalars(select(Product.id).where(Product.slug == slug)).one()
            source = grants.GrantSource("gift", 1_000_000_000 + learner_id * 1000 + product_id)
            grants.grant(session, learner_id, [product_id], source, datetime.now(UTC))
    return Student(site, learner_id, token)


def lesson_path(lesson: int, slug: str = SQL) -> str:
    return f"/user-dashboard?course={slug}&lesson={lesson}"
