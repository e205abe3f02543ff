"""Quizzes: what is asked, how answers are marked, and what may be shown when.

All of it is pure. Right answers and explanations leave the server only when the quiz is passed or no attempt is left:
who has another attempt learns which questions were wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from domain.errors import InvalidInput
from domain.learning.completion import FULL, is_passed
from domain.learning.quizzes.number_texts import number_text, read_number

Kind = Literal["one", "several", "number"]
# Ids of options, or a number as text with a decimal point.
Answer = list[str] | str
Name = Callable[[str, str], str]
# By the id of their question; one that is missing was not answered.
Answers = Mapping[str, Answer]


@dataclass(frozen=True)
class QuizOption:
    id: str
    text: str
    is_right: bool


@dataclass(frozen=True)
class Question:
    """Texts are Markdown. `options` of one and several; `value`, `tolerance` and `unit` of a number."""

    id: str
    kind: Kind
    text: str
    explanation: str
    options: tuple[QuizOption, ...] = ()
    value: Decimal = Decimal(0)
    tolerance: Decimal = Decimal(0)
    unit: str = ""


@dataclass(frozen=True)
class Quiz:
    """`attempts` None: no limit. `wait_min`: minutes after an attempt that was not passed."""

    questions: tuple[Question, ...]
    attempts: int | None
    wait_min: int


@dataclass(frozen=True)
class Marking:
    """`marks` of each question, and `score`, their mean, per mille. Both are rounded down: nobody passes by
    rounding."""

    marks: dict[str, int]
    score: int


@dataclass(frozen=True)
class Attempt:
    """A stored attempt. `is_passed`: by the rule of that time."""

    number: int
    revision: int
    answers: Answers
    marks: Mapping[str, int]
    score: int
    is_passed: bool
    attempted_at: datetime


@dataclass(frozen=True)
class QuizStatus:
    """Where a learner is in a quiz. `next_number`: of the attempt to come. `left` None: no limit. `next_at`: no attempt
    is taken before it. `best_score` None: no attempt yet. `is_passed`: by the rule as it is now."""

    next_number: int
    left: int | None
    next_at: datetime | None
    best_score: int | None
    is_passed: bool


@dataclass(frozen=True)
class ShownQuestion:
    """A question after an attempt. `right`: ids of options, or the number as text. `right` and `explanation` None: not
    yet."""

    id: str
    mark: int
    answer: Answer
    right: Answer | None
    explanation: str | None


def quiz_of(body: Mapping[str, Any]) -> Quiz:
    """The quiz of a lesson's body (domain/learning/lesson_bodies.py)."""
    questions = tuple(_question(stored) for stored in body.get("questions", ()))
    return Quiz(questions, body.get("attempts"), body.get("wait_min") or 0)


def _question(stored: Mapping[str, Any]) -> Question:
    options = tuple(QuizOption(item["id"], item["text"], bool(item["is_right"])) for item in stored.get("options", ()))
    return Question(
        id=stored["id"],
        kind=stored["kind"],
        text=stored["text"],
        explanation=stored.get("explanation") or "",
        options=options,
        value=Decimal(stored.get("value") or 0),
        tolerance=Decimal(stored.get("tolerance") or 0),
        unit=stored.get("unit") or "",
    )


def stored_id(_question_id: str, option_id: str) -> str:
    """The name of an option where it needs no other one."""
    return option_id


def read_answers(quiz: Quiz, sent: Answers, locale: str, name: Name = stored_id) -> dict[str, Answer]:
    """What a browser sent, as it is marked and stored. `name`: of an option as the browser knows it, by the ids of its
    question and its own. Raises InvalidInput, by `answers.{id}`, for what is no answer to this quiz and where nothing
    is answered: then no attempt is used."""
    questions = {question.id: question for question in quiz.questions}
    errors = {f"answers.{key}": "There is no such question." for key in sent.keys() - questions.keys()}
    answers: dict[str, Answer] = {}
    for question in quiz.questions:
        try:
            answer = _read_answer(question, sent.get(question.id) or [], locale, name)
        except ValueError as error:
            errors[f"answers.{question.id}"] = str(error)
        else:
            if answer:
                answers[question.id] = answer
    if not answers and not errors:
        errors["answers"] = "Answer at least one question."
    if errors:
        raise InvalidInput(errors)
    return answers


def _read_answer(question: Question, sent: Answer, locale: str, name: Name) -> Answer:
    if question.kind == "number" and isinstance(sent, str):
        if not sent.strip():
            return ""
        value = read_number(sent, locale, question.unit)
        if value is None:
            raise ValueError(f"Enter a number such as {number_text(Decimal('12.5'), locale)}.")
        return number_text(value, ".")
    if isinstance(sent, str) or (question.kind == "number" and sent):
        raise ValueError("This is no answer to this question.")
    ids = {name(question.id, option.id): option.id for option in question.options}
    if not ids.keys() >= set(sent) or (question.kind == "one" and len(set(sent)) > 1):
        raise ValueError("Choose from the options of this question.")
    return sorted({ids[option] for option in sent})


def mark(quiz: Quiz, answers: Answers) -> Marking:
    """`answers` as `read_answers` returns them."""
    marks = {question.id: _mark(question, answers.get(question.id)) for question in quiz.questions}
    mean = sum(marks.values(), Fraction(0)) / max(len(marks), 1)
    return Marking({key: int(value * FULL) for key, value in marks.items()}, int(mean * FULL))


def _mark(question: Question, answer: Answer | None) -> Fraction:
    """The part of a question that an answer gets right. Of several options: the right ticks without the wrong ones, not
    below 0."""
    if not answer:
        return Fraction(0)
    if isinstance(answer, str):
        return Fraction(abs(Decimal(answer) - question.value) <= question.tolerance)
    right = _right_ids(question)
    ticks = sum(1 if option in right else -1 for option in answer)
    return Fraction(max(ticks, 0), max(len(right), 1))


def quiz_status(quiz: Quiz, attempts: Sequence[Attempt], pass_mark: int, best_score: int | None = None) -> QuizStatus:
    """`attempts` in their order: the last ones, at least as many as the quiz allows. `best_score`: of all, None where
    all are given. A passed one ends a series: who passes a quiz again, for a certificate that ends, has
    all attempts anew."""
    since_passed: list[Attempt] = []
    for attempt in attempts:
        since_passed = [] if is_passed(attempt.score, pass_mark) else [*since_passed, attempt]
    left = None if quiz.attempts is None else max(quiz.attempts - len(since_passed), 0)
    next_at = since_passed[-1].attempted_at + timedelta(minutes=quiz.wait_min) if since_passed else None
    best = max((attempt.score for attempt in attempts), default=None) if best_score is None else best_score
    return QuizStatus(
        next_number=attempts[-1].number + 1 if attempts else 1,
        left=left,
        next_at=next_at if quiz.wait_min else None,
        best_score=best,
        is_passed=best is not None and is_passed(best, pass_mark),
    )


def shown_after(quiz: Quiz, attempt: Attempt, after: QuizStatus) -> list[ShownQuestion]:
    """What may be shown of an attempt at these questions. `after`: where the learner was with this attempt."""
    is_over = after.is_passed or after.left == 0
    return [
        ShownQuestion(
            id=question.id,
            mark=attempt.marks.get(question.id, 0),
            answer=attempt.answers.get(question.id, []),
            right=right_answer(question) if is_over else None,
            explanation=question.explanation if is_over else None,
        )
        for question in quiz.questions
    ]


def right_answer(question: Question) -> Answer:
    return number_text(question.value, ".") if question.kind == "number" else _right_ids(question)


def _right_ids(question: Question) -> list[str]:
    return [option.id for option in question.options if option.is_right]
