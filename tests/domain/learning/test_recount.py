"""The rule as it is now, applied to what learners have done; completed stays completed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from contracts.payloads import RecountItem
from domain.errors import InvalidInput
from domain.learning import completion, grants, outline, progress, recount, rules
from domain.learning.completion import CompletionRule
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.tables import Enrolment, LessonProgress, Outbox
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import RIGHT, WRONG, World
from tests.support import factories
from tests.support.factories import NOON

DAY = timedelta(days=1)
LATER = NOON + DAY
TWO_OF_THREE = {"vat": ["a"], "rates": ["a", "c"]}


@pytest.fixture
def world(session) -> World:
    return quiz_world.fill(session)


def enrolment(world: World) -> Enrolment:
    return world.session.scalars(select(Enrolment).where(Enrolment.learner_id == world.learner_id)).one()


def finish(world: World, title: str = "One", at=NOON) -> None:
    progress.record(world.session, world.learner_id, [ProgressChange(world.lesson(title).id, at, True)], at)


def count_anew(world: World, at=LATER) -> completion.CompletionStatus:
    return recount.recount_enrolment(world.session, enrolment(world), at)


def put_rule(world: World, **about) -> None:
    rules.put_rule(world.session, world.course_id, CompletionRule(**about), LATER)


@pytest.mark.parametrize(
    ("quizzes", "answers", "missing"),
    [
        ("passed", None, ["Test"]),
        ("passed", WRONG, ["Test"]),
        ("passed", RIGHT, []),
        ("attempted", None, ["Test"]),
        ("attempted", WRONG, []),
        ("none", None, ["Test"]),
        ("none", WRONG, []),
    ],
)
def test_quizzes_count_by_their_attempts(world, quizzes, answers, missing):
    put_rule(world, quizzes=quizzes)
    finish(world)
    if answers is not None:
        world.send(answers)
    status = count_anew(world)
    assert status.missing == tuple(world.lesson(title).id for title in missing)
    assert status.is_complete is not bool(missing)


def test_a_quiz_that_progress_alone_calls_done_is_not(world):
    lesson, course = world.lesson().id, world.course_id
    facts = {"learner_id": world.learner_id, "course_id": course, "lesson_id": lesson, "opened_at": NOON}
    row = LessonProgress(**facts, is_done=True, done_at=NOON)
    world.session.add(row)
    world.session.flush()
    assert (count_anew(world).done, row.is_done, row.done_at) == (0, False, LATER)


def test_the_mark_counts_as_it_is_now(world):
    world.send(TWO_OF_THREE)
    finish(world)
    assert enrolment(world).completed_at is None
    put_rule(world, pass_mark=60)
    assert count_anew(world).is_complete
    assert (enrolment(world).completed_at, enrolment(world).rule_version) == (LATER, 2)


def test_who_has_completed_stays_so_when_the_rule_is_raised(world):
    world.send(RIGHT)
    finish(world)
    put_rule(world, required_percent=100, pass_mark=100, quizzes="passed")
    world.put({**quiz_world.BODY, "questions": quiz_world.QUESTIONS[:1]})
    assert enrolment(world).completed_at == NOON
    count_anew(world)
    assert enrolment(world).completed_at == NOON


def test_a_raised_mark_opens_a_quiz_again_for_who_is_on_the_way(world):
    put_rule(world, pass_mark=60)
    world.send(TWO_OF_THREE)
    row = world.session.scalars(select(LessonProgress)).one()
    assert row.is_done
    put_rule(world, pass_mark=70)
    count_anew(world)
    assert (row.is_done, row.done_at) == (False, LATER)


def test_a_changed_rule_is_told_on_the_way_only(world):
    finish(world)
    assert completion.rule_change(outline.rule_of(world.session, world.course_id), NOON, None) is None
    put_rule(world, pass_mark=60)
    rule = outline.rule_of(world.session, world.course_id)
    assert completion.rule_change(rule, NOON, None) == LATER
    assert completion.rule_change(rule, NOON, NOON) is None
    assert completion.rule_change(rule, None, None) is None
    assert completion.rule_change(rule, LATER + DAY, None) is None


def test_lessons_that_came_after_the_end_are_new(world):
    lessons = outline.outline_of(world.session, world.course_id)
    ids = [lesson.id for lesson in lessons]
    assert completion.new_since(lessons, {ids[0]}, NOON - DAY) == tuple(ids[1:])
    assert completion.new_since(lessons, set(), NOON) == ()
    assert completion.new_since(lessons, set(), None) == ()


def item_of(world: World) -> dict:
    return {"course_id": world.course_id, "after_id": 0, "limit": 10, "is_single": False, "v": 1}


def items(session) -> list[dict]:
    return list(session.scalars(select(Outbox.body).order_by(Outbox.id)))


def test_an_equal_rule_changes_nothing_and_another_is_recounted_once(world):
    put_rule(world)
    assert (outline.rule_of(world.session, world.course_id).version, items(world.session)) == (1, [])
    put_rule(world, pass_mark=60)
    put_rule(world, pass_mark=60)
    assert outline.rule_of(world.session, world.course_id).version == 2
    assert items(world.session) == [item_of(world)]


def test_a_changed_outline_is_recounted_and_an_equal_one_is_not(world):
    world.put({**quiz_world.BODY, "attempts": 3})
    world.put({**quiz_world.BODY, "attempts": 3})
    assert items(world.session) == [item_of(world)]


def test_a_course_that_nobody_has_is_not_recounted(session):
    course = factories.course(session, factories.category(session).id).id
    rules.put_rule(session, course, CompletionRule(pass_mark=60), NOON)
    assert items(session) == []


@pytest.mark.parametrize(
    "about", [{"required_percent": 0}, {"pass_mark": 101}, {"valid_months": 0}, {"valid_months": 1_201}]
)
def test_a_rule_that_cannot_be_is_refused(world, about):
    with pytest.raises(InvalidInput) as caught:
        put_rule(world, **about)
    assert list(caught.value.errors) == list(about)
    assert outline.rule_of(world.session, world.course_id).version == 1


def more_learners(world: World, number: int) -> None:
    for place in range(number):
        learner = factories.learner(world.session, f"more{place}@example.test").id
        grants.grant(world.session, learner, [world.course_id], GrantSource("gift", place + 1), NOON)
        finish(World(world.session, world.course_id, learner))


@pytest.mark.each_database
def test_a_lowered_rule_completes_people_slice_by_slice_and_twice_is_once(world):
    more_learners(world, 5)
    put_rule(world, required_percent=50, quizzes="none")
    slices = [RecountItem(course_id=world.course_id)]
    counted = []
    while slices:
        done = recount.recount(world.session, world.course_id, slices.pop().after_id, LATER, limit=2)
        counted.append((done.counted, done.completed))
        if done.last_id is not None:
            slices.append(RecountItem(course_id=world.course_id, after_id=done.last_id))
    assert counted == [(2, 1), (2, 2), (2, 2), (0, 0)]
    again = recount.recount(world.session, world.course_id, 0, LATER + DAY)
    assert (again.last_id, again.counted, again.completed) == (None, 6, 0)
    times = set(world.session.scalars(select(Enrolment.completed_at)))
    assert times == {None, LATER}


def test_a_slice_writes_the_row_of_the_next(world):
    more_learners(world, 2)
    recount.recount_and_go_on(world.session, RecountItem(course_id=world.course_id, limit=2), LATER)
    ids = list(world.session.scalars(select(Enrolment.id).order_by(Enrolment.id)))
    assert [item["after_id"] for item in items(world.session)] == [ids[1]]
    recount.recount_and_go_on(world.session, RecountItem(course_id=world.course_id, after_id=ids[1]), LATER)
    assert len(items(world.session)) == 1


TITLES = ("One", "Two", "Three", "Four")


@pytest.fixture
def devices(database):
    """A course of four texts, one for each of four devices that finish it at once."""
    with database.write_session() as session:
        world = quiz_world.fill(session)
        from domain.publishing import lessons as publishing_lessons
        from domain.publishing.records import LessonRecord, SectionRecord

        texts = tuple(LessonRecord(title) for title in TITLES)
        publishing_lessons.put_lessons(session, world.course_id, (SectionRecord("All", texts),), NOON)
        return database, world.learner_id, [world.lesson(title).id for title in TITLES]


def stored(database) -> tuple[int, bool]:
    with database.read_session() as session:
        row = session.scalars(select(Enrolment)).one()
        return row.done_lessons, row.completed_at is not None


@pytest.mark.each_database
def test_devices_that_finish_lessons_at_once_complete_the_course(devices):
    database, learner_id, lessons = devices

    def work(lesson_id: int) -> None:
        database.write_sync(progress.record, learner_id, [ProgressChange(lesson_id, NOON, True)], LATER)

    with ThreadPoolExecutor(len(lessons)) as threads:
        list(threads.map(work, lessons))
    assert stored(database) == (len(lessons), True)


@pytest.mark.each_database
def test_without_the_locks_the_recount_misses_what_others_finish(devices):
    """The negative control: all count before one of them has committed."""
    database, learner_id, lessons = devices
    gate = Barrier(len(lessons), timeout=10)

    def work_unguarded(lesson_id: int) -> None:
        with database.read_session() as session:
            before = set(session.scalars(select(LessonProgress.lesson_id)))
        gate.wait()
        with database.write_session() as session:
            course_id = session.scalars(select(Enrolment.product_id)).one()
            facts = {"learner_id": learner_id, "course_id": course_id, "lesson_id": lesson_id, "opened_at": NOON}
            session.add(LessonProgress(**facts, is_done=True, done_at=NOON))
            session.scalars(select(Enrolment)).one().done_lessons = len(before | {lesson_id})

    with ThreadPoolExecutor(len(lessons)) as threads:
        list(threads.map(work_unguarded, lessons))
    assert stored(database) == (1, False)
