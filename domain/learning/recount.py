"""Who has completed a course: the rule of today applied to what learners have done. The only writer of completions.

A quiz is done when its attempts say so, as the rule is now; every other lesson when its progress says so. Safe at any
time and twice.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from contracts.payloads import RecountItem
from contracts.tasks import OutboxKind
from domain.errors import NotFound
from domain.learning import outline
from domain.learning.certificates import issuing
from domain.learning.completion import CompletionRule, CompletionStatus, OutlineLesson, completion_status, is_passed
from domain.learning.enrolments import has_access
from domain.outbox import queue as outbox_queue
from domain.tables import Enrolment, LessonProgress, Product, QuizAttempt

# Enrolments of one transaction, which is short: others wait for its locks (scripts/bench l6). The first slice is small,
# and each other one as large as the time of the one before allows. Most of what five take is the same for one: smaller
# slices hold the locks hardly shorter, and on a busy machine 10,000 enrolments took 459 s by two.
FIRST_SLICE, MIN_SLICE, MAX_SLICE = 10, 5, 50
# A slice that took longer is followed by half of it, one that took a quarter of it by twice as many.
LONG_SLICE_S = 0.04


@dataclass(frozen=True)
class Slice:
    """`last_id`: of the last enrolment of the slice, None when none is left. `completed`: how many are so only now.
    `next_limit`: how many the next slice should have."""

    last_id: int | None
    counted: int
    completed: int
    next_limit: int


@dataclass(frozen=True)
class Completing:
    """`count`: how many would complete the course. `is_all` False: others were not looked at."""

    count: int
    is_all: bool


@dataclass(frozen=True)
class _Course:
    rule: CompletionRule
    lessons: tuple[OutlineLesson, ...]

    @property
    def quizzes(self) -> list[int]:
        return [lesson.id for lesson in self.lessons if lesson.kind == "quiz"]


def recount_enrolment(session: Session, enrolment: Enrolment, now: datetime) -> CompletionStatus:
    """Count a locked enrolment anew, after something that its learner did while they had access. Completed stays
    completed, whatever comes later."""
    course = _course(session, enrolment.product_id)
    return _recount(session, course, [enrolment], now)[enrolment.id]


def recount(  # noqa: PLR0913 a slice and the clock
    session: Session,
    course_id: int,
    after_id: int,
    now: datetime,
    limit: int = FIRST_SLICE,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Slice:
    """Count the next enrolments of the course anew, in the order of their ids; nobody completes it so who has no
    access. `clock`: in seconds."""
    began = clock()
    query = select(Enrolment).where(Enrolment.product_id == course_id, Enrolment.id > after_id)
    newest = query.order_by(Enrolment.id).limit(limit).with_for_update().execution_options(populate_existing=True)
    enrolments = session.scalars(newest).all()
    before = sum(enrolment.completed_at is not None for enrolment in enrolments)
    _recount(session, _course(session, course_id), enrolments, now, needs_access=True)
    completed = sum(enrolment.completed_at is not None for enrolment in enrolments) - before
    last_id = enrolments[-1].id if len(enrolments) == limit else None
    return Slice(last_id, len(enrolments), completed, _next_limit(limit, clock() - began))


def _next_limit(limit: int, took_s: float) -> int:
    if took_s > LONG_SLICE_S:
        return max(MIN_SLICE, limit // 2)
    return min(MAX_SLICE, limit * 2) if took_s * 4 <= LONG_SLICE_S else limit


def courses_with_learners(session: Session, slug: str = "") -> list[int]:
    """All that somebody has, or the one with this slug. Raises NotFound for a slug of no course."""
    if not slug:
        return list(session.scalars(select(Enrolment.product_id).distinct().order_by(Enrolment.product_id)))
    course_id = session.scalar(select(Product.id).where(Product.slug == slug, Product.kind == "course"))
    if course_id is None:
        raise NotFound(f"There is no course {slug}.")
    return [course_id]


def enqueue(session: Session, course_id: int, at: datetime, after_id: int = 0, limit: int = FIRST_SLICE) -> None:
    """Recount the course after this transaction, slice by slice, if anybody has it."""
    has_learners = select(Enrolment.id).where(Enrolment.product_id == course_id, Enrolment.id > after_id).limit(1)
    if session.scalar(has_learners) is not None:
        item = RecountItem(course_id=course_id, after_id=after_id, limit=limit)
        outbox_queue.enqueue(session, OutboxKind.RECOUNT, item, at)


def recount_and_go_on(session: Session, item: RecountItem, now: datetime) -> None:
    """The slice of an outbox row, and the row of the next one."""
    done = recount(session, item.course_id, item.after_id, now, item.limit)
    if done.last_id is not None and not item.is_single:
        enqueue(session, item.course_id, now, done.last_id, done.next_limit)


def complete(session: Session, enrolments: Collection[Enrolment], rule: CompletionRule, at: datetime) -> None:
    """The only place where a course becomes completed; the enrolments are locked and of one course. Those that are
    completed stay as they are. One whose access has ended was completed before that."""
    opened = [enrolment for enrolment in enrolments if enrolment.completed_at is None]
    for enrolment in opened:
        enrolment.completed_at = at if enrolment.access_until is None else min(at, enrolment.access_until)
    session.flush()
    issuing.issue(session, opened, rule, at)


def count_completing(  # noqa: PLR0913 what would be, and when
    session: Session,
    course_id: int,
    rule: CompletionRule,
    lessons: Sequence[OutlineLesson],
    at: datetime,
    *,
    limit: int = 2_000,
) -> Completing:
    """How many who have access and have not completed the course would have by this rule and this outline; nothing
    is written. `limit`: of the learners that are looked at."""
    has_access_now = or_(Enrolment.access_until.is_(None), Enrolment.access_until > at)
    query = select(Enrolment).where(Enrolment.product_id == course_id, Enrolment.completed_at.is_(None), has_access_now)
    enrolments = session.scalars(query.order_by(Enrolment.id).limit(limit + 1)).all()
    seen, course = enrolments[:limit], _Course(rule, tuple(lessons))
    statuses = _statuses(course, seen, _marked_done(session, seen), _done_quizzes(session, course, _learners(seen)))
    return Completing(sum(status.is_complete for status in statuses.values()), len(enrolments) <= limit)


def _course(session: Session, course_id: int) -> _Course:
    return _Course(outline.rule_of(session, course_id), outline.outline_of(session, course_id))


def _recount(
    session: Session, course: _Course, enrolments: Sequence[Enrolment], now: datetime, *, needs_access: bool = False
) -> dict[int, CompletionStatus]:
    """The status of each enrolment, by its id. All are locked and of this course."""
    marked = _marked_done(session, enrolments)
    quizzes = _done_quizzes(session, course, _learners(enrolments))
    statuses = _statuses(course, enrolments, marked, quizzes)
    for enrolment in enrolments:
        enrolment.done_lessons, enrolment.rule_version = statuses[enrolment.id].done, course.rule.version
        enrolment.done_lesson_ids = id_text(_done(course, enrolment, marked, quizzes))
    allowed = [row for row in enrolments if not needs_access or has_access(row, now)]
    complete(session, [row for row in allowed if statuses[row.id].is_complete], course.rule, now)
    _mark_quizzes(session, course, marked, quizzes, now)
    return statuses


def _learners(enrolments: Iterable[Enrolment]) -> list[int]:
    return [enrolment.learner_id for enrolment in enrolments]


def _statuses(
    course: _Course,
    enrolments: Iterable[Enrolment],
    marked: Mapping[int, set[int]],
    quizzes: Mapping[int, set[int]],
) -> dict[int, CompletionStatus]:
    statuses: dict[int, CompletionStatus] = {}
    for enrolment in enrolments:
        done = _done(course, enrolment, marked, quizzes)
        statuses[enrolment.id] = completion_status(course.rule, course.lessons, done, quizzes[enrolment.learner_id])
    return statuses


def _done(
    course: _Course, enrolment: Enrolment, marked: Mapping[int, set[int]], quizzes: Mapping[int, set[int]]
) -> set[int]:
    """Ids of the lessons that are done: of the quizzes that count by their attempts alone."""
    return (marked[enrolment.learner_id] - set(course.quizzes)) | quizzes[enrolment.learner_id]


def id_text(lesson_ids: Iterable[int]) -> str | None:
    """As `Enrolment.done_lesson_ids` has them."""
    return ",".join(map(str, sorted(lesson_ids))) or None


def _marked_done(session: Session, enrolments: Sequence[Enrolment]) -> Mapping[int, set[int]]:
    """By learner, the lessons whose progress says that they are done."""
    query = select(LessonProgress.learner_id, LessonProgress.lesson_id).where(
        LessonProgress.learner_id.in_(_learners(enrolments)),
        LessonProgress.course_id.in_({enrolment.product_id for enrolment in enrolments}),
        LessonProgress.is_done.is_(True),
    )
    return _by_learner(session.execute(query).all())


def _done_quizzes(session: Session, course: _Course, learner_ids: Collection[int]) -> Mapping[int, set[int]]:
    """By learner, the quizzes that are done by the rule as it is now."""
    if not course.quizzes:
        return defaultdict(set)
    best = (
        select(QuizAttempt.learner_id, QuizAttempt.lesson_id, func.max(QuizAttempt.score))
        .where(QuizAttempt.learner_id.in_(learner_ids), QuizAttempt.lesson_id.in_(course.quizzes))
        .group_by(QuizAttempt.learner_id, QuizAttempt.lesson_id)
    )
    must_pass = course.rule.quizzes == "passed"
    rows = session.execute(best).all()
    return _by_learner((row[0], row[1]) for row in rows if not must_pass or is_passed(row[2], course.rule.pass_mark))


def _by_learner(rows: Iterable[Sequence[int]]) -> Mapping[int, set[int]]:
    lessons: defaultdict[int, set[int]] = defaultdict(set)
    for learner_id, lesson_id in rows:
        lessons[learner_id].add(lesson_id)
    return lessons


def _mark_quizzes(
    session: Session, course: _Course, marked: Mapping[int, set[int]], done: Mapping[int, set[int]], now: datetime
) -> None:
    """Let the progress of quizzes say what their attempts say, for whoever reads progress alone."""
    quizzes = set(course.quizzes)
    wrong = {
        (learner_id, lesson_id): lesson_id in done[learner_id]
        for learner_id in marked.keys() | done.keys()
        for lesson_id in (marked[learner_id] & quizzes) ^ done[learner_id]
    }
    if not wrong:
        return
    query = select(LessonProgress).where(
        LessonProgress.learner_id.in_({learner_id for learner_id, _ in wrong}), LessonProgress.lesson_id.in_(quizzes)
    )
    for row in session.scalars(query.execution_options(populate_existing=True)):
        if (row.learner_id, row.lesson_id) in wrong:
            row.is_done, row.done_at = wrong[row.learner_id, row.lesson_id], now
    session.flush()
