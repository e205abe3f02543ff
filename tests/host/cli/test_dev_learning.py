"""`python -m host dev enrol | progress`: a course and how far its learner is."""

import json
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from domain.errors import NotFound
from domain.learning import progress
from domain.learning.progress_merge import ProgressChange
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import EnrolmentGrant, Lesson
from host.cli.dev import learning
from tests.support import factories
from tests.support.factories import NOON


@pytest.fixture
def course_id(session) -> int:
    course = factories.course(session, factories.category(session).id)
    records = (LessonRecord("One", 5), LessonRecord("Two", 5))
    publishing_lessons.put_lessons(session, course.id, (SectionRecord("All", records),), NOON)
    return course.id


@pytest.mark.usefixtures("course_id")
@pytest.mark.each_database
def test_a_course_is_given_once(session):
    ada = factories.learner(session)
    for _ in range(2):
        assert learning.enrol(session, ada, "vat-basics") == "/user-dashboard?course=vat-basics"
    assert session.scalar(select(func.count(EnrolmentGrant.id))) == 1


@pytest.mark.usefixtures("course_id")
def test_progress_is_told_lesson_by_lesson(session):
    ada, now = factories.learner(session), datetime.now(UTC)
    learning.enrol(session, ada, "vat-basics")
    lesson = session.scalars(select(Lesson.id).where(Lesson.title == "One")).one()
    progress.record(session, ada.id, [ProgressChange(lesson, now, True)], now)
    assert json.loads(learning.progress(session, ada, "vat-basics")) == {
        "state": "underway",
        "done": 1,
        "needed": 2,
        "percent": 50,
        "lessons": {"One": True, "Two": False},
    }


@pytest.mark.usefixtures("course_id")
def test_a_course_that_the_learner_does_not_have_is_named(session):
    with pytest.raises(NotFound, match="vat-basics"):
        learning.progress(session, factories.learner(session), "vat-basics")
