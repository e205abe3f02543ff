"""What is cached of courses is the same for all learners, and only as old as the catalogue's version."""

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from sqlalchemy import select

from domain.account import dashboard
from domain.database.database import Database
from domain.learning import grants, outline, progress, rules
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.learning.views import course, lesson_texts, shared_courses
from domain.learning.views.lesson_texts import TextCache
from domain.learning.views.outlines import read_outlines
from domain.learning.views.records import CourseSummary
from domain.learning.views.shared_courses import CourseFacts, DoneCache, DoneLessons, SharedCourse
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import Lesson, LessonProgress
from tests.domain.learning import quiz_world
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import recorded


@pytest.fixture
def world(sqlite_database) -> tuple[int, int, int]:
    """Ids of a course and of two learners who have it; the first of them has done a lesson."""
    with sqlite_database.write_session() as session:
        found = quiz_world.fill(session)
        course_id, lesson = found.course_id, found.lesson("One").id
        learners = [factories.learner(session, name).id for name in ("Ada", "Grace")]
        for number, learner in enumerate(learners):
            grants.grant(session, learner, [course_id], GrantSource("gift", 900 + number), NOON)
        progress.record(session, learners[0], [ProgressChange(lesson, NOON, True)], NOON)
        assert session.get_one(Lesson, lesson).is_required
    return course_id, learners[0], learners[1]


async def done_of(db: Database, learner: int) -> int:
    [own] = (await db.read_inline(dashboard.dashboard, learner, NOON)).courses
    return own.status.done


async def test_learners_share_the_course_and_nothing_of_their_own(sqlite_database, world):
    course_id, ada, grace = world
    assert [await done_of(sqlite_database, learner) for learner in (ada, grace, ada)] == [1, 0, 1]
    one, other = [await sqlite_database.read_inline(course.by_id, learner, course_id, NOON) for learner in (ada, grace)]
    assert one.shared is other.shared
    assert (len(one.done), len(other.done), other.progress) == (1, 0, {})


async def test_a_changed_rule_counts_at_once(sqlite_database, world):
    course_id, ada, _ = world
    await done_of(sqlite_database, ada)
    with sqlite_database.write_session() as session:
        rule = outline.rule_of(session, course_id)
        rules.put_rule(session, course_id, replace(rule, required_percent=50), NOON)
    [own] = (await sqlite_database.read_inline(dashboard.dashboard, ada, NOON)).courses
    assert own.shared.rule.required_percent == 50
    assert own.status.needed == -(-len(own.shared.requirements.lessons) // 2)


async def test_what_follows_from_done_lessons_is_made_once_for_all_who_have_done_the_same(sqlite_database, world):
    _, ada, grace = world

    async def read(learner: int) -> CourseSummary:
        [own] = (await sqlite_database.read_inline(dashboard.dashboard, learner, NOON)).courses
        return own

    with sqlite_database.write_session() as session:
        [lesson] = session.scalars(select(LessonProgress.lesson_id).where(LessonProgress.learner_id == ada))
        begun = await read(ada)
        assert (await read(grace)).done_lessons is not begun.done_lessons
        progress.record(session, grace, [ProgressChange(lesson, NOON, True)], NOON)
    assert (await read(grace)).done_lessons is begun.done_lessons
    assert (begun.done, begun.done_lessons.course) == ({lesson}, begun.shared)
    # Nothing that the two have not alike.
    assert {field.name for field in fields(begun.done_lessons)} == {"course", "ids", "status", "minutes_left", "_made"}


def cached_courses(session, count: int) -> list[SharedCourse]:
    """Courses of one cache with the same outline."""
    course_id, done = quiz_world.fill(session).course_id, DoneCache()
    [(_, lessons)] = read_outlines(session, [course_id])
    rule = outline.rule_of(session, course_id)
    facts = [CourseFacts(number, *[None] * 12) for number in range(count)]
    return [SharedCourse(about, rule, lessons, _done=done) for about in facts]


def lessons_in_memory(courses: list[SharedCourse]) -> int:
    entries = [done for done in gc.get_objects() if type(done) is DoneLessons and done.course in courses]
    return sum(len(done.course.outline.lessons) for done in entries)


def test_what_is_cached_of_done_lessons_has_a_limit_for_all_courses_together(session, monkeypatch):
    courses = cached_courses(session, 10)
    most = 5 * (1 + courses[0].size)
    monkeypatch.setattr(shared_courses, "MAX_CACHED_DONE", most)
    for number in range(20):
        for shared in courses:
            assert shared.done_lessons(f"{number + 1_000_000}").ids == {number + 1_000_000}
    assert 0 < lessons_in_memory(courses) <= most


def test_a_course_of_many_lessons_that_all_study_in_order_is_counted_once(session):
    [shared] = cached_courses(session, 1)
    texts = [",".join(map(str, range(1_000_000, 1_000_000 + number))) for number in range(60)]
    first = [shared.done_lessons(text) for text in texts]
    assert all(shared.done_lessons(text) is done for text, done in zip(texts, first, strict=True))


async def test_a_changed_text_is_shown_at_once_and_an_equal_one_read_once(sqlite_database, world):
    course_id, ada, grace = world

    def read(session, learner: int) -> tuple[object, int]:
        own = course.by_id(session, learner, course_id, NOON)
        with recorded(session) as executed:
            shown = course.lesson_of(session, own, own.outline.lessons[0].id)
        return shown.body, len(executed)

    async def text_of(learner: int) -> tuple[object, int]:
        """The text, and how many statements it took."""
        return await sqlite_database.read_inline(read, learner)

    (before, first), (again, later) = await text_of(ada), await text_of(grace)
    assert (before is again, first, later) == (True, 1, 0)
    with sqlite_database.write_session() as session:
        records = (SectionRecord("All", (LessonRecord("One", 5, body={"text": "Written anew."}),)),)
        publishing_lessons.put_lessons(session, course_id, records, NOON)
    assert await text_of(ada) == ({"text": "Written anew."}, 1)


# A text with a character that makes each of it take four bytes, and a quiz, whose JSON is a fifth of what it takes.
WIDE = {"text": "A sentence of a lesson. 😀 " * 400}
LARGE_QUIZ = {**quiz_world.BODY, "questions": [{**quiz_world.QUESTIONS[0], "id": f"q{at}"} for at in range(40)]}


@pytest.fixture(scope="module")
def large_lessons(module_database) -> list[int]:
    """Ids of 40 lessons with such bodies."""
    kinds = (("text", WIDE), ("quiz", LARGE_QUIZ)) * 20
    records = tuple(LessonRecord(f"{at}", 5, kind=kind, body=body) for at, (kind, body) in enumerate(kinds))
    with module_database.write_session() as session:
        course_id = quiz_world.fill(session).course_id
        publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", records),), NOON)
        return list(session.scalars(select(Lesson.id).where(Lesson.withdrawn_at.is_(None))))


@pytest.fixture
def read_texts(module_database, large_lessons) -> Callable[[], tuple[TextCache, int]]:
    """Returns a cache that has read these lessons, and the memory that it holds, as Python's allocator counts it."""

    def read() -> tuple[TextCache, int]:
        with module_database.read_session() as session:
            TextCache().read(session, large_lessons[0])
            gc.collect()
            tracemalloc.start()
            try:
                texts = TextCache()
                assert all(texts.read(session, lesson) is not None for lesson in large_lessons)
                gc.collect()
                return texts, tracemalloc.get_traced_memory()[0]
            finally:
                tracemalloc.stop()

    return read


def test_texts_are_counted_with_what_they_hold_in_memory(read_texts):
    texts, held = read_texts()
    assert held > 800_000
    assert 0.95 * held < texts.bytes < 1.1 * held


def test_texts_in_memory_have_a_limit(read_texts, monkeypatch):
    most = 200_000
    monkeypatch.setattr(lesson_texts, "MAX_CACHED_BYTES", most)
    texts, held = read_texts()
    assert (0 < texts.bytes <= most, held < 1.05 * most) == (True, True)


def test_a_text_that_is_larger_than_the_limit_is_read_each_time(module_database, large_lessons, monkeypatch):
    monkeypatch.setattr(lesson_texts, "MAX_CACHED_BYTES", 1_000)
    texts = TextCache()
    with module_database.read_session() as session:
        assert all(texts.read(session, lesson) is not None for lesson in large_lessons)
    assert texts.bytes == 0
