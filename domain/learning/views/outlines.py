"""The outlines of courses, the same for all their learners.

Lists of a learner's courses need the lessons of each: hundreds of rows for a few progress rows. The session of inline
reads (domain/database/database.py) stays for the life of its process and sees committed rows alone, so it caches the
outlines; valid until the catalogue's version changes, which every change of an outline increases.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Select, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import DRIVER, SelectByIds
from domain.learning.completion import CompletionRule, OutlineLesson, describe_rule
from domain.tables import CourseSection, Lesson

# Key in `session.info`.
_CACHE = "course outlines"
# Of the cached courses together: about half a kilobyte each.
MAX_CACHED_LESSONS = 20_000


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
    _rule_texts: dict[CompletionRule, str] = field(default_factory=dict, compare=False)

    @cached_property
    def by_id(self) -> dict[int, LessonFacts]:
        return {lesson.id: lesson for lesson in self.lessons}

    @cached_property
    def counted(self) -> tuple[OutlineLesson, ...]:
        """The lessons as completion counts them."""
        return tuple(OutlineLesson(row.id, row.kind, row.is_required, row.added_at) for row in self.lessons)

    def rule_text(self, rule: CompletionRule) -> str:
        """The completion rule in words."""
        text = self._rule_texts.get(rule)
        if text is None:
            text = self._rule_texts[rule] = describe_rule(rule, self.counted)
        return text


@dataclass
class _Cache:
    version: int
    outlines: dict[int, CourseOutline] = field(default_factory=dict)
    size: int = 0

    def add(self, outlines: dict[int, CourseOutline]) -> None:
        added = sum(len(outline.lessons) + len(outline.withdrawn) for outline in outlines.values())
        if self.size + added > MAX_CACHED_LESSONS:
            self.outlines, self.size = {}, 0
        self.outlines.update(outlines)
        self.size += added


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


def outlines_of(session: Session, course_ids: Collection[int], version: int) -> dict[int, CourseOutline]:
    """By course, in one statement, none where all are cached. `version`: the catalogue's, read in this transaction."""
    if DRIVER not in session.info:
        return _read(session, course_ids)
    cache = session.info.get(_CACHE)
    if cache is None or cache.version != version:
        cache = session.info[_CACHE] = _Cache(version)
    present = {course_id: cache.outlines[course_id] for course_id in course_ids if course_id in cache.outlines}
    missing = _read(session, [course_id for course_id in course_ids if course_id not in present])
    cache.add(missing)
    return present | missing


def _read(session: Session, course_ids: Collection[int]) -> dict[int, CourseOutline]:
    lessons: dict[int, list[LessonFacts]] = defaultdict(list)
    for lesson in _OF_COURSES.all(session, course_ids):
        lessons[lesson.course_id].append(lesson)
    return {course_id: _outline(lessons[course_id]) for course_id in course_ids}


def _outline(lessons: Iterable[LessonFacts]) -> CourseOutline:
    shown: list[LessonFacts] = []
    withdrawn: list[LessonFacts] = []
    for lesson in lessons:
        (shown if lesson.withdrawn_at is None else withdrawn).append(lesson)
    return CourseOutline(tuple(shown), tuple(withdrawn))
