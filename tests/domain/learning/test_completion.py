"""When a course is completed, and the rule in words."""

import pytest

from domain.learning.completion import CompletionRule, OutlineLesson, completion_status, describe_rule


def outline(text: str) -> list[OutlineLesson]:
    """A letter for each lesson: t a text, q a quiz, in capitals where it is not required."""
    kinds = {"t": "text", "q": "quiz"}
    return [OutlineLesson(number, kinds[letter.lower()], letter.islower()) for number, letter in enumerate(text, 1)]


ALL, NINE_TENTHS = CompletionRule(), CompletionRule(required_percent=90)
ATTEMPTED, NO_QUIZZES = CompletionRule(quizzes="attempted"), CompletionRule(quizzes="none")


@pytest.mark.parametrize(
    ("rule", "lessons", "done", "answered", "expected"),
    [
        pytest.param(ALL, "tt", {1}, set(), (1, 2, (2,), False), id="one of two"),
        pytest.param(ALL, "tt", {1, 2}, set(), (2, 2, (), True), id="both"),
        pytest.param(ALL, "tT", {1}, set(), (1, 1, (), True), id="the optional one does not count"),
        pytest.param(ALL, "tT", {2}, set(), (0, 1, (1,), False), id="only the optional one"),
        pytest.param(ALL, "tq", {1, 2}, set(), (2, 2, (2,), False), id="a quiz that is not passed"),
        pytest.param(ALL, "tq", {1, 2}, {2}, (2, 2, (), True), id="a quiz that is passed"),
        pytest.param(ATTEMPTED, "tq", {1, 2}, {2}, (2, 2, (), True), id="a quiz that is attempted"),
        pytest.param(NO_QUIZZES, "tq", {1, 2}, set(), (2, 2, (), True), id="quizzes do not count"),
        pytest.param(ALL, "tQ", {1}, set(), (1, 1, (), True), id="an optional quiz"),
        pytest.param(NINE_TENTHS, "t" * 19, set(range(1, 18)), set(), (17, 18, (18, 19), False), id="17 of 19"),
        pytest.param(NINE_TENTHS, "t" * 19, set(range(1, 19)), set(), (18, 18, (), True), id="18 of 19"),
        pytest.param(NINE_TENTHS, "t" * 19, set(range(1, 20)), set(), (18, 18, (), True), id="more than needed"),
        pytest.param(ALL, "T", {1}, set(), (0, 0, (), False), id="no required lesson"),
        pytest.param(ALL, "", set(), set(), (0, 0, (), False), id="no lesson"),
        pytest.param(ALL, "t", {1, 99}, {99}, (1, 1, (), True), id="a lesson that was withdrawn"),
    ],
)
def test_a_course_is_completed_by_its_rule(rule, lessons, done, answered, expected):
    status = completion_status(rule, outline(lessons), done, answered)
    assert (status.done, status.needed, status.missing, status.is_complete) == expected


@pytest.mark.parametrize(
    ("rule", "lessons", "words"),
    [
        (ALL, "t" * 16 + "qqq", "Finish all 19 lessons and pass 3 quizzes with 70%."),
        (CompletionRule(pass_mark=80), "tq", "Finish all 2 lessons and pass the quiz with 80%."),
        (ATTEMPTED, "tqq", "Finish all 3 lessons and take 2 quizzes."),
        (NO_QUIZZES, "tq", "Finish all 2 lessons."),
        (NINE_TENTHS, "t" * 19, "Finish 18 of 19 lessons."),
        (ALL, "t", "Finish the lesson."),
        (ALL, "T", "This course has no required lessons, so it cannot be completed."),
    ],
)
def test_a_rule_is_described_in_words(rule, lessons, words):
    assert describe_rule(rule, outline(lessons)) == words
