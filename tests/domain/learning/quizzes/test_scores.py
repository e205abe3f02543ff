"""The best attempts at quizzes."""

from datetime import timedelta

from domain.learning.quizzes import scores
from domain.learning.quizzes.scores import QuizScore
from tests.domain.learning import quiz_world
from tests.domain.learning.quiz_world import RIGHT, WRONG
from tests.support.factories import NOON


def test_the_best_attempt_counts_and_a_quiz_without_one_is_left_out(session):
    world = quiz_world.fill(session)
    for hours, answers in enumerate((WRONG, RIGHT, {**RIGHT, "vat": ["b"]})):
        world.send(answers, NOON + timedelta(hours=hours))
    test, last = world.lesson("Test").id, world.lesson("Last").id
    found = scores.best_scores(session, world.learner_id, [test, last])
    assert found == {test: QuizScore(test, 1000, is_passed=True, attempts=3)}
    assert scores.best_scores(session, world.learner_id + 1, [test]) == {}
    assert scores.best_scores(session, world.learner_id, []) == {}
