"""Lessons as JSON: the body is rendered by its kind."""

import logging
from collections.abc import Mapping
from typing import Any, cast

from domain.learning.views.records import LessonContent
from host.learning.course_schemas import LessonKind
from host.learning.course_view import lesson_link, state_view
from host.learning.lesson_files import LessonFiles
from host.learning.lesson_schemas import (
    FileBody,
    LearningLesson,
    LessonBody,
    MissingBody,
    QuizBody,
    TextBody,
    TranscriptCue,
    VideoBody,
    VideoCaptions,
    VideoEmbed,
    VideoSource,
)
from host.rendering.lesson_html import LESSON_HTML

log = logging.getLogger("coursefront.learning")

Body = Mapping[str, Any]


def lesson_view(content: LessonContent, files: LessonFiles) -> LearningLesson:
    course, lesson = content.course, content.lesson
    return {
        "id": lesson.id,
        "courseId": lesson.course_id,
        "title": lesson.title,
        "kind": cast(LessonKind, lesson.kind),
        "minutes": lesson.minutes,
        "number": content.number,
        "section": lesson.section or "",
        "isRequired": lesson.is_required,
        "isWithdrawn": lesson.withdrawn_at is not None,
        "isGenerated": content.is_generated,
        "revision": lesson.revision,
        "updatedAt": lesson.updated_at,
        "changedAt": course.changes.get(lesson.id),
        "body": body_view(content, files),
        "state": state_view(lesson.state),
        "previous": None if content.previous is None else lesson_link(course, content.previous),
        "next": None if content.next is None else lesson_link(course, content.next),
    }


def body_view(content: LessonContent, files: LessonFiles) -> LessonBody:
    """What cannot be shown is a MissingBody, logged with its reference and counted for /readyz."""
    shown = None if content.body is None else _shown(content, cast(Body, content.body), files)
    if shown is not None:
        return shown
    reference = f"L{content.lesson.id}-{content.lesson.revision}"
    files.unshown.count += 1
    log.error("the lesson %s cannot be shown: its text or a file of it is missing", reference)
    return MissingBody(kind="missing", reference=reference)


def _shown(content: LessonContent, body: Body, files: LessonFiles) -> LessonBody | None:
    html = LESSON_HTML.render(body.get("text", ""), _pictures(content, files))
    if content.lesson.kind == "video":
        return _video(content, body, files, html)
    if content.lesson.kind == "file":
        return _file(content, body, files, html)
    if content.lesson.kind == "quiz":
        return QuizBody(kind="quiz", html=html, questionCount=len(body.get("questions") or ()))
    return TextBody(kind="text", html=html)


def _pictures(content: LessonContent, files: LessonFiles) -> dict[str, str]:
    images = (file for file in content.files.values() if file.media_type.startswith("image/"))
    return {file.sha256: href for file in images if (href := files.href(file)) is not None}


def _video(content: LessonContent, body: Body, files: LessonFiles, html: str) -> VideoBody | None:
    """None when a file of it is missing: a video without its captions is not shown."""

    def href(sha256: str) -> str | None:
        return files.href(content.files.get(sha256))

    sources = [(href(file["sha256"]), file["media_type"]) for file in body.get("files") or ()]
    captions = [(href(track["sha256"]), track) for track in body.get("captions") or ()]
    if any(address is None for address, _ in (*sources, *captions)):
        return None
    embed = body.get("embed")
    return VideoBody(
        kind="video",
        html=html,
        sources=[VideoSource(src=address or "", mediaType=media_type) for address, media_type in sources],
        captions=[
            VideoCaptions(src=address or "", language=track["language"], label=track["label"])
            for address, track in captions
        ],
        poster=href(body["poster"]) if body.get("poster") else None,
        seconds=max((cue["end"] for cue in body["transcript"]), default=None),
        transcript=[TranscriptCue(start=cue["start"], end=cue["end"], text=cue["text"]) for cue in body["transcript"]],
        embed=_embed(embed, files) if embed else None,
    )


def _file(content: LessonContent, body: Body, files: LessonFiles, html: str) -> FileBody | None:
    file = content.files.get(body["sha256"])
    href = files.href(file)
    if file is None or href is None:
        return None
    return FileBody(kind="file", html=html, name=file.name, href=href, bytes=file.bytes, mediaType=file.media_type)


def _embed(embed: Body, files: LessonFiles) -> VideoEmbed:
    return VideoEmbed(
        provider=embed["provider"], url=embed["url"], title=embed["title"], isAllowed=files.is_allowed(embed["url"])
    )
