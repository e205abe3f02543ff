"""One lesson by the names of its call, and as the domain takes it."""

from pathlib import Path
from typing import Any, Literal, cast

from typing_extensions import TypedDict

from domain.learning.files import LessonFileRow
from domain.publishing.editing.lesson_content import StoredLesson, tracks_of

Kind = Literal["text", "video", "quiz", "file"]


class LessonFileFields(TypedDict):
    sha256: str
    name: str
    mediaType: str
    bytes: int


class CaptionFields(TypedDict):
    """`text`: WebVTT."""

    language: str
    text: str


class QuizOptionFields(TypedDict):
    id: str
    text: str
    isRight: bool


class QuizQuestionFields(TypedDict):
    """`options` of one and several; `value`, `tolerance` and `unit` of a number, as decimal text."""

    id: str
    kind: Literal["one", "several", "number"]
    text: str
    explanation: str
    options: list[QuizOptionFields]
    value: str
    tolerance: str
    unit: str


class LessonFields(TypedDict):
    """A lesson as it is edited. What its kind does not have is empty. `videos`, `file`: files of the site; `embedUrl`:
    of a video of another site instead of `videos`. `attempts` None: no limit."""

    title: str
    kind: Kind
    minutes: int
    text: str
    videos: list[LessonFileFields]
    embedUrl: str
    embedTitle: str
    tracks: list[CaptionFields]
    file: LessonFileFields | None
    questions: list[QuizQuestionFields]
    attempts: int | None
    waitMinutes: int


def lesson_values(stored: StoredLesson, folder: Path) -> LessonFields:
    body, lesson = stored.body, stored.lesson
    embed = body.get("embed") or {}
    file = stored.files.get(body.get("sha256") or "")
    return {
        "title": lesson.title,
        "kind": cast(Kind, lesson.kind),
        "minutes": lesson.minutes,
        "text": body.get("text", ""),
        "videos": [file_values(row) for item in body.get("files") or () if (row := stored.files.get(item["sha256"]))],
        "embedUrl": embed.get("url", ""),
        "embedTitle": embed.get("title", ""),
        "tracks": [{"language": track.language, "text": track.text} for track in tracks_of(body, folder)],
        "file": None if file is None else file_values(file),
        "questions": [_question_values(question) for question in body.get("questions") or ()],
        "attempts": body.get("attempts"),
        "waitMinutes": body.get("wait_min") or 0,
    }


def file_values(row: LessonFileRow) -> LessonFileFields:
    return {"sha256": row.sha256, "name": row.name, "mediaType": row.media_type, "bytes": row.bytes}


def lesson_body(fields: LessonFields, poster: str | None) -> dict[str, Any]:
    """The body to store, without captions and transcript. `poster`: of the stored video, which stays."""
    body: dict[str, Any] = {"text": fields["text"].strip()}
    if fields["kind"] == "video":
        body["poster"] = poster
        if fields["embedUrl"]:
            provider = fields["embedUrl"].partition("://")[2].partition("/")[0]
            body["embed"] = {"provider": provider, "url": fields["embedUrl"], "title": fields["embedTitle"]}
        if fields["videos"]:
            body["files"] = [{"sha256": file["sha256"], "media_type": file["mediaType"]} for file in fields["videos"]]
    elif fields["kind"] == "file":
        body["sha256"] = fields["file"]["sha256"] if fields["file"] else None
    elif fields["kind"] == "quiz":
        body |= quiz_body(fields["questions"])
        body |= {"attempts": fields["attempts"], "wait_min": fields["waitMinutes"]}
    return body


def quiz_body(questions: list[QuizQuestionFields]) -> dict[str, Any]:
    return {"questions": [_stored_question(question) for question in questions]}


def _question_values(question: dict[str, Any]) -> QuizQuestionFields:
    return {
        "id": question["id"],
        "kind": question["kind"],
        "text": question["text"],
        "explanation": question.get("explanation") or "",
        "options": [
            {"id": option["id"], "text": option["text"], "isRight": bool(option.get("is_right"))}
            for option in question.get("options") or ()
        ],
        "value": question.get("value") or "",
        "tolerance": question.get("tolerance") or "",
        "unit": question.get("unit") or "",
    }


def _stored_question(question: QuizQuestionFields) -> dict[str, Any]:
    stored: dict[str, Any] = {name: question[name] for name in ("id", "kind", "text", "explanation")}
    if question["kind"] == "number":
        return stored | {
            "value": question["value"],
            "tolerance": question["tolerance"] or "0",
            "unit": question["unit"],
        }
    options = question["options"]
    return stored | {
        "options": [{"id": item["id"], "text": item["text"], "is_right": item["isRight"]} for item in options]
    }
