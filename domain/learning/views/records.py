"""Rows of courses and lessons as one learner has them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from domain.learning.completion import CompletionRule, CompletionStatus, new_since
from domain.learning.files import FileRow
from domain.learning.progress_merge import LessonState
from domain.learning.views.outlines import CourseOutline, LessonFacts


class CourseRow(NamedTuple):
    """An enrolment with what a card of its course shows. `source`: of the oldest grant that lives, else of the one that
    ended last. `completion_reason`: of staff who completed it by hand."""

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
    completion_reason: str | None
    source: str | None


class LessonProgressRow(NamedTuple):
    """How far a learner is in a lesson. `opened_at` None: not begun."""

    is_done: bool = False
    done_at: datetime | None = None
    position: int = 0
    position_at: datetime | None = None
    furthest: int = 0
    opened_at: datetime | None = None


class LessonRow(NamedTuple):
    """The columns of LessonFacts, then those of LessonProgressRow."""

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
class CourseSummary:
    """A course of one learner as lists show it. `done`: ids of the lessons of the outline that they finished.
    `rule_changed_at`: the rule changed since they began."""

    row: CourseRow
    rule: CompletionRule
    rule_text: str
    rule_changed_at: datetime | None
    status: CompletionStatus
    outline: CourseOutline
    done: frozenset[int]
    at: datetime

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
        if self.row.completed_at is not None:
            return 0
        return sum(self.outline.by_id[lesson_id].minutes for lesson_id in self.status.missing)

    @property
    def last_lesson(self) -> LessonFacts | None:
        last_id = self.row.last_lesson_id
        return None if last_id is None else self.outline.by_id.get(last_id)

    @property
    def resume(self) -> LessonFacts | None:
        """Where the learner goes on: the lesson of last time, or the next one that is not done."""
        lessons, last = self.outline.lessons, self.last_lesson
        if last is not None and (last.id not in self.done or self.row.completed_at is not None):
            return last
        place = lessons.index(last) + 1 if last is not None else 0
        ahead = (*lessons[place:], *lessons[:place])
        return next((lesson for lesson in ahead if lesson.id not in self.done), lessons[0] if lessons else None)


@dataclass(frozen=True)
class OwnCourse(CourseSummary):
    """The same with the learner's progress. `progress`: by lesson, of all lessons that they have begun."""

    progress: Mapping[int, LessonProgressRow]

    @cached_property
    def lessons(self) -> tuple[LessonRow, ...]:
        """Those of the outline, in order."""
        return tuple(self._with_progress(lesson) for lesson in self.outline.lessons)

    @cached_property
    def withdrawn(self) -> tuple[LessonRow, ...]:
        """Those that are no longer in the outline and that the learner has begun."""
        return tuple(self._with_progress(lesson) for lesson in self.outline.withdrawn if lesson.id in self.progress)

    @cached_property
    def new_lessons(self) -> frozenset[int]:
        """Those that were added since the learner completed the course."""
        return frozenset(new_since(self.outline.counted, self.done, self.row.completed_at))

    def _with_progress(self, lesson: LessonFacts) -> LessonRow:
        return LessonRow(*lesson, *self.progress.get(lesson.id, _NOT_BEGUN))


_NOT_BEGUN = LessonProgressRow()


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
