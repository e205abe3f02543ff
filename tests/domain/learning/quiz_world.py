"""A learner with a course of a text and two quizzes, for the tests of attempts, recounts and notes."""

from dataclasses import dataclass, field
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.learning.quizzes import attempts
from domain.learning.quizzes.attempts import Recorded, Submission
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Lesson
from tests.support import factories
from tests.support.factories import NOON

RIGHT = {"vat": ["a"], "rates": ["a", "c"], "share": "19.25"}
WRONG = {"vat": ["b"], "rates": ["b"], "share": "7"}


def options(right: str, ids: str = "abcd") -> list[dict]:
    return [{"id": key, "text": f"Option {key}", "is_right": key in right} for key in ids]


QUESTIONS = [
    {"id": "vat", "kind": "one", "text": "What is VAT?", "options": options("a"), "explanation": "It is *a* tax."},
    {"id": "rates", "kind": "several", "text": "Which rates?", "options": options("ac"), "explanation": "Two of them."},
    {"id": "share", "kind": "number", "text": "How much?", "value": "19.25", "tolerance": "0.01", "unit": "%"}
    | {"explanation": "A share."},
]
BODY = {"text": "Try it.", "questions": QUESTIONS, "attempts": None, "wait_min": 0}


def sections(body: dict, title: str = "Test") -> tuple[SectionRecord, ...]:
    records = (LessonRecord("One", 5), LessonRecord(title, 5, source_key="test", kind="quiz", body=body))
    return (SectionRecord("All", (*records, LessonRecord("Last", 5, kind="quiz", body=BODY, is_required=False))),)


@dataclass
class World:
    session: Session
    course_id: int
    learner_id: int
    body: dict = field(default_factory=lambda: BODY)

    def lesson(self, title: str = "Test") -> Lesson:
        is_own = (Lesson.course_id == self.course_id, Lesson.title == title)
        return self.session.scalars(select(Lesson).where(*is_own)).one()

    def send(self, answers: dict, at=NOON, event: str = "", title: str = "Test", revision: int = 0) -> Recorded:
        lesson = self.lesson(title)
        sent = Submission(lesson.id, event or str(uuid4()), revision or lesson.revision, answers)
        return attempts.record(self.session, self.learner_id, sent, at)

    def put(self, body: dict, title: str = "Test") -> None:
        publishing_lessons.put_lessons(self.session, self.course_id, sections(body, title), NOON)


def fill(session: Session, **about: object) -> World:
    """`about`: other attempts or wait_min of the quiz "Test"."""
    course_id = factories.course(session, factories.category(session).id).id
    learner_id = factories.learner(session).id
    world = World(session, course_id, learner_id)
    world.put({**BODY, **about})
    grants.grant(session, learner_id, [course_id], GrantSource("order", 1), NOON)
    return world
