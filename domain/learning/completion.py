"""When a course is completed: a rule as data, what a learner has done, and both in words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from domain.display_text import count_text, percent_text

Quizzes = Literal["passed", "attempted", "none"]


# A mark or score of nothing wrong: they are per mille.
FULL = 1000


@dataclass(frozen=True)
class CompletionRule:
    """`required_percent`: 1-100, of the required lessons. `pass_mark`: percent. `valid_months` None: the certificate
    has no end. `changed_at` None: the rule was never changed."""

    version: int = 1
    required_percent: int = 100
    quizzes: Quizzes = "passed"
    pass_mark: int = 70
    has_certificate: bool = True
    valid_months: int | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True)
class OutlineLesson:
    """A lesson that is not withdrawn. `added_at` None: long ago."""

    id: int
    kind: str
    is_required: bool
    added_at: datetime | None = None


class CompletionStatus(NamedTuple):
    """`done` of `needed` required lessons; `missing`: the lessons still to be done, in their order."""

    done: int
    needed: int
    missing: tuple[int, ...]
    is_complete: bool

    @property
    def percent(self) -> int:
        """0-100; 100 only when nothing is missing."""
        if self.is_complete or not self.needed:
            return 100 if self.is_complete else 0
        return min(99, 100 * self.done // self.needed)


DEFAULT_RULE = CompletionRule()


def is_passed(score: int, pass_mark: int) -> bool:
    """`score` per mille, `pass_mark` in percent."""
    return score * 100 >= pass_mark * FULL


@dataclass(frozen=True)
class Requirements:
    """What a rule asks for in an outline, the same for all learners: ids of the required lessons in their order, how
    many of them, and ids of the quizzes that count."""

    lessons: tuple[int, ...]
    needed: int
    quizzes: tuple[int, ...]

    def status(self, done: Collection[int], answered: Collection[int]) -> CompletionStatus:
        """`done`: ids of finished lessons. `answered`: of the quizzes that the rule counts, which are passed or
        attempted. A course without a required lesson is never completed."""
        open_lessons = [lesson_id for lesson_id in self.lessons if lesson_id not in done]
        finished = len(self.lessons) - len(open_lessons)
        is_short = finished < self.needed
        if is_short and not self.quizzes:
            return CompletionStatus(finished, self.needed, tuple(open_lessons), False)
        unanswered = {quiz for quiz in self.quizzes if quiz not in answered}
        if is_short and unanswered.issubset(open_lessons):
            missing = tuple(open_lessons)
        else:
            missing = tuple(id_ for id_ in self.lessons if id_ in unanswered or (is_short and id_ not in done))
        is_complete = bool(self.lessons) and not is_short and not unanswered
        return CompletionStatus(min(finished, self.needed), self.needed, missing, is_complete)


def requirements(rule: CompletionRule, outline: Sequence[OutlineLesson]) -> Requirements:
    required = [lesson for lesson in outline if lesson.is_required]
    # Rounded up: 90 % of 19 lessons are 18.
    needed = -(-len(required) * rule.required_percent // 100)
    ids = tuple(lesson.id for lesson in required)
    return Requirements(ids, needed, tuple(quiz.id for quiz in counted_quizzes(rule, required)))


def completion_status(
    rule: CompletionRule, outline: Sequence[OutlineLesson], done: Collection[int], answered: Collection[int]
) -> CompletionStatus:
    """As `Requirements.status`, for one learner."""
    return requirements(rule, outline).status(done, answered)


def describe_rule(rule: CompletionRule, outline: Sequence[OutlineLesson], locale: str | None = None) -> str:
    """What learners, verifiers and editors read: "Finish all 19 lessons and pass 3 quizzes with 70%."."""
    required = [lesson for lesson in outline if lesson.is_required]
    if not required:
        return "This course has no required lessons, so it cannot be completed."
    needed = -(-len(required) * rule.required_percent // 100)
    if needed < len(required):
        lessons = f"{count_text(needed, locale)} of {count_text(len(required), locale)} lessons"
    else:
        lessons = f"all {count_text(needed, locale)} lessons" if needed > 1 else "the lesson"
    quizzes = len(counted_quizzes(rule, required))
    if not quizzes:
        return f"Finish {lessons}."
    count = f"{count_text(quizzes, locale)} quizzes" if quizzes > 1 else "the quiz"
    if rule.quizzes == "passed":
        return f"Finish {lessons} and pass {count} with {percent_text(rule.pass_mark, locale)}."
    return f"Finish {lessons} and take {count}."


def rule_change(rule: CompletionRule, started_at: datetime | None, completed_at: datetime | None) -> datetime | None:
    """When the rule was changed on a learner's way, for the sentence that it counts as it is now; else None."""
    if rule.changed_at is None or started_at is None or completed_at is not None:
        return None
    return rule.changed_at if rule.changed_at > started_at else None


def new_since(
    outline: Sequence[OutlineLesson], done: Collection[int], completed_at: datetime | None
) -> tuple[int, ...]:
    """The lessons that are "new since you finished": added after the course was completed, and not done yet."""
    if completed_at is None:
        return ()
    return tuple(
        lesson.id
        for lesson in outline
        if lesson.added_at is not None and lesson.added_at > completed_at and lesson.id not in done
    )


def counted_quizzes(rule: CompletionRule, outline: Sequence[OutlineLesson]) -> list[OutlineLesson]:
    """The required quizzes that have to be passed or attempted."""
    return [] if rule.quizzes == "none" else [row for row in outline if row.is_required and row.kind == "quiz"]
