"""Owned courses as JSON."""

from datetime import datetime
from typing import cast

from domain.catalogue.redirects import RedirectTarget
from domain.learning.addresses import course_href, lesson_href
from domain.learning.completion import CompletionStatus
from domain.learning.progress_merge import LessonState as StoredState
from domain.learning.views.outlines import LessonFacts
from domain.learning.views.records import CourseSummary, ForeignCourse, StudiedCourse
from domain.learning.views.search import Hit
from domain.learning.views.shared_courses import CourseFacts, DoneLessons, SharedCourse
from host.learning.course_schemas import (
    CourseRef,
    CourseSearch,
    CourseStatus,
    LearningCourse,
    LearningLink,
    LessonKind,
    LessonLink,
    OutlineLesson,
    OutlineSection,
    SearchHit,
)
from host.learning.lesson_schemas import LessonState
from host.urls import href_of, list_picture

_SOURCES = {"order": "Bought", "seat": "A seat of your organisation", "gift": "A gift"}


def source_text(source: str | None, course: CourseFacts) -> str:
    """Where access comes from, in words. Nobody buys what is free."""
    if source == "order" and not course.list_price:
        return "Enrolled"
    return _SOURCES.get(source or "", "")


class _SharedView(CourseRef):
    rule: str
    hasCertificate: bool
    isRetired: bool


def course_view(course: StudiedCourse, successor: tuple[RedirectTarget, str] | None = None) -> LearningCourse:
    own, resume, done = course.enrolment, course.resume, course.done_lessons
    is_completed = own.completed_at is not None
    return {
        **course.shared.once(_shared_view),
        "state": course.state,
        "source": source_text(own.source, course.facts),
        "accessUntil": own.access_until,
        "enrolledAt": own.enrolled_at,
        "completedAt": own.completed_at,
        "completionReason": own.completion_reason,
        "ruleChangedAt": course.rule_changed_at,
        "status": status_view(course.status, is_completed=True) if is_completed else done.once(_status_underway),
        "minutesLeft": course.minutes_left,
        "resume": None if resume is None else lesson_link(course, resume),
        "successor": None if successor is None else _link_of(*successor),
        "sections": _sections(course),
        "withdrawn": [_with_news(course, _outline_lesson(done, lesson)) for lesson in course.withdrawn],
    }


def _shared_view(course: SharedCourse) -> _SharedView:
    return {
        **course.once(_shared_ref),
        "rule": course.rule_text,
        "hasCertificate": course.rule.has_certificate,
        "isRetired": course.facts.status == "retired",
    }


def own_course_ref(course: CourseSummary) -> CourseRef:
    """Not to be changed: it is the same for all learners of the course, and made once."""
    return course.shared.once(_shared_ref)


def _shared_ref(course: SharedCourse) -> CourseRef:
    return course_ref(course.facts)


def course_ref(course: CourseFacts | ForeignCourse) -> CourseRef:
    # The name beside it says all that a generated cover shows.
    alt = "" if course.image.startswith("/pictures/") else course.image_alt
    return {
        "id": course.id,
        "slug": course.slug,
        "name": course.name,
        "href": href_of("course", course.id, course.slug),
        "learnHref": course_href(course.slug),
        "picture": list_picture(course.image, course.image_width, course.image_height, alt),
    }


def search_view(course: StudiedCourse, text: str, found: tuple[tuple[Hit, ...], bool]) -> CourseSearch:
    """`found`: as domain.learning.views.search returns it."""
    hits, has_more = found
    links = [SearchHit(lesson=lesson_link(course, hit.lesson), sentence=hit.sentence) for hit in hits]
    return CourseSearch(query=text, hits=links, hasMore=has_more)


def status_view(status: CompletionStatus, *, is_completed: bool) -> CourseStatus:
    """`is_completed`: once, by whatever counted then."""
    return {
        "done": status.done,
        "needed": status.needed,
        "percent": 100 if is_completed else status.percent,
        "isComplete": is_completed or status.is_complete,
        "missing": list(status.missing),
    }


def _status_underway(done: DoneLessons) -> CourseStatus:
    return status_view(done.status, is_completed=False)


def lesson_link(course: CourseSummary, lesson: LessonFacts) -> LessonLink:
    """The link to a lesson of the outline. Not to be changed: it is the same for all learners of the course, and made
    once."""
    return course.shared.once(_lesson_links)[lesson.id]


def _lesson_links(course: SharedCourse) -> dict[int, LessonLink]:
    return {
        lesson.id: {
            "id": lesson.id,
            "title": lesson.title,
            "kind": cast(LessonKind, lesson.kind),
            "minutes": lesson.minutes,
            "href": lesson_href(course.facts.slug, lesson.id),
        }
        for lesson in course.outline.lessons
    }


def state_view(state: StoredState) -> LessonState:
    return {
        "isDone": state.is_done,
        "doneAt": None if state.done_at is None else milliseconds(state.done_at),
        "position": state.position,
        "positionAt": None if state.position_at is None else milliseconds(state.position_at),
        "furthest": state.furthest,
    }


def milliseconds(at: datetime) -> int:
    """Milliseconds since 1970, as browsers count."""
    return round(at.timestamp() * 1000)


def _sections(course: StudiedCourse) -> list[OutlineSection]:
    """Not to be changed: what nobody has of their own is the same for all who have done the same lessons, and made
    once."""
    shown = course.done_lessons.once(_shared_sections)
    news = course.changes.keys() | course.new_lessons
    if not news:
        return shown
    return [
        {
            "title": section["title"],
            "lessons": [
                _with_news(course, lesson) if lesson["id"] in news else lesson for lesson in section["lessons"]
            ],
        }
        for section in shown
    ]


def _shared_sections(done: DoneLessons) -> list[OutlineSection]:
    return [
        {"title": title, "lessons": [_outline_lesson(done, lesson) for lesson in lessons]}
        for title, lessons in done.course.outline.sections
    ]


def _outline_lesson(done: DoneLessons, lesson: LessonFacts) -> OutlineLesson:
    shown: OutlineLesson = {
        "id": lesson.id,
        "title": lesson.title,
        "kind": cast(LessonKind, lesson.kind),
        "minutes": lesson.minutes,
        "isDone": lesson.id in done.ids,
    }
    if not lesson.is_required:
        shown["isOptional"] = True
    return shown


def _with_news(course: StudiedCourse, lesson: OutlineLesson) -> OutlineLesson:
    """A copy that says what is new of the lesson."""
    own = lesson.copy()
    if lesson["id"] in course.new_lessons:
        own["isNew"] = True
    if (changed_at := course.changes.get(lesson["id"])) is not None:
        own["changedAt"] = changed_at
    return own


def _link_of(target: RedirectTarget, name: str) -> LearningLink:
    return {"name": name, "href": href_of(target.kind, target.id, target.slug)}
