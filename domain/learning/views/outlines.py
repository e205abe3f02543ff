"""The outlines of courses, the same for all their learners."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Select, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import SelectByIds
from domain.learning.completion import OutlineLesson
from domain.tables import CourseSection, Lesson


class LessonFacts(NamedTuple):
    """A lesson as everybody has it. `section_position` and `section` None: withdrawn."""

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


@dataclass(frozen=True)
class CourseOutline:
    """`lessons` in their order; `withdrawn`: those that are no longer among them."""

    lessons: tuple[LessonFacts, ...] = ()
    withdrawn: tuple[LessonFacts, ...] = ()

    @cached_property
    def by_id(self) -> dict[int, LessonFacts]:
        return {lesson.id: lesson for lesson in self.lessons}

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each lesson, from 0, by its id."""
        return {lesson.id: place for place, lesson in enumerate(self.lessons)}

    @cached_property
    def with_withdrawn(self) -> dict[int, LessonFacts]:
        """All lessons that the course has or had, by their id."""
        return {lesson.id: lesson for lesson in (*self.lessons, *self.withdrawn)}

    @cached_property
    def minutes(self) -> dict[int, int]:
        return {lesson.id: lesson.minutes for lesson in self.lessons}

    @cached_property
    def counted(self) -> tuple[OutlineLesson, ...]:
        """The lessons as completion counts them."""
        return tuple(OutlineLesson(row.id, row.kind, row.is_required, row.added_at) for row in self.lessons)

    @cached_property
    def sections(self) -> tuple[tuple[str, tuple[LessonFacts, ...]], ...]:
        """The title and the lessons of each section, in order."""
        grouped = groupby(self.lessons, key=lambda lesson: (lesson.section_position, lesson.section or ""))
        return tuple((title, tuple(lessons)) for (_position, title), lessons in grouped)


_lessons, _sections = Lesson.__table__.c, CourseSection.__table__.c


def _of_courses(ids: list[BindParameter[int]]) -> Select[Any]:
    section_columns = (_sections.position.label("section_position"), _sections.title.label("section"))
    return (
        select(_lessons.id, _lessons.course_id, *section_columns, *(_lessons[name] for name in LessonFacts._fields[4:]))
        .outerjoin(CourseSection.__table__, _sections.id == _lessons.section_id)
        .where(_lessons.course_id.in_(ids))
        .order_by(_lessons.course_id, _sections.position, _lessons.position, _lessons.id)
    )


_OF_COURSES = SelectByIds(_of_courses, LessonFacts._make)


def read_outlines(session: Session, course_ids: Collection[int]) -> Iterator[tuple[int, CourseOutline]]:
    """By course, in one statement."""
    lessons: dict[int, list[LessonFacts]] = defaultdict(list)
    for lesson in _OF_COURSES.all(session, course_ids):
        lessons[lesson.course_id].append(lesson)
    return ((course_id, _outline(lessons[course_id])) for course_id in course_ids)


def _outline(lessons: Iterable[LessonFacts]) -> CourseOutline:
    shown: list[LessonFacts] = []
    withdrawn: list[LessonFacts] = []
    for lesson in lessons:
        (shown if lesson.withdrawn_at is None else withdrawn).append(lesson)
    return CourseOutline(tuple(shown), tuple(withdrawn))
