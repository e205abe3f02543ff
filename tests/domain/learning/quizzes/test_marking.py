"""How answers are read and marked, and what may be shown."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.learning import completion
from domain.learning.quizzes import marking as quizzes
from domain.learning.quizzes.marking import Attempt, Question, Quiz, QuizOption
from domain.learning.quizzes.number_texts import number_text, read_number
from tests.domain.learning.quiz_world import BODY, RIGHT, WRONG
from tests.support.factories import NOON

QUIZ = quizzes.quiz_of(BODY)
NBSP = "\N{NO-BREAK SPACE}"


def marking(answers: dict) -> quizzes.Marking:
    return quizzes.mark(QUIZ, quizzes.read_answers(QUIZ, answers, "."))


@pytest.mark.parametrize(
    ("answers", "marks", "score"),
    [
        (RIGHT, (1000, 1000, 1000), 1000),
        (WRONG, (0, 0, 0), 0),
        ({"vat": ["a"], "rates": ["a"]}, (1000, 500, 0), 500),
        ({"rates": ["a", "b", "c"]}, (0, 500, 0), 166),
        ({"rates": ["a", "b", "c", "d"]}, (0, 0, 0), 0),
        ({"rates": ["b", "d"]}, (0, 0, 0), 0),
        ({"rates": ["a", "a", "a"]}, (0, 500, 0), 166),
        ({"share": "19.24"}, (0, 0, 1000), 333),
        ({"share": "19.26 %"}, (0, 0, 1000), 333),
        ({"share": "19.2399"}, (0, 0, 0), 0),
    ],
)
def test_answers_are_marked(answers, marks, score):
    result = marking(answers)
    assert (tuple(result.marks.values()), result.score) == (marks, score)


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({"other": ["a"]}, "answers.other"),
        ({"vat": ["a", "b"]}, "answers.vat"),
        ({"vat": ["z"]}, "answers.vat"),
        ({"vat": "a"}, "answers.vat"),
        ({"share": ["19.25"]}, "answers.share"),
        ({"share": "19,25"}, "answers.share"),
        ({"share": "about 19"}, "answers.share"),
        ({}, "answers"),
        ({"vat": [], "rates": [], "share": " "}, "answers"),
    ],
)
def test_what_is_no_answer_uses_no_attempt(answers, field):
    with pytest.raises(InvalidInput) as caught:
        marking(answers)
    assert list(caught.value.errors) == [field]


@pytest.mark.parametrize(
    ("text", "locale", "number"),
    [
        ("1,234.5", "en-US", "1234.5"),
        ("1.234,5", "de-DE", "1234.5"),
        (f"1{NBSP}234,5{NBSP}%", "fr-FR", "1234.5"),
        ("1,23,456", "en-IN", "123456"),
        ("\N{ARABIC-INDIC DIGIT THREE}\N{ARABIC DECIMAL SEPARATOR}\N{ARABIC-INDIC DIGIT FIVE}", "ar-EG", "3.5"),
        ("\N{RIGHT-TO-LEFT MARK}-7", "ar-EG", "-7"),
        (".5", "en-US", "0.5"),
        ("-7", "de-DE", "-7"),
        ("\N{MINUS SIGN}7.0", "en-US", "-7"),
        ("1'234'567.89", "en-US", "1234567.89"),
        ("19,25", "en-US", None),
        ("1.5", "de-DE", None),
        ("", "en-US", None),
        (".", "en-US", None),
        ("1e3", "en-US", None),
        ("1.2.3", "en-US", None),
        ("٣", "en-US", None),
        ("9" * 25, "en-US", None),
    ],
)
def test_numbers_are_read_with_the__the_shop(text, locale, number):
    assert read_number(text, locale, "%") == (None if number is None else Decimal(number))


@given(st.decimals(-(10**12), 10**12, places=4), st.sampled_from(("en-US", "de-DE", "ar-EG", "en-IN", "de-CH")))
def test_a_number_is_read_as_it_was_written(value, locale):
    assert read_number(number_text(value, locale), locale) == value


IDS = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1)


@given(IDS, st.sets(st.sampled_from("abcdefgh"), min_size=1), st.lists(st.sampled_from("abcdefgh")))
def test_a_mark_is_never_below_nothing_and_full_only_for_the_right_ticks(ids, right, ticks):
    right_ids = right & set(ids) or {ids[0]}
    options = tuple(QuizOption(key, key, key in right_ids) for key in ids)
    quiz = Quiz((Question("q", "several", "", "", options),), None, 0)
    answer = sorted(set(ticks) & set(ids))
    mark = quizzes.mark(quiz, {"q": answer}).marks["q"]
    assert 0 <= mark <= 1000
    assert (mark == 1000) == (set(answer) == right_ids)


@pytest.mark.parametrize(("score", "is_passed"), [(699, False), (700, True), (1000, True)])
def test_nobody_passes_by_rounding(score, is_passed):
    assert completion.is_passed(score, 70) is is_passed


def attempt(number: int, score: int) -> Attempt:
    return Attempt(number, 1, RIGHT, {}, score, score >= 700, NOON + timedelta(hours=number))


@pytest.mark.parametrize(
    ("scores", "left", "next_hour"),
    [((), 2, None), ((0,), 1, 1), ((0, 0), 0, 2), ((700,), 2, None), ((0, 700, 0), 1, 3)],
)
def test_attempts_are_limited_and_wait_until_one_is_passed(scores, left, next_hour):
    quiz = Quiz(QUIZ.questions, 2, 30)
    attempts = [attempt(number, score) for number, score in enumerate(scores, start=1)]
    status = quizzes.quiz_status(quiz, attempts, 70)
    next_at = None if next_hour is None else NOON + timedelta(hours=next_hour, minutes=30)
    assert (status.next_number, status.left, status.next_at) == (len(scores) + 1, left, next_at)
    assert (status.best_score, status.is_passed) == (max(scores, default=None), 700 in scores)


@pytest.mark.parametrize(
    ("limit", "score", "is_over"), [(None, 0, False), (2, 0, False), (1, 0, True), (None, 700, True)]
)
def test_answers_and_explanations_are_shown_when_passed_or_when_no_attempt_is_left(limit, score, is_over):
    quiz = Quiz(QUIZ.questions, limit, 0)
    made = attempt(1, score)
    shown = quizzes.shown_after(quiz, made, quizzes.quiz_status(quiz, [made], 70))
    assert [question.right for question in shown] == ([["a"], ["a", "c"], "19.25"] if is_over else [None] * 3)
    assert [question.explanation is not None for question in shown] == [is_over] * 3
