"""Progress in lessons: merged, counted anew, and never another's."""

import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, update

from domain.errors import NotFound
from domain.learning import grants, progress, recount
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import LessonState, ProgressChange, merged
from domain.publishing import lessons as publishing_lessons
from domain.publishing.records import LessonRecord, SectionRecord
from domain.tables import CompletionRuleRow, Enrolment, Lesson, LessonProgress, Product
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import counted

SOON, LATER = NOON + timedelta(minutes=1), NOON + timedelta(hours=1)
TITLES = ("One", "Two", "Test")
KINDS = {"Test": "quiz"}
LOCKS = re.compile("FOR UPDATE|LOCK IN SHARE MODE")


@pytest.fixture
def world(session) -> SimpleNamespace:
    """A learner with a course of two texts and a quiz."""
    course_id = factories.course(session, factories.category(session).id).id
    records = tuple(LessonRecord(title, 5, kind=KINDS.get(title, "text")) for title in TITLES)
    publishing_lessons.put_lessons(session, course_id, (SectionRecord("All", records),), NOON)
    learner_id = factories.learner(session).id
    grants.grant(session, learner_id, [course_id], GrantSource("order", 1), NOON)
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


@pytest.mark.each_database
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


@pytest.mark.each_database
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
    grants.end(world.session, GrantSource("order", 1), until, "refund")
    with pytest.raises(NotFound):
        record(world, done(world, "One"))
    assert rows(world.session) == []


DAYS = timedelta(days=1)
ENDED = NOON + 10 * DAYS
JUST_BEFORE = ENDED - timedelta(seconds=1)
TIMELY = {
    "an hour after the end": (JUST_BEFORE, ENDED + timedelta(hours=1), True),
    "just within thirty days": (JUST_BEFORE, ENDED + 30 * DAYS - timedelta(seconds=1), True),
    "after thirty days": (JUST_BEFORE, ENDED + 30 * DAYS, False),
    "done at the end": (ENDED, ENDED + timedelta(hours=1), False),
    "done before they had it": (NOON - DAYS, ENDED + timedelta(hours=1), False),
    "from years ago while there is access": (NOON - 400 * DAYS, JUST_BEFORE, True),
}


@pytest.mark.parametrize(("at", "now", "is_stored"), TIMELY.values(), ids=TIMELY)
def test_what_was_done_while_there_was_access_is_stored_after_its_end(world, at, now, is_stored):
    if now > ENDED:
        grants.end(world.session, GrantSource("order", 1), ENDED, "seat")
    if is_stored:
        assert record(world, done(world, "One", at), now=now).lessons[world.ids["One"]].done_at == at
    else:
        with pytest.raises(NotFound):
            record(world, done(world, "One", at), now=now)
    assert len(rows(world.session)) == is_stored


def test_of_a_message_what_came_about_without_access_is_left_out_and_named(world):
    grants.end(world.session, GrantSource("order", 1), ENDED, "seat")
    late = ProgressChange(world.ids["One"], ENDED + DAYS, position=900)
    course = record(
        world, done(world, "One", JUST_BEFORE), late, done(world, "Two", ENDED + DAYS), now=ENDED + 2 * DAYS
    )
    assert course.refused == (world.ids["One"], world.ids["Two"])
    assert rows(world.session) == [(world.ids["One"], True, JUST_BEFORE, 0, None, 0)]


def test_who_finished_in_time_has_completed_the_course_before_their_access_ended(world):
    world.session.get(Lesson, world.ids["Test"]).is_required = False
    grants.end(world.session, GrantSource("order", 1), ENDED, "seat")
    course = record(world, done(world, "One"), done(world, "Two", JUST_BEFORE), now=ENDED + DAYS)
    assert course.completed_at == ENDED


def test_work_in_a_lesson_before_it_was_withdrawn_is_stored(world):
    begun = factories.learner(world.session, "Grace Hopper").id
    grants.grant(world.session, begun, [world.course_id], GrantSource("order", 2), NOON)
    progress.record(world.session, begun, [done(world, "One")], SOON)
    kept = (SectionRecord("All", (LessonRecord("Two", 5),)),)
    publishing_lessons.put_lessons(world.session, world.course_id, kept, LATER)
    with pytest.raises(NotFound):
        record(world, done(world, "One", LATER), now=LATER + DAYS)
    assert record(world, done(world, "One", SOON), now=LATER + DAYS).lessons[world.ids["One"]].is_done


def test_a_lesson_of_a_course_that_is_not_owned_is_unknown(world):
    category_id = world.session.scalars(select(Product.category_id)).one()
    other = factories.course(world.session, category_id, "payroll").id
    publishing_lessons.put_lessons(world.session, other, (SectionRecord("A", (LessonRecord("Foreign"),)),), NOON)
    foreign = world.session.scalars(select(Lesson.id).where(Lesson.course_id == other)).one()
    with pytest.raises(NotFound):
        progress.record(
            world.session, world.learner_id, [done(world, "One"), ProgressChange(foreign, SOON, True)], LATER
        )


@pytest.mark.each_database
def test_all_courses_of_a_message_are_locked_before_anything_is_read(world):
    """A read between two locks would fix MariaDB's snapshot: what another device commits in the second course until it
    is locked would be missed by its recount."""
    other = factories.course(world.session, world.session.get_one(Product, world.course_id).category_id, "other").id
    publishing_lessons.put_lessons(world.session, other, (SectionRecord("All", (LessonRecord("Four", 5),)),), NOON)
    grants.grant(world.session, world.learner_id, [other], GrantSource("order", 2), NOON)
    world.ids |= dict(world.session.execute(select(Lesson.title, Lesson.id)).all())
    with counted(world.session) as executed:
        courses = progress.record(world.session, world.learner_id, [done(world, "Four"), done(world, "One")], LATER)
    assert [course.status.done for course in courses] == [1, 1]
    first = [statement for statement in executed if "FROM learners" not in statement][:3]
    assert [re.findall(r"FROM (\w+)", statement)[0] for statement in first] == ["lessons", "enrolments", "enrolments"]
    if world.session.get_bind().dialect.name != "sqlite":
        # The learner's row before the others.
        assert "FROM learners" in executed[0]
        assert [bool(LOCKS.search(statement)) for statement in executed[:4]] == [True] * 4


def test_a_withdrawn_lesson_goes_on_for_who_began_it_alone(world):
    record(world, done(world, "One"))
    kept = (SectionRecord("All", (LessonRecord("Two", 5),)),)
    publishing_lessons.put_lessons(world.session, world.course_id, kept, SOON)
    assert (
        record(world, ProgressChange(world.ids["One"], LATER, position=500)).lessons[world.ids["One"]].position == 500
    )
    stranger = factories.learner(world.session, "Grace Hopper").id
    grants.grant(world.session, stranger, [world.course_id], GrantSource("order", 2), NOON)
    with pytest.raises(NotFound):
        progress.record(world.session, stranger, [done(world, "One")], LATER)


# What one device did: lesson, minute, done, position.
DEVICE = st.lists(
    st.tuples(
        st.sampled_from(TITLES),
        st.integers(0, 4),
        st.none() | st.booleans(),
        st.none() | st.integers(0, 1000),
    ),
    max_size=4,
)


def stored_after(world, arriving: list[ProgressChange], delays: list[int]) -> list[tuple]:
    """The rows after these changes alone, each a message of its own that arrives so many days late."""
    world.session.execute(delete(LessonProgress))
    world.session.execute(update(Enrolment).values(done_lesson_ids=None))
    world.session.expire_all()
    for place, change in enumerate(arriving):
        record(world, change, now=LATER + timedelta(days=delays[place % len(delays)]))
    assert_ids_of_done_lessons_are_stored(world)
    return rows(world.session)


def assert_ids_of_done_lessons_are_stored(world) -> None:
    """What lists of courses read instead of the rows of progress."""
    is_done = (LessonProgress.learner_id == world.learner_id, LessonProgress.is_done.is_(True))
    done = world.session.scalars(select(LessonProgress.lesson_id).where(*is_done).order_by(LessonProgress.lesson_id))
    stored = world.session.scalars(select(Enrolment.done_lesson_ids)).one()
    assert (stored or "") == ",".join(map(str, done))


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    devices=st.tuples(DEVICE, DEVICE, DEVICE),
    delays=st.lists(st.integers(0, 400), min_size=1, max_size=5),
    random=st.randoms(use_true_random=False),
)
def test_changes_of_three_devices_give_equal_rows_however_late_often_and_mixed_they_arrive(
    world, devices, delays, random
):
    made = [
        ProgressChange(world.ids[title], NOON + timedelta(minutes=at), is_done, position)
        for device in devices
        for title, at, is_done, position in device
    ]
    arriving = [*made, *random.choices(made, k=3)] if made else []
    random.shuffle(arriving)
    # Both databases must give these rows, because the expected ones come from neither.
    assert stored_after(world, arriving, delays) == merged_rows(world, made)


def merged_rows(world, changes: list[ProgressChange]) -> list[tuple]:
    """The rows of these changes as the rule alone gives them; whether a quiz is done is not the device's to say."""
    states: dict[int, LessonState] = {}
    for change in changes:
        is_quiz = change.lesson_id == world.ids["Test"]
        counted = replace(change, is_done=None) if is_quiz else change
        states[change.lesson_id] = merged(states.get(change.lesson_id, LessonState()), counted)
    return [(lesson, *vars(states[lesson]).values()) for lesson in sorted(states)]


def test_a_merge_in_the_order_of_arrival_gives_other_rows(world, monkeypatch):
    """The negative control: what arrives last counts, whenever it happened."""

    def last_counts(_state: LessonState, change: ProgressChange) -> LessonState:
        return LessonState(bool(change.is_done), change.at, change.position or 0, change.at, change.position or 0)

    phone = ProgressChange(world.ids["One"], NOON, False, 900)
    desk = ProgressChange(world.ids["One"], SOON, True, 100)
    in_order, swapped = ([phone, desk], [desk, phone])
    assert stored_after(world, in_order, [0]) == stored_after(world, swapped, [0])
    monkeypatch.setattr(progress, "merged", last_counts)
    assert stored_after(world, in_order, [0]) != stored_after(world, swapped, [0])
