"""Rows of courses and lessons as one learner has them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from domain.learning.completion import CompletionRule, CompletionStatus
from domain.learning.files import FileRow
from domain.learning.progress_merge import LessonState


class CourseRow(NamedTuple):
    """An enrolment with what a card of its course shows. `source`: of the oldest grant that lives, else of the one that
    ended last."""

    id: int
    slug: str
    name: str
    status: str
    category_id: int
    level: str | None
    successor_id: int | None
    image: str
    image_width: int
    image_height: int
    image_alt: str
    enrolled_at: datetime
    access_until: datetime | None
    started_at: datetime | None
    last_lesson_id: int | None
    last_active_at: datetime | None
    completed_at: datetime | None
    source: str | None


class LessonRow(NamedTuple):
    """A lesson with its learner's progress. `section_position` and `section` None: withdrawn. `opened_at` None: not
    begun."""

    id: int
    course_id: int
    section_position: int | None
    section: str | None
    title: str
    kind: str
    minutes: int
    is_required: bool
    revision: int
    updated_at: datetime
    added_at: datetime | None
    withdrawn_at: datetime | None
    is_done: bool
    done_at: datetime | None
    position: int
    position_at: datetime | None
    furthest: int
    opened_at: datetime | None

    @property
    def state(self) -> LessonState:
        return LessonState(self.is_done, self.done_at, self.position, self.position_at, self.furthest)

    @property
    def changed_at(self) -> datetime | None:
        """When it was changed since the learner finished it."""
        return self.updated_at if self.is_done and self.done_at and self.updated_at > self.done_at else None


@dataclass(frozen=True)
class OwnCourse:
    """A course of one learner. `lessons`: those of the outline, in order; `withdrawn`: those that they have begun.
    `rule_changed_at`: the rule changed since they began."""

    row: CourseRow
    rule: CompletionRule
    rule_text: str
    rule_changed_at: datetime | None
    status: CompletionStatus
    lessons: tuple[LessonRow, ...]
    # Those that were added since the learner completed the course.
    new_lessons: frozenset[int]
    at: datetime
    withdrawn: tuple[LessonRow, ...] = ()

    @property
    def has_access(self) -> bool:
        until = self.row.access_until
        return until is None or until > self.at

    @property
    def state(self) -> str:
        """new | underway | completed | ended"""
        if not self.has_access:
            return "ended"
        if self.row.completed_at is not None:
            return "completed"
        return "underway" if self.row.started_at is not None else "new"

    @property
    def percent(self) -> int:
        return 100 if self.row.completed_at is not None else self.status.percent

    @property
    def minutes_left(self) -> int:
        missing = set() if self.row.completed_at is not None else set(self.status.missing)
        return sum(lesson.minutes for lesson in self.lessons if lesson.id in missing)

    @property
    def last_lesson(self) -> LessonRow | None:
        return next((lesson for lesson in self.lessons if lesson.id == self.row.last_lesson_id), None)

    @property
    def resume(self) -> LessonRow | None:
        """Where the learner goes on: the lesson of last time, or the next one that is not done."""
        last = self.last_lesson
        if last is not None and (not last.is_done or self.row.completed_at is not None):
            return last
        place = self.lessons.index(last) + 1 if last is not None else 0
        ahead = (*self.lessons[place:], *self.lessons[:place])
        return next((lesson for lesson in ahead if not lesson.is_done), self.lessons[0] if self.lessons else None)


@dataclass(frozen=True)
class ForeignCourse:
    """A course of the catalogue that the learner never had."""

    id: int
    slug: str
    name: str
    subtitle: str
    status: str
    image: str
    image_width: int
    image_height: int
    image_alt: str


@dataclass(frozen=True)
class FormerSlug:
    """The course has another slug now."""

    slug: str


@dataclass(frozen=True)
class LessonContent:
    """A lesson with its body (form of its kind); `body` None: there is none. `number`: its place in the outline, from
    1, 0 when withdrawn."""

    course: OwnCourse
    lesson: LessonRow
    body: dict[str, object] | None
    is_generated: bool
    number: int
    # By their SHA-256: those that the body names and the shop has.
    files: Mapping[str, FileRow]
    previous: LessonRow | None = field(default=None)
    next: LessonRow | None = field(default=None)
