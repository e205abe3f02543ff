"""Two hundred invented learners with up to ten months of progress, the same in every load.

Their rows are written at once, because one message after the other would take most of the time of a load; a test counts
every course anew and finds nothing to change. Only completions go through the function that issues certificates.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from domain.identity import learners
from domain.learning import outline, recount
from domain.learning.completion import CompletionRule, OutlineLesson, completion_status, is_passed
from domain.learning.quizzes import marking
from domain.learning.quizzes.marking import Quiz
from domain.readable_codes import ALPHABET
from domain.seed.lessons import bodies
from domain.seed.progress.quiz_answers import answers, event_id
from domain.tables import (
    Base,
    Enrolment,
    EnrolmentGrant,
    Learner,
    LearnerIdentity,
    Lesson,
    LessonBody,
    LessonProgress,
    Product,
    QuizAttempt,
)

COUNT = 200
MAX_AGE_DAYS = 300
MAX_COURSES = 3
# Beside the written courses, so many others that are featured.
OTHER_COURSES = 6
# One in so many attempts at a quiz misses half of the questions.
FAILS = 4
NAMES = Path(__file__).with_name("names.json")

Rows = dict[type[Base], list[dict[str, Any]]]


@dataclass(frozen=True)
class _Course:
    id: int
    lessons: tuple[OutlineLesson, ...]
    rule: CompletionRule
    quizzes: dict[int, tuple[int, Quiz]]


@dataclass
class _Invention:
    """What is written at the end. `enrolments`: each with its lessons in the order in which they were finished."""

    at: datetime
    chance: Random
    rows: Rows = field(default_factory=lambda: {LessonProgress: [], QuizAttempt: [], EnrolmentGrant: []})


def add(session: Session, at: datetime) -> None:
    courses = _courses(session)
    invention = _Invention(at, Random(20260831))  # noqa: S311 not used for secrets
    people = _people(session, invention)
    enrolments = [
        (person, course, enrolment)
        for person in people
        for course in invention.chance.sample(courses, invention.chance.randint(1, MAX_COURSES))
        for enrolment in (_enrolment(person, course, invention),)
    ]
    session.add_all(enrolment for _, _, enrolment in enrolments)
    session.flush()
    completed = [
        (course, enrolment, done_at)
        for person, course, enrolment in enrolments
        for done_at in (_study(person, course, enrolment, invention),)
        if done_at is not None
    ]
    for table, rows in invention.rows.items():
        session.execute(insert(table), rows)
    for course, enrolment, done_at in completed:
        recount.complete(session, [enrolment], course.rule, done_at)
    session.flush()


def _courses(session: Session) -> list[_Course]:
    written = list(session.scalars(select(Product.id).where(Product.slug.in_(bodies.courses())).order_by(Product.id)))
    others = select(Product.id).where(
        Product.kind == "course", Product.featured.is_(True), Product.status == "published"
    )
    featured = session.scalars(others.where(Product.id.not_in(written)).order_by(Product.id).limit(OTHER_COURSES))
    return [_course(session, course_id) for course_id in (*written, *featured)]


def _course(session: Session, course_id: int) -> _Course:
    query = select(Lesson.id, Lesson.revision, LessonBody.body).join(LessonBody, LessonBody.lesson_id == Lesson.id)
    rows = session.execute(query.where(Lesson.course_id == course_id, Lesson.kind == "quiz"))
    quizzes = {row.id: (row.revision, marking.quiz_of(row.body)) for row in rows}
    return _Course(course_id, outline.outline_of(session, course_id), outline.rule_of(session, course_id), quizzes)


def _people(session: Session, invention: _Invention) -> list[Learner]:
    names = json.loads(NAMES.read_text("utf-8"))
    chance = invention.chance
    pairs = chance.sample([(first, family) for first in names["first"] for family in names["family"]], COUNT)
    people = [
        Learner(
            issuer=learners.DEVELOPMENT_ISSUER,
            subject=f"{first}.{family}".lower(),
            name=f"{first} {family}",
            email=f"{first}.{family}@example.test".lower(),
            student_number=learners.normalised_student_number(_number(chance)),
            created_at=invention.at - timedelta(days=chance.uniform(5, MAX_AGE_DAYS)),
        )
        for first, family in pairs
    ]
    session.add_all(people)
    session.flush()
    session.add_all(
        LearnerIdentity(
            issuer=person.issuer, subject=person.subject, learner_id=person.id, created_at=person.created_at
        )
        for person in people
    )
    return people


def _number(chance: Random) -> str:
    letters = "".join(chance.choice(ALPHABET) for _ in range(learners.NUMBER_LETTERS))
    return f"S-{letters[:4]}-{letters[4:]}"


def _enrolment(person: Learner, course: _Course, invention: _Invention) -> Enrolment:
    enrolled_at = person.created_at + (invention.at - person.created_at) * invention.chance.random() / 2
    return Enrolment(learner_id=person.id, product_id=course.id, enrolled_at=enrolled_at, source="order")


def _study(person: Learner, course: _Course, enrolment: Enrolment, invention: _Invention) -> datetime | None:
    """What the learner did in the course; when that completed it."""
    invention.rows[EnrolmentGrant].append(
        {"enrolment_id": enrolment.id, "source": "order", "granted_at": enrolment.enrolled_at}
    )
    done: list[int] = []
    last = None
    for lesson, when in _finished(course.lessons, enrolment.enrolled_at, invention):
        last = _finish(person, course, lesson, when, invention)
        done.append(lesson.id)
        enrolment.started_at = enrolment.started_at or when
        enrolment.last_lesson_id, enrolment.last_active_at = lesson.id, last
    if last is None:
        return None
    status = completion_status(course.rule, course.lessons, done, done)
    enrolment.done_lessons, enrolment.rule_version = status.done, course.rule.version
    enrolment.done_lesson_ids = recount.id_text(done)
    return last if status.is_complete else None


def _finished(
    lessons: Sequence[OutlineLesson], since: datetime, invention: _Invention
) -> Iterator[tuple[OutlineLesson, datetime]]:
    """One in seven never begins, one in seven goes on to the end if the time is long enough; the others stop on the
    way."""
    chance = invention.chance
    share = chance.choice((0, 0.2, 0.35, 0.5, 0.5, 0.7, 1))
    pace_days = chance.uniform(0.5, 6)
    when = since + timedelta(days=chance.uniform(0, 10))
    for lesson in lessons[: round(len(lessons) * share)]:
        when += timedelta(days=chance.expovariate(1 / pace_days))
        if when > invention.at:
            return
        yield lesson, when


def _finish(person: Learner, course: _Course, lesson: OutlineLesson, when: datetime, invention: _Invention) -> datetime:
    """Store that the lesson is done; when that was."""
    if lesson.kind == "quiz":
        _pass(person, course, lesson.id, when, invention)
    invention.rows[LessonProgress].append(
        {"learner_id": person.id, "course_id": course.id, "lesson_id": lesson.id}
        | {"is_done": True, "done_at": when, "opened_at": when, "position": 0, "furthest": 0}
    )
    return when


def _pass(person: Learner, course: _Course, lesson_id: int, when: datetime, invention: _Invention) -> None:
    revision, quiz = course.quizzes[lesson_id]
    half = range(0, len(quiz.questions), 2)
    tries = [half, ()] if invention.chance.randrange(FAILS) == 0 else [()]
    for number, wrong in enumerate(tries, 1):
        given = answers(quiz, wrong)
        marked = marking.mark(quiz, given)
        invention.rows[QuizAttempt].append(
            {
                "event_id": event_id(person.subject, lesson_id, number),
                "learner_id": person.id,
                "lesson_id": lesson_id,
                "number": number,
                "revision": revision,
                "answers": given,
                "marks": marked.marks,
                "score": marked.score,
                "is_passed": is_passed(marked.score, course.rule.pass_mark),
                "attempted_at": when - timedelta(minutes=25 * (len(tries) - number)),
            }
        )
