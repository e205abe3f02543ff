"""Progress in lessons: merged, counted anew, and never another's."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select

from domain import publishing
from domain.errors import NotFound
from domain.learning import grants, progress, recount
from domain.learning.grants import Source
from domain.learning.progress_merge import ProgressChange
from domain.publishing import LessonRecord, SectionRecord
from domain.tables import CompletionRuleRow, Enrolment, Lesson, LessonProgress, Product
from tests.domain.orders.statements import counted
from tests.support import factories
from tests.support.factories import NOON

SOON, LATER = NOON + timedelta(minutes=1), NOON + timedelta(hours=1)
TITLES = ("One", "Two", "Test")
KINDS = {"Test": "quiz"}
LOCKS = re.compile("FOR UPDATE|LOCK IN SHARE MODE")


@pytest.fixture
def world(session) -> SimpleNamespace:
    """A learner with a course of two texts and a quiz."""
    course_id = factories.course(session, factories.category(session).id).id
    records = tuple(LessonRecord(title, 5, kind=KINDS.get(title, "text")) for title in TITLES)
    publishing.put_lessons(session, course_id, (SectionRecord("All", records),), NOON)
    learner_id = factories.learner(session).id
    grants.grant(session, learner_id, [course_id], Source("order", 1), NOON)
    ids = dict(session.execute(select(Lesson.title, Lesson.id)).all())
    return SimpleNamespace(session=session, course_id=course_id, learner_id=learner_id, ids=ids)


def done(world, title: str, at=SOON, *, is_done: bool = True) -> ProgressChange:
    return ProgressChange(world.ids[title], at, is_done)


def record(world, *changes: ProgressChange, now=LATER):
    [course] = progress.record(world.session, world.learner_id, changes, now)
    return course


def enrolment(world) -> Enrolment:
    return world.session.scalars(select(Enrolment)).one()


def rows(session) -> list[tuple]:
    columns = (LessonProgress.lesson_id, LessonProgress.is_done, LessonProgress.done_at, LessonProgress.position)
    more = (LessonProgress.position_at, LessonProgress.furthest)
    return [tuple(row) for row in session.execute(select(*columns, *more).order_by(LessonProgress.lesson_id))]


def test_a_finished_lesson_is_counted(world):
    course = record(world, done(world, "One"))
    assert (course.status.done, course.status.needed) == (1, 3)
    assert course.status.missing == (world.ids["Two"], world.ids["Test"])
    row = enrolment(world)
    assert (row.done_lessons, row.started_at, row.last_active_at, row.last_lesson_id, row.completed_at) == (
        1,
        SOON,
        SOON,
        world.ids["One"],
        None,
    )


def test_the_same_change_again_changes_nothing(world):
    record(world, done(world, "One"))
    before = rows(world.session)
    record(world, done(world, "One"), now=LATER + timedelta(days=1))
    assert rows(world.session) == before
    assert enrolment(world).done_lessons == 1


def test_a_late_change_loses_against_a_newer_one(world):
    record(world, done(world, "One", SOON + timedelta(minutes=5), is_done=False))
    course = record(world, done(world, "One", SOON))
    assert course.lessons[world.ids["One"]].is_done is False


def test_only_the_server_says_that_a_quiz_is_done(world):
    course = record(world, done(world, "Test"))
    assert course.lessons[world.ids["Test"]].is_done is False


def test_a_course_is_completed_once_and_stays_completed(world):
    quiz = world.session.get(Lesson, world.ids["Test"])
    quiz.is_required = False
    world.session.flush()
    course = record(world, done(world, "One"), done(world, "Two"))
    assert (course.status.is_complete, course.completed_at) == (True, LATER)
    again = record(world, done(world, "One", LATER, is_done=False), now=LATER + timedelta(days=1))
    assert (again.status.is_complete, again.completed_at) == (False, LATER)


def test_a_lowered_rule_completes_at_the_recount(world):
    record(world, done(world, "One"), done(world, "Two"))
    rule = CompletionRuleRow(course_id=world.course_id, version=2, required_percent=60, quizzes="none", changed_at=NOON)
    world.session.add(rule)
    world.session.flush()
    status = recount.recount_enrolment(world.session, enrolment(world), LATER)
    assert (status.done, status.needed, status.is_complete) == (2, 2, True)
    assert enrolment(world).rule_version == 2


@pytest.mark.parametrize("until", [NOON, SOON])
def test_without_access_nothing_is_stored(world, until):
    grants.end(world.session, Source("order", 1), until, "refund")
    with pytest.raises(NotFound):
        record(world, done(world, "One"))
    assert rows(world.session) == []


def test_a_lesson_of_a_course_that_is_not_owned_is_unknown(world):
    category_id = world.session.scalars(select(Product.category_id)).one()
    other = factories.course(world.session, category_id, "payroll").id
    publishing.put_lessons(world.session, other, (SectionRecord("A", (LessonRecord("Foreign"),)),), NOON)
    foreign = world.session.scalars(select(Lesson.id).where(Lesson.course_id == other)).one()
    with pytest.raises(NotFound):
        progress.record(
            world.session, world.learner_id, [done(world, "One"), ProgressChange(foreign, SOON, True)], LATER
        )


def test_all_courses_of_a_message_are_locked_before_anything_is_read(world):
    """A read between two locks would fix MariaDB's snapshot: what another device commits in the second course until it
    is locked would be missed by its recount."""
    other = factories.course(world.session, world.session.get_one(Product, world.course_id).category_id, "other").id
    publishing.put_lessons(world.session, other, (SectionRecord("All", (LessonRecord("Four", 5),)),), NOON)
    grants.grant(world.session, world.learner_id, [other], Source("order", 2), NOON)
    world.ids |= dict(world.session.execute(select(Lesson.title, Lesson.id)).all())
    with counted(world.session) as executed:
        courses = progress.record(world.session, world.learner_id, [done(world, "Four"), done(world, "One")], LATER)
    assert [course.status.done for course in courses] == [1, 1]
    tables = [re.findall(r"FROM (\w+)", statement)[0] for statement in executed[:3]]
    assert tables == ["lessons", "enrolments", "enrolments"]
    if world.session.get_bind().dialect.name != "sqlite":
        assert [bool(LOCKS.search(statement)) for statement in executed[:3]] == [True] * 3


def test_a_withdrawn_lesson_goes_on_for_who_began_it_alone(world):
    record(world, done(world, "One"))
    kept = (SectionRecord("All", (LessonRecord("Two", 5),)),)
    publishing.put_lessons(world.session, world.course_id, kept, SOON)
    assert (
        record(world, ProgressChange(world.ids["One"], LATER, position=500)).lessons[world.ids["One"]].position == 500
    )
    stranger = factories.learner(world.session, "Grace Hopper").id
    grants.grant(world.session, stranger, [world.course_id], Source("order", 2), NOON)
    with pytest.raises(NotFound):
        progress.record(world.session, stranger, [done(world, "One")], LATER)


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(TITLES),
        st.integers(0, 4),
        st.none() | st.booleans(),
        st.none() | st.integers(0, 1000),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=CHANGES, random=st.randoms(use_true_random=False))
def test_three_devices_give_equal_rows_in_any_order(world, changes, random):
    made = [
        ProgressChange(world.ids[title], NOON + timedelta(minutes=at), is_done, position)
        for title, at, is_done, position in changes
    ]

    def stored(order) -> list[tuple]:
        world.session.execute(delete(LessonProgress))
        world.session.expire_all()
        for change in order:
            record(world, change)
        return rows(world.session)

    in_order = stored(made)
    shuffled = [*made, *random.choices(made, k=2)]
    random.shuffle(shuffled)
    assert stored(shuffled) == in_order
