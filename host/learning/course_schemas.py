"""JSON of an owned course: its outline, its rule, how far its learner is. Days and times are UTC.

Pages of many courses or lessons are made of these: as TypedDicts they cost a tenth of models, and nothing has to be
checked that this site has made.
"""

from datetime import datetime
from typing import Literal, NotRequired

from pydantic import BaseModel
from typing_extensions import TypedDict

from domain.learning.views.records import CourseState
from host.urls import Picture

LessonKind = Literal["text", "video", "quiz", "file"]


class LearningLink(TypedDict):
    name: str
    href: str


class LessonFacts(TypedDict):
    id: int
    title: str
    kind: LessonKind
    minutes: int


class LessonLink(LessonFacts):
    href: str


class OutlineLesson(LessonFacts):
    """Its address is the course's `learnHref` with `&lesson=` and the id. `isNew`: added since the learner completed
    the course. `changedAt`: changed since it was done. What is not said is false: an outline may have hundreds."""

    isDone: bool
    isOptional: NotRequired[bool]
    isNew: NotRequired[bool]
    changedAt: NotRequired[datetime]


class OutlineSection(TypedDict):
    title: str
    lessons: list[OutlineLesson]


class CourseStatus(TypedDict):
    """`done` of `needed` required lessons; `percent`: 0-100, 100 only when nothing is missing. `missing`: ids of the
    lessons still to be done, in the order of the outline."""

    done: int
    needed: int
    percent: int
    isComplete: bool
    missing: list[int]


class CourseRef(TypedDict):
    """`href`: its page in the catalogue. `learnHref`: its outline on this page."""

    id: int
    slug: str
    name: str
    href: str
    learnHref: str
    picture: Picture


class LearningCourse(CourseRef):
    """`rule`: the completion rule in words. `ruleChangedAt`: it changed since the learner began.
    `resume`: where the learner goes on; null when the course has no lessons. `withdrawn`: lessons no longer in the
    outline that the learner has begun. `source`: where access comes from, in words. `completionReason`: of staff who
    completed it by hand; else null."""

    state: CourseState
    source: str
    accessUntil: datetime | None
    enrolledAt: datetime
    completedAt: datetime | None
    completionReason: str | None
    rule: str
    ruleChangedAt: datetime | None
    hasCertificate: bool
    status: CourseStatus
    minutesLeft: int
    resume: LessonLink | None
    isRetired: bool
    successor: LearningLink | None
    sections: list[OutlineSection]
    withdrawn: list[OutlineLesson]


class SearchHit(BaseModel):
    """`sentence`: the one with the words, in plain text."""

    lesson: LessonLink
    sentence: str


class CourseSearch(BaseModel):
    """`hits`: of lessons that hold all words, at most 50; `hasMore`: there are others."""

    query: str
    hits: list[SearchHit]
    hasMore: bool
