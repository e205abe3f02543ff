"""A learner who may complete a course of one lesson."""

from types import SimpleNamespace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import CompletionRuleRow, Lesson
from tests.support import factories
from tests.support.factories import NOON


def studying(session: Session, name: str = "Ada Lovelace") -> SimpleNamespace:
    course = factories.course(session, factories.category(session).id)
    publishing_lessons.put_lessons(session, course.id, (SectionRecord("All", (LessonRecord("One", 5),)),), NOON)
    learner = factories.learner(session, name, subject="ada-lovelace")
    grants.grant(session, learner.id, [course.id], GrantSource("order", 1), NOON)
    lesson = session.scalars(select(Lesson.id)).one()
    return SimpleNamespace(session=session, course=course.id, learner=learner.id, lesson=lesson)


def put_rule(session: Session, course_id: int, **about: object) -> None:
    session.add(CompletionRuleRow(course_id=course_id, changed_at=NOON, **about))
    session.flush()


@pytest.fixture
def world(session) -> SimpleNamespace:
    return studying(session)
