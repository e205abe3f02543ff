"""Rows of courses and lessons as one learner has them."""

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal, NamedTuple

from domain.learning.completion import CompletionStatus, new_since, rule_change
from domain.learning.files import LessonFileRow
from domain.learning.progress_merge import LessonState
from domain.learning.views.outlines import CourseOutline, LessonFacts
from domain.learning.views.shared_courses import CourseFacts, DoneLessons, SharedCourse

# ended: access is over. Completed stays completed, also after its end.
CourseState = Literal["new", "underway", "completed", "ended"]


class OwnEnrolment(NamedTuple):
    """A learner's own of a course. `completion_reason`: of staff who completed it by hand. `source`: of the oldest
    grant that lives, else of the one that ended last."""

    product_id: int
    enrolled_at: datetime
    access_until: datetime | None
    started_at: datetime | None
    last_lesson_id: int | None
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


# Not frozen, which would cost as much as all the rest of making one.
@dataclass(eq=False)
class CourseSummary:
    """A course of one learner as lists show it."""

    shared: SharedCourse
    enrolment: OwnEnrolment
    done_lessons: DoneLessons
    at: datetime
    state: CourseState = field(init=False)

    def __post_init__(self) -> None:
        # Lists ask for it several times.
        self.state = self._state()

    @property
    def done(self) -> Set[int]:
        """Ids of the lessons that they finished, also of withdrawn ones."""
        return self.done_lessons.ids

    @property
    def status(self) -> CompletionStatus:
        return self.done_lessons.status

    @property
    def facts(self) -> CourseFacts:
        return self.shared.facts

    @property
    def outline(self) -> CourseOutline:
        return self.shared.outline

    @property
    def rule_changed_at(self) -> datetime | None:
        """When the rule changed since the learner began."""
        return rule_change(self.shared.rule, self.enrolment.started_at, self.enrolment.completed_at)

    @property
    def has_access(self) -> bool:
        until = self.enrolment.access_until
        return until is None or until > self.at

    def _state(self) -> CourseState:
        if not self.has_access:
            return "ended"
        if self.enrolment.completed_at is not None:
            return "completed"
        return "underway" if self.enrolment.started_at is not None else "new"

    @property
    def percent(self) -> int:
        return 100 if self.enrolment.completed_at is not None else self.status.percent

    @property
    def minutes_left(self) -> int:
        return 0 if self.enrolment.completed_at is not None else self.done_lessons.minutes_left

    @property
    def resume(self) -> LessonFacts | None:
        """Where the learner goes on: the lesson of last time, or the next one that is not done; of a completed course
        its start."""
        lessons = self.outline.lessons
        if self.enrolment.completed_at is not None:
            return lessons[0] if lessons else None
        last = self.outline.by_id.get(self.enrolment.last_lesson_id or 0)
        if last is not None and last.id not in self.done:
            return last
        place = self.outline.places[last.id] + 1 if last is not None else 0
        ahead = (*lessons[place:], *lessons[:place])
        return next((lesson for lesson in ahead if lesson.id not in self.done), lessons[0] if lessons else None)


@dataclass(eq=False)
class StudiedCourse(CourseSummary):
    """A learner's course as its own pages show it. `withdrawn`: lessons that are no longer in the outline and that the
    learner has begun. `changed`: those that changed since the learner finished them, also withdrawn ones; `changes`:
    when. `new_lessons`: those that were added since the learner completed the course."""

    withdrawn: tuple[LessonFacts, ...]
    changed: Collection[int]
    changes: Mapping[int, datetime] = field(init=False)
    new_lessons: Set[int] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        facts = self.outline.with_withdrawn
        self.changes = {lesson_id: facts[lesson_id].updated_at for lesson_id in self.changed if lesson_id in facts}
        self.new_lessons = frozenset(new_since(self.outline.counted, self.done, self.enrolment.completed_at))


@dataclass(eq=False)
class OwnCourse(StudiedCourse):
    """A learner's course with their progress. `progress`: by lesson, of all lessons that they have begun."""

    progress: Mapping[int, LessonProgressRow]

    @cached_property
    def lessons(self) -> tuple[LessonRow, ...]:
        """The lessons of the outline, in order, with the learner's progress in each."""
        return tuple(with_progress(lesson, self.progress.get(lesson.id)) for lesson in self.outline.lessons)


def with_progress(lesson: LessonFacts, progress: LessonProgressRow | None) -> LessonRow:
    return LessonRow(*lesson, *(progress or _NOT_BEGUN))


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
class MovedCourse:
    """The course has another slug now."""

    slug: str


class LessonContent(NamedTuple):
    """A lesson with its body (form of its kind); `body` None: there is none. `number`: its place in the outline, from
    1, 0 when withdrawn."""

    course: StudiedCourse
    lesson: LessonRow
    body: dict[str, object] | None
    is_generated: bool
    number: int
    # By their SHA-256: those that the body names and the shop has.
    files: Mapping[str, LessonFileRow]
    previous: LessonFacts | None = None
    next: LessonFacts | None = None
