"""When a course is completed: a rule as data, what a learner has done, and both in words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

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


@dataclass(frozen=True)
class CompletionStatus:
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


def completion_status(
    rule: CompletionRule, outline: Sequence[OutlineLesson], done: Collection[int], answered: Collection[int]
) -> CompletionStatus:
    """`done`: ids of finished lessons. `answered`: of the quizzes that the rule counts, which are passed or attempted.
    A course without a required lesson is never completed."""
    required = [lesson for lesson in outline if lesson.is_required]
    open_lessons = [lesson.id for lesson in required if lesson.id not in done]
    finished = len(required) - len(open_lessons)
    # Rounded up: 90 % of 19 lessons are 18.
    needed = -(-len(required) * rule.required_percent // 100)
    unanswered = {lesson.id for lesson in counted_quizzes(rule, required) if lesson.id not in answered}
    is_short = finished < needed
    if is_short and unanswered.issubset(open_lessons):
        missing = tuple(open_lessons)
    else:
        missing = tuple(row.id for row in required if row.id in unanswered or (is_short and row.id not in done))
    return CompletionStatus(
        done=min(finished, needed),
        needed=needed,
        missing=missing,
        is_complete=bool(required) and not is_short and not unanswered,
    )


def describe_rule(rule: CompletionRule, outline: Sequence[OutlineLesson]) -> str:
    """What learners, verifiers and editors read: "Finish all 19 lessons and pass 3 quizzes with 70 %."."""
    required = [lesson for lesson in outline if lesson.is_required]
    if not required:
        return "This course has no required lessons, so it cannot be completed."
    needed = -(-len(required) * rule.required_percent // 100)
    if needed < len(required):
        lessons = f"{needed} of {len(required)} lessons"
    else:
        lessons = f"all {needed} lessons" if needed > 1 else "the lesson"
    quizzes = len(counted_quizzes(rule, required))
    if not quizzes:
        return f"Finish {lessons}."
    count = f"{quizzes} quizzes" if quizzes > 1 else "the quiz"
    if rule.quizzes == "passed":
        return f"Finish {lessons} and pass {count} with {rule.pass_mark} %."
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
