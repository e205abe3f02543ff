"""Whoever reads nothing and answers the quizzes of the demo shop by a rule is as good as chance: neither names nor
orders nor lengths of options tell which is right."""

from collections.abc import Callable, Sequence
from math import sqrt

import pytest

from domain.learning.quizzes import marking
from domain.learning.quizzes.attempts import QuizView
from domain.seed.lessons import bodies
from host.learning.quiz_options import LearnerOptions, QuizOptions
from host.learning.quiz_schemas import QuizOption
from host.learning.quiz_view import quiz_view

LEARNERS = range(1, 41)
NOBODY = marking.QuizStatus(next_number=1, left=None, next_at=None, best_score=None, is_passed=False)
Pick = Callable[[Sequence[QuizOption]], QuizOption]
RULES: dict[str, Pick] = {
    "the first": lambda options: options[0],
    "the second": lambda options: options[1],
    "the last": lambda options: options[-1],
    "the first id": lambda options: min(options, key=lambda option: option.id),
    "the last id": lambda options: max(options, key=lambda option: option.id),
    "the longest": lambda options: max(options, key=lambda option: len(option.html)),
    "the shortest": lambda options: min(options, key=lambda option: len(option.html)),
    "the second longest": lambda options: sorted(options, key=lambda option: len(option.html))[-2],
}


def demo_quizzes() -> list[marking.Quiz]:
    paths = sorted(bodies.FOLDER.glob("*/*/*.md"))
    found = (bodies.body_of(path.parts[-3], path.stem.partition("-")[2]) for path in paths)
    return [marking.quiz_of(row[1]) for row in found if row is not None and row[0] == "quiz"]


QUIZZES = demo_quizzes()
CHANCES = [1 / len(asked.options) for quiz in QUIZZES for asked in quiz.questions if asked.kind == "one"]
EXPECTED, SPREAD = sum(CHANCES), sqrt(sum(chance * (1 - chance) for chance in CHANCES))


def hits(pick: Pick, names: Callable[[int, int], LearnerOptions]) -> float:
    """How many questions with one right option a learner gets right by the rule, on average. `names`: by learner and
    quiz."""
    right = 0
    for learner in LEARNERS:
        for lesson, quiz in enumerate(QUIZZES):
            options = names(learner, lesson)
            shown = quiz_view(QuizView(lesson, 1, quiz, 70, NOBODY, None), options, ".")
            for asked, question in zip(shown.questions, quiz.questions, strict=True):
                if question.kind == "one":
                    picked = pick(asked.options).id
                    answers = {question.id: [picked]}
                    stored = marking.read_answers(quiz, answers, ".", options.name)
                    right += marking.mark(quiz, stored).marks[question.id] == 1000
    return right / len(LEARNERS)


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_finds_more_right_options_than_chance(rule):
    assert len(CHANCES) >= 30
    assert abs(hits(RULES[rule], QuizOptions("secret").of) - EXPECTED) < 2 * SPREAD


class AuthorsIds(LearnerOptions):
    def name(self, _question_id: str, option_id: str) -> str:
        return option_id


def test_the_ids_of_authors_would_tell_nearly_all():
    """The negative control."""
    assert hits(RULES["the first id"], lambda learner, lesson: AuthorsIds(b"key", learner, lesson)) > 2 * EXPECTED


def test_names_and_orders_cannot_be_computed_without_the_secret():
    question = next(asked for quiz in QUIZZES for asked in quiz.questions if len(asked.options) == 4)
    seen = [QuizOptions(secret).of(1, 7) for secret in ("one", "other")]
    first, second = ({names.name(question.id, option.id) for option in question.options} for names in seen)
    assert not first & second
    # Another order for each attempt, and the same one after a reload.
    orders = [tuple(option.id for option in names.order(question, at)) for names in seen for at in range(1, 101)]
    assert len(set(orders)) == 24
    assert orders == [
        tuple(option.id for option in names.order(question, at)) for names in seen for at in range(1, 101)
    ]
