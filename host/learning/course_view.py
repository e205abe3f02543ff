"""Owned courses as JSON models."""

from datetime import datetime
from typing import Any, cast

from domain.catalogue.redirects import RedirectTarget
from domain.learning.completion import CompletionStatus
from domain.learning.progress_merge import LessonState as StoredState
from domain.learning.views.outlines import LessonFacts
from domain.learning.views.records import ForeignCourse, LessonRow, OwnCourse
from domain.learning.views.search import Hit
from host.learning.addresses import course_href, lesson_href
from host.learning.course_schemas import (
    CourseRef,
    CourseSearch,
    CourseState,
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

SOURCES = {"order": "Bought", "seat": "A seat of your organisation", "gift": "A gift"}


def course_view(course: OwnCourse, successor: tuple[RedirectTarget, str] | None = None) -> LearningCourse:
    row = course.row
    resume = course.resume
    return LearningCourse(
        **course_facts(row),
        state=cast(CourseState, course.state),
        source=SOURCES.get(row.source or "", ""),
        accessUntil=row.access_until,
        enrolledAt=row.enrolled_at,
        completedAt=row.completed_at,
        completionReason=row.completion_reason,
        rule=course.rule_text,
        ruleChangedAt=course.rule_changed_at,
        hasCertificate=course.rule.has_certificate,
        status=status_view(course.status, is_completed=row.completed_at is not None),
        minutesLeft=course.minutes_left,
        resume=None if resume is None else lesson_link(row.slug, resume),
        isRetired=row.status == "retired",
        successor=None if successor is None else _link_of(*successor),
        sections=_sections(course),
        withdrawn=[_outline_lesson(course, lesson) for lesson in course.withdrawn],
    )


def course_ref(row: object) -> CourseRef:
    """`row` has the columns of a product's card."""
    return CourseRef(**course_facts(row))


def course_facts(row: object) -> dict[str, Any]:
    """The fields of a CourseRef, for models that have more."""
    product = cast(ForeignCourse, row)
    # The name beside it says all that a generated cover shows.
    alt = "" if product.image.startswith("/pictures/") else product.image_alt
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "href": href_of("course", product.id, product.slug),
        "learnHref": course_href(product.slug),
        "picture": list_picture(product.image, product.image_width, product.image_height, alt),
    }


def search_view(course: OwnCourse, text: str, found: tuple[tuple[Hit, ...], bool]) -> CourseSearch:
    """`found`: as domain.learning.views.search returns it."""
    hits, has_more = found
    links = [SearchHit(lesson=lesson_link(course.row.slug, hit.lesson), sentence=hit.sentence) for hit in hits]
    return CourseSearch(query=text, hits=links, hasMore=has_more)


def status_view(status: CompletionStatus, *, is_completed: bool) -> CourseStatus:
    """`is_completed`: once, by whatever counted then."""
    return CourseStatus(
        done=status.done,
        needed=status.needed,
        percent=100 if is_completed else status.percent,
        isComplete=is_completed or status.is_complete,
        missing=list(status.missing),
    )


def lesson_link(slug: str, lesson: LessonFacts | LessonRow) -> LessonLink:
    return LessonLink(
        id=lesson.id,
        title=lesson.title,
        kind=cast(LessonKind, lesson.kind),
        minutes=lesson.minutes,
        href=lesson_href(slug, lesson.id),
    )


def state_view(state: StoredState) -> LessonState:
    return LessonState(
        isDone=state.is_done,
        doneAt=None if state.done_at is None else milliseconds(state.done_at),
        position=state.position,
        positionAt=None if state.position_at is None else milliseconds(state.position_at),
        furthest=state.furthest,
    )


def milliseconds(at: datetime) -> int:
    """Milliseconds since 1970, as browsers count."""
    return round(at.timestamp() * 1000)


def _sections(course: OwnCourse) -> list[OutlineSection]:
    sections: list[OutlineSection] = []
    position: int | None = None
    for lesson in course.lessons:
        if lesson.section_position != position:
            position = lesson.section_position
            sections.append(OutlineSection(title=lesson.section or "", lessons=[]))
        sections[-1].lessons.append(_outline_lesson(course, lesson))
    return sections


def _outline_lesson(course: OwnCourse, lesson: LessonRow) -> OutlineLesson:
    return OutlineLesson(
        id=lesson.id,
        title=lesson.title,
        kind=cast(LessonKind, lesson.kind),
        minutes=lesson.minutes,
        href=lesson_href(course.row.slug, lesson.id),
        isRequired=lesson.is_required,
        isDone=lesson.is_done,
        isNew=lesson.id in course.new_lessons,
        changedAt=lesson.changed_at,
    )


def _link_of(target: RedirectTarget, name: str) -> LearningLink:
    return LearningLink(name=name, href=href_of(target.kind, target.id, target.slug))
