"""JSON models of a quiz as its learner sees it. Marks and scores are per mille."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel


class QuizOption(BaseModel):
    id: str
    html: str


class QuizQuestion(BaseModel):
    """`options` in the order of the attempt to come; none for a number, which may have a `unit`."""

    id: str
    kind: Literal["one", "several", "number"]
    html: str
    options: list[QuizOption]
    unit: str


class QuestionResult(BaseModel):
    """`answer` and `right`: ids of options, or a number as text. `right` and `explanation` null: they come with a
    passed quiz, or when no attempt is left. `order`: ids of the options as they were asked."""

    id: str
    mark: int
    order: list[str]
    answer: list[str] | str
    right: list[str] | str | None
    explanation: str | None


class QuizResult(BaseModel):
    """The last attempt. `questions`: none when they have changed since."""

    number: int
    score: int
    isPassed: bool
    attemptedAt: datetime
    questions: list[QuestionResult]


class QuizScore(BaseModel):
    """The best of `attempts` at a quiz, in percent, rounded down."""

    lesson: int
    title: str
    percent: int
    isPassed: bool
    attempts: int


class Quiz(BaseModel):
    """`number`: of the attempt to come. `revision`: to be sent with it. `passMark` in percent. `attemptsLeft` null: no
    limit. `nextAttemptAt`: before it no attempt is taken. `isPassed`: by the rule as it is now."""

    lesson: int
    revision: int
    number: int
    questions: list[QuizQuestion]
    passMark: int
    attemptsLeft: int | None
    waitMinutes: int
    nextAttemptAt: datetime | None
    isPassed: bool
    bestScore: int | None
    result: QuizResult | None
