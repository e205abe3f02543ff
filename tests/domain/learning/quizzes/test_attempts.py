"""Attempts at quizzes: stored once, marked and counted in one transaction, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants, progress, rules
from domain.learning.completion import CompletionRule
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.learning.quizzes import attempts
from domain.learning.quizzes.attempts import EventUsed, QuizChanged, Submission, TooEarly
from domain.tables import Certificate, Enrolment, LessonProgress, QuizAttempt
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import BODY, QUESTIONS, RIGHT, WRONG, World
from tests.support import factories
from tests.support.factories import NOON
from tests.support.statements import recorded

LATER = NOON + timedelta(hours=1)
EVENT = "11111111-1111-4111-8111-111111111111"
AT_ONCE = 20


@pytest.fixture
def world(session) -> World:
    return quiz_world.fill(session)


def count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(QuizAttempt)) or 0


def is_done(world: World) -> bool | None:
    query = select(LessonProgress.is_done).where(LessonProgress.lesson_id == world.lesson().id)
    return world.session.scalar(query)


def test_of_hundreds_of_attempts_a_view_reads_as_many_as_the_quiz_allows_and_the_best_score(session, world):
    """A quiz without a limit shows the last one; the best may be older."""
    world.send(RIGHT)
    lesson = world.lesson().id
    session.expunge_all()
    with recorded(session) as of_one:
        attempts.view_of(session, world.learner_id, lesson)
    (first,) = session.scalars(select(QuizAttempt)).all()
    about = {name: getattr(first, name) for name in ("learner_id", "lesson_id", "revision", "answers", "marks")}
    for number in range(2, 402):
        score = {"number": number, "score": 0, "is_passed": False, "attempted_at": LATER, "event_id": str(number)}
        session.add(QuizAttempt(**about, **score))
    session.flush()
    loaded = []
    session.expunge_all()
    event.listen(QuizAttempt, "load", note := lambda *_: loaded.append("attempt"))
    with recorded(session) as of_many:
        view = attempts.view_of(session, world.learner_id, lesson)
    event.remove(QuizAttempt, "load", note)
    assert (len(of_many), len(loaded)) == (len(of_one), 1)
    assert (view.status.next_number, view.status.best_score, view.status.is_passed) == (402, 1000, True)


@pytest.mark.each_database
def test_an_attempt_is_marked_and_stored(world):
    sent = world.send({"vat": ["a"], "share": "19.25 %"}, at=LATER, event=EVENT)
    row = world.session.scalars(select(QuizAttempt)).one()
    assert (row.number, row.revision, row.score, row.is_passed, row.attempted_at) == (1, 1, 666, False, LATER)
    assert row.answers == {"vat": ["a"], "share": "19.25"}
    assert row.marks == {"vat": 1000, "rates": 0, "share": 1000}
    assert (sent.view.status.next_number, sent.view.status.is_passed, is_done(world)) == (2, False, False)
    enrolment = world.session.scalars(select(Enrolment)).one()
    assert (enrolment.last_lesson_id, enrolment.last_active_at, enrolment.started_at) == (row.lesson_id, LATER, LATER)


def test_a_passed_quiz_is_done_and_completes_the_course(world):
    world.send(WRONG)
    assert is_done(world) is False
    sent = world.send(RIGHT)
    assert (sent.course.status.done, sent.course.status.needed, is_done(world)) == (1, 2, True)
    change = ProgressChange(world.lesson("One").id, NOON, True)
    [course] = progress.record(world.session, world.learner_id, [change], LATER)
    assert (course.status.is_complete, course.completed_at) == (True, LATER)


def test_a_later_wrong_attempt_takes_nothing_back(world):
    world.send(RIGHT)
    sent = world.send(WRONG, at=LATER)
    assert (sent.view.status.is_passed, sent.view.status.best_score, is_done(world)) == (True, 1000, True)


def test_passing_again_before_the_end_renews_the_certificate(world):
    rules.put_rule(world.session, world.course_id, CompletionRule(valid_months=12), NOON)
    world.send(RIGHT)
    progress.record(world.session, world.learner_id, [ProgressChange(world.lesson("One").id, NOON, True)], NOON)
    numbers = select(Certificate.number).order_by(Certificate.number)
    for days, answers, expected in ((30, RIGHT, [1]), (300, WRONG, [1]), (300, RIGHT, [1, 2]), (301, RIGHT, [1, 2])):
        world.send(answers, at=NOON + timedelta(days=days))
        assert world.session.scalars(numbers).all() == expected


def test_the_same_event_again_gives_the_same_and_changes_nothing(world):
    first = world.send(WRONG, event=EVENT)
    world.send(RIGHT)
    again = world.send(RIGHT, event=EVENT, at=LATER)
    assert (again.view, count(world.session)) == (first.view, 2)


def test_the_same_event_is_answered_after_the_questions_have_changed(world):
    first = world.send(WRONG, event=EVENT)
    world.put({**BODY, "questions": QUESTIONS[:1]})
    again = world.send(WRONG, event=EVENT, revision=1)
    assert (again.view.last, again.view.revision, count(world.session)) == (first.view.last, 2, 1)


def test_answers_to_other_questions_are_refused(world):
    world.put({**BODY, "wait_min": 1})
    with pytest.raises(QuizChanged):
        world.send(RIGHT, revision=1)
    assert (count(world.session), is_done(world)) == (0, None)


def test_an_event_of_another_quiz_is_refused(world):
    world.send(WRONG, event=EVENT)
    with pytest.raises(EventUsed):
        world.send(RIGHT, event=EVENT, title="Last")
    assert count(world.session) == 1


def test_attempts_end_and_wait(session):
    world = quiz_world.fill(session, attempts=2, wait_min=30)
    world.send(WRONG)
    with pytest.raises(TooEarly) as early:
        world.send(RIGHT, at=NOON + timedelta(minutes=29))
    assert early.value.next_at == NOON + timedelta(minutes=30)
    world.send(WRONG, at=NOON + timedelta(minutes=30))
    with pytest.raises(Refused, match="No attempt is left"):
        world.send(RIGHT, at=LATER)
    assert (count(session), is_done(world)) == (2, False)


def test_a_forged_answer_is_refused_and_uses_no_attempt(world):
    for forged in ({"score": "1000"}, {"vat": ["a", "b"]}, {"vat": "a"}):
        with pytest.raises(InvalidInput):
            world.send(forged)
    assert (count(world.session), is_done(world)) == (0, None)


def foreign_lessons(world: World) -> list[int]:
    """A text, an unknown lesson, and a quiz of a course that the learner does not have."""
    other = factories.course(world.session, factories.category(world.session, "law").id, "law").id
    foreign = replace(world, course_id=other)
    foreign.put(BODY, "Foreign")
    return [world.lesson("One").id, 999, foreign.lesson("Foreign").id]


def test_lessons_that_are_no_quiz_of_an_own_course_are_unknown(world):
    for lesson_id in foreign_lessons(world):
        with pytest.raises(NotFound):
            attempts.record(world.session, world.learner_id, Submission(lesson_id, EVENT, 1, RIGHT), NOON)
    assert count(world.session) == 0


def test_without_access_nothing_is_stored(world):
    grants.end(world.session, GrantSource("order", 1), NOON, "refund")
    with pytest.raises(NotFound):
        world.send(RIGHT, at=LATER)
    assert count(world.session) == 0


def test_a_withdrawn_quiz_that_was_never_begun_is_unknown(world):
    world.lesson().withdrawn_at = NOON
    with pytest.raises(NotFound):
        world.send(RIGHT)
    assert count(world.session) == 0


def committed_world(database) -> tuple[World, int]:
    with database.write_session() as session:
        world = quiz_world.fill(session)
        return world, world.lesson().id


def at_once(work) -> list:
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(work, range(AT_ONCE)))


@pytest.mark.each_database
def test_twenty_equal_events_at_once_are_one_attempt(database):
    world, lesson_id = committed_world(database)
    sent = Submission(lesson_id, EVENT, 1, RIGHT)
    answers = at_once(lambda _: database.write_sync(attempts.record, world.learner_id, sent, NOON))
    assert [answer == answers[0] for answer in answers] == [True] * AT_ONCE
    with database.read_session() as session:
        assert count(session) == 1


@pytest.mark.each_database
def test_different_events_at_once_have_numbers_of_their_own(database):
    world, lesson_id = committed_world(database)

    def send(number: int):
        sent = Submission(lesson_id, f"{number:036}", 1, WRONG)
        return database.write_sync(attempts.record, world.learner_id, sent, NOON)

    assert sorted(sent.view.last.number for sent in at_once(send)) == list(range(1, AT_ONCE + 1))


@pytest.mark.each_database
def test_without_the_locks_equal_events_fail_instead_of_being_answered(database):
    """The negative control: both look for the event before one of them stores it."""
    world, lesson_id = committed_world(database)
    gate = Barrier(2, timeout=10)

    def send_unguarded(_number: int) -> str:
        with database.read_session() as session:
            assert count(session) == 0
        gate.wait()
        try:
            with database.write_session() as session:
                facts = {"event_id": EVENT, "learner_id": world.learner_id, "lesson_id": lesson_id, "number": 1}
                marked = {"revision": 1, "answers": {}, "marks": {}, "score": 0, "is_passed": False}
                session.add(QuizAttempt(**facts, **marked, attempted_at=NOON))
        except (IntegrityError, OperationalError) as error:
            return type(error).__name__
        return "stored"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(send_unguarded, range(2))) == ["IntegrityError", "stored"]
