"""Courses as all their learners have them: name, picture, rule and outline, and what follows from these.

Lists of a learner's courses need these of each: hundreds of rows for a few rows of progress. The session of inline
reads (domain/database/database.py) stays for the life of its process and sees committed rows alone, so it caches them;
valid until the catalogue's version changes, which every change of a product, an outline or a rule increases. Nothing of
a learner belongs here.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from sqlalchemy import BindParameter, Select, select
from sqlalchemy.orm import Session

from domain.database.prepared_select import DRIVER, SelectByIds
from domain.learning.completion import (
    DEFAULT_RULE,
    CompletionRule,
    CompletionStatus,
    Quizzes,
    Requirements,
    describe_rule,
    requirements,
)
from domain.learning.views.lesson_texts import LessonText, TextCache
from domain.learning.views.outlines import CourseOutline, read_outlines
from domain.tables import CompletionRuleRow, Product

T = TypeVar("T")
# Key in `session.info`.
_CACHE = "shared courses"
# Lessons of all cached courses: about half a kilobyte each.
MAX_CACHED_LESSONS = 20_000
# What follows from lessons that are done: for each set of them the lessons of its course, about a quarter of a
# kilobyte each.
MAX_CACHED_DONE = 40_000


class CourseFacts(NamedTuple):
    """What a card of the course shows."""

    id: int
    slug: str
    name: str
    status: str
    category_id: int
    level: str | None
    language: str | None
    successor_id: int | None
    image: str
    image_width: int
    image_height: int
    image_alt: str
    list_price: Decimal


class RuledCourse(NamedTuple):
    facts: CourseFacts
    rule: CompletionRule


class DoneCache:
    """What follows from done lessons, of all cached courses together: at most MAX_CACHED_DONE lessons, the oldest set
    of lessons goes first."""

    def __init__(self) -> None:
        self._entries: dict[tuple[int, str], DoneLessons] = {}
        self.size = 0

    def get(self, course: "SharedCourse", text: str) -> "DoneLessons | None":
        done = self._entries.get((course.facts.id, text))
        # Another object of the course may be older than what the cache holds.
        return done if done is not None and done.course is course else None

    def add(self, text: str, done: "DoneLessons") -> None:
        key = (done.course.facts.id, text)
        self._remove(key)
        self._entries[key] = done
        self.size += _weight(done)
        while self.size > MAX_CACHED_DONE and len(self._entries) > 1:
            self._remove(next(iter(self._entries)))

    def _remove(self, key: tuple[int, str]) -> None:
        if (done := self._entries.pop(key, None)) is not None:
            self.size -= _weight(done)

    def clear(self) -> None:
        self._entries.clear()
        self.size = 0


def _weight(done: "DoneLessons") -> int:
    """One more than its lessons: an entry without any counts too."""
    return 1 + done.course.size


@dataclass(frozen=True, eq=False)
class SharedCourse:
    facts: CourseFacts
    rule: CompletionRule
    outline: CourseOutline
    _made: dict[Callable[["SharedCourse"], Any], Any] = field(default_factory=dict)
    _done: DoneCache = field(default_factory=DoneCache)
    _texts: TextCache = field(default_factory=TextCache)

    def lesson_text(self, session: Session, lesson_id: int) -> LessonText | None:
        """None where there is none. One statement, none where it is cached."""
        return self._texts.read(session, lesson_id)

    def once(self, make: Callable[["SharedCourse"], T]) -> T:
        """What `make` makes of the course, made once. It is shared by all learners too: callers do not change it."""
        made: T | None = self._made.get(make)
        if made is None:
            made = self._made[make] = make(self)
        return made

    def done_lessons(self, text: str) -> "DoneLessons":
        """`text`: ids of lessons, separated by commas. The same text gives the same object, as long as it is cached."""
        done = self._done.get(self, text)
        if done is None:
            done = self._count({int(lesson_id) for lesson_id in text.split(",") if lesson_id})
            self._done.add(text, done)
        return done

    def _count(self, done: Set[int]) -> "DoneLessons":
        # A quiz is done when it was passed, or attempted where the rule asks for no more.
        status = self.requirements.status(done, done)
        return DoneLessons(self, done, status, sum(map(self.outline.minutes.__getitem__, status.missing)))

    @cached_property
    def requirements(self) -> Requirements:
        return requirements(self.rule, self.outline.counted)

    @cached_property
    def rule_text(self) -> str:
        """The completion rule in words."""
        return describe_rule(self.rule, self.outline.counted)

    @property
    def size(self) -> int:
        return len(self.outline.lessons) + len(self.outline.withdrawn)


@dataclass(frozen=True, eq=False)
class DoneLessons:
    """What follows from the lessons that are done in a course, whoever did them. `ids`: also of withdrawn ones."""

    course: SharedCourse
    ids: Set[int]
    status: CompletionStatus
    minutes_left: int
    _made: dict[Callable[["DoneLessons"], Any], Any] = field(default_factory=dict)

    def once(self, make: Callable[["DoneLessons"], T]) -> T:
        """As `SharedCourse.once`, what `make` makes of these lessons."""
        made: T | None = self._made.get(make)
        if made is None:
            made = self._made[make] = make(self)
        return made


_products, _RULE = Product.__table__.c, CompletionRuleRow.__table__.c
_RULE_NAMES = tuple(_RULE.keys())
# The columns of a RuledCourse, for statements that join both tables.
RULED_COLUMNS = (*(_products[name] for name in CourseFacts._fields), *_RULE)
_FACTS = len(CourseFacts._fields)


def ruled_course(cells: Sequence[Any]) -> RuledCourse:
    """A course with its rule, from a row of RULED_COLUMNS."""
    return RuledCourse(CourseFacts._make(cells[:_FACTS]), _rule(cells[_FACTS:]))


def _rule(cells: Sequence[Any]) -> CompletionRule:
    """The rule of the course, or the default."""
    values = dict(zip(_RULE_NAMES, cells, strict=True))
    if values["course_id"] is None:
        return DEFAULT_RULE
    return CompletionRule(
        version=values["version"],
        required_percent=values["required_percent"],
        quizzes=cast(Quizzes, values["quizzes"]),
        pass_mark=values["pass_mark"],
        has_certificate=values["has_certificate"],
        valid_months=values["valid_months"],
        changed_at=values["changed_at"],
    )


def _ruled(ids: list[BindParameter[int]]) -> Select[Any]:
    rules, is_of = CompletionRuleRow.__table__, _RULE.course_id == _products.id
    return select(*RULED_COLUMNS).select_from(Product.__table__).outerjoin(rules, is_of).where(_products.id.in_(ids))


def _make_ruled(cells: Iterable[Any]) -> RuledCourse:
    return ruled_course(tuple(cells))


_RULED = SelectByIds(_ruled, _make_ruled)


@dataclass
class _Cache:
    version: int
    courses: dict[int, SharedCourse] = field(default_factory=dict)
    done: DoneCache = field(default_factory=DoneCache)
    texts: TextCache = field(default_factory=TextCache)
    size: int = 0

    def add(self, courses: Mapping[int, SharedCourse]) -> None:
        added = sum(course.size for course in courses.values())
        if self.size + added > MAX_CACHED_LESSONS:
            self.courses, self.size = {}, 0
            self.done.clear()
        self.courses.update(courses)
        self.size += added


def shared_courses(session: Session, course_ids: Collection[int], version: int) -> Mapping[int, SharedCourse]:
    """The courses by id, in two statements, none where all are cached. `version`: the catalogue's, read in this
    transaction."""
    cache = _cache(session, version)
    missing = [course_id for course_id in course_ids if course_id not in cache.courses]
    if not missing:
        return cache.courses
    ruled = {course.facts.id: course for course in _RULED.all(session, missing)}
    added = {
        course_id: SharedCourse(*ruled[course_id], outline, _done=cache.done, _texts=cache.texts)
        for course_id, outline in read_outlines(session, missing)
    }
    present = {course_id: cache.courses[course_id] for course_id in course_ids if course_id in cache.courses}
    cache.add(added)
    return {**present, **added}


def shared_course(session: Session, cells: Sequence[Any], version: int) -> SharedCourse:
    """The course whose cells of RULED_COLUMNS were read with the version: one statement for the rest, none where it is
    cached."""
    cache, course_id = _cache(session, version), cells[0]
    found = cache.courses.get(course_id)
    if found is None:
        [(_, outline)] = read_outlines(session, [course_id])
        found = SharedCourse(*ruled_course(cells), outline, _done=cache.done, _texts=cache.texts)
        cache.add({course_id: found})
    return found


def _cache(session: Session, version: int) -> _Cache:
    """The cache of a session; an empty one for sessions that do not stay, and for another version."""
    cache: _Cache | None = session.info.get(_CACHE) if DRIVER in session.info else _Cache(version)
    if cache is None or cache.version != version:
        cache = session.info[_CACHE] = _Cache(version)
    return cache
