"""What the export of an account says about lessons, and what goes when the account is deleted."""

import pytest
from sqlalchemy import select

from domain.account.anonymise import anonymise_account
from domain.account.export import export
from domain.audit import recording
from domain.learning import by_hand, notes, progress
from domain.learning.notes import NewNote
from domain.learning.progress_merge import ProgressChange
from domain.orders.settings import Context
from domain.permissions import SystemActor
from domain.tables import LessonNote, LessonProgress, QuizAttempt
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import RIGHT, WRONG, World
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

# Without the ids of options, which would tell which is right.
TEXTS = {"vat": ["Option a"], "rates": ["Option a", "Option c"], "share": "19.25"}


@pytest.fixture
def world(session) -> World:
    world = quiz_world.fill(session)
    for answers in (WRONG, RIGHT):
        world.send(answers)
    notes.put(session, world.learner_id, world.lesson("One").id, NewNote("Mine", 0), NOON)
    about = {"staff_id": 9, "reason": "On paper", "at": NOON}
    recording.run(session, SystemActor("command", NOON), by_hand.complete, world.learner_id, world.course_id, **about)
    return world


def test_the_export_names_attempts_notes_and_the_reason_of_staff(world):
    data = export(world.session, world.learner_id, NOON, USD)
    about = {"course": "Vat Basics", "lesson": "Test", "at": "2026-03-01T12:00:00Z"}
    marks = dict.fromkeys(RIGHT, 1000)
    passed = about | {"number": 2, "answers": TEXTS, "marks": marks, "score": 1000, "isPassed": True}
    assert [row["score"] for row in data["quizAttempts"]] == [0, 1000]
    assert data["quizAttempts"][1] == passed
    assert data["notes"] == [about | {"lesson": "One", "text": "Mine"}]
    assert [row["completionReason"] for row in data["enrolments"]] == ["On paper"]


def test_the_export_names_nothing_of_others(world):
    data = export(world.session, factories.learner(world.session, "Grace Hopper").id, NOON, USD)
    assert (data["quizAttempts"], data["notes"]) == ([], [])


@pytest.mark.each_database
def test_attempts_and_notes_go_with_the_account_and_others_keep_theirs(world):
    grace = factories.learner(world.session, "Grace Hopper").id
    lesson = world.lesson("One").id
    world.session.add(LessonNote(learner_id=grace, lesson_id=lesson, body="Hers", version=1, updated_at=NOON))
    world.session.flush()
    anonymise_account(world.session, world.learner_id, "ada-lovelace@example.test", Context(NOON))
    assert world.session.scalars(select(QuizAttempt)).all() == []
    assert [row.body for row in world.session.scalars(select(LessonNote))] == ["Hers"]


def test_progress_is_exported_and_goes_with_the_account(world):
    at, lesson = NOON, world.lesson("One").id
    progress.record(world.session, world.learner_id, [ProgressChange(lesson, at, True, 700)], at)
    rows = export(world.session, world.learner_id, NOON, USD)["lessonProgress"]
    [own] = [row for row in rows if row["lesson"] == "One"]
    assert (own["isDone"], own["position"], own["doneAt"]) == (True, 700, "2026-03-01T12:00:00Z")
    anonymise_account(world.session, world.learner_id, "ada-lovelace@example.test", Context(NOON))
    assert world.session.scalars(select(LessonProgress)).all() == []
