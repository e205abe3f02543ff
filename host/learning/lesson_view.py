"""Lessons as JSON models: the body is rendered by its kind."""

from typing import Any, cast

from domain.learning.views.records import LessonContent
from host.learning.course_schemas import LessonKind
from host.learning.course_view import lesson_link, state_view
from host.learning.lesson_schemas import LearningLesson, LessonBody, MissingBody, QuizBody, TextBody
from host.rendering.markdown import markdown_to_html


def lesson_view(content: LessonContent) -> LearningLesson:
    course, lesson = content.course, content.lesson
    return LearningLesson(
        id=lesson.id,
        courseId=lesson.course_id,
        title=lesson.title,
        kind=cast(LessonKind, lesson.kind),
        minutes=lesson.minutes,
        number=content.number,
        section=lesson.section or "",
        isRequired=lesson.is_required,
        isWithdrawn=lesson.withdrawn_at is not None,
        isGenerated=content.is_generated,
        revision=lesson.revision,
        updatedAt=lesson.updated_at,
        changedAt=lesson.changed_at,
        body=body_view(content),
        state=state_view(lesson.state),
        previous=None if content.previous is None else lesson_link(course.row.slug, content.previous),
        next=None if content.next is None else lesson_link(course.row.slug, content.next),
    )


def body_view(content: LessonContent) -> LessonBody:
    """Raises nothing: what cannot be shown is a MissingBody."""
    body = cast("dict[str, Any] | None", content.body)
    if body is None:
        return missing_body(content)
    html = markdown_to_html(body.get("text", ""))
    if content.lesson.kind == "text":
        return TextBody(kind="text", html=html)
    if content.lesson.kind == "quiz":
        return QuizBody(kind="quiz", html=html, questionCount=len(body["questions"]))
    return missing_body(content)


def missing_body(content: LessonContent) -> MissingBody:
    """The reference names lesson and revision."""
    return MissingBody(kind="missing", reference=f"L{content.lesson.id}-{content.lesson.revision}")
