"""Calls about one lesson: what it teaches, how it looks, and trying its quiz."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, cast

from aiohttp import web
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from domain.errors import InvalidInput, Refused
from domain.learning import files, lesson_bodies
from domain.learning.files import FileFacts
from domain.learning.quizzes import marking
from domain.permissions import Permission
from domain.publishing.editing import course_list, lesson_content
from domain.publishing.editing.course_outline import MAX_TITLE_LENGTH
from domain.publishing.editing.lesson_content import CaptionTrack, LessonDraft, LessonEdit
from domain.publishing.editing.stored_course import NewerVersion
from domain.uploads import upload_rows
from domain.uploads.contents import HEAD_BYTES, file_problem, file_type
from host.api.fields import SAFE, WHOLE, Id, Strict, named_as_sent
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem, version_conflict
from host.publishing.lesson_values import LessonFields, QuizQuestionFields, lesson_body, lesson_values, quiz_body
from host.rendering.lesson_html import LESSON_HTML
from host.rendering.markdown import markdown_to_html

Text = Annotated[str, Field(max_length=200_000)]
Short = Annotated[str, Field(max_length=2_000)]
Key = Annotated[str, Field(max_length=40)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
WRITE = Permission.CATALOGUE_WRITE
# In the body, by their names in what is stored.
FIELDS = {
    "files": "videos",
    "embed": "embedUrl",
    "captions": "tracks",
    "transcript": "tracks",
    "sha256": "file",
    "wait_min": "waitMinutes",
}


class LessonFile(Strict):
    sha256: Digest
    name: Short = ""
    mediaType: Annotated[str, Field(max_length=100)]
    bytes: Count = 0


class LessonTrack(Strict):
    """`text`: WebVTT."""

    language: Key
    text: Text


class LessonOption(Strict):
    id: Key
    text: Short
    isRight: bool


class LessonQuestion(Strict):
    """`options` of one and several; `value`, `tolerance` and `unit` of a number."""

    id: Key
    kind: Literal["one", "several", "number"]
    text: Text
    explanation: Text = ""
    options: Annotated[list[LessonOption], Field(max_length=lesson_bodies.MAX_OPTIONS, default_factory=list)]
    value: Key = ""
    tolerance: Key = ""
    unit: Key = ""


Questions = Annotated[list[LessonQuestion], Field(max_length=lesson_bodies.MAX_QUESTIONS)]


class LessonContentChange(Strict):
    """A lesson with what it teaches; what its `kind` does not need is ignored."""

    version: Count
    title: Annotated[str, Field(max_length=MAX_TITLE_LENGTH)]
    kind: Literal["text", "video", "quiz", "file"]
    minutes: Count
    text: Text = ""
    videos: Annotated[list[LessonFile], Field(max_length=4, default_factory=list)]
    embedUrl: Short = ""
    embedTitle: Short = ""
    tracks: Annotated[list[LessonTrack], Field(max_length=10, default_factory=list)]
    file: LessonFile | None = None
    questions: Annotated[Questions, Field(default_factory=list)]
    attempts: Count | None = None
    waitMinutes: Count = 0

    @property
    def fields(self) -> LessonFields:
        return cast(LessonFields, self.model_dump(exclude={"version"}))


class LessonSaved(BaseModel):
    """`version`: of its course, to send with the next change."""

    id: int
    version: int


class LessonText(Strict):
    text: Text


class RenderedLesson(BaseModel):
    html: str


class QuizTrial(Strict):
    """Questions as they are edited, and answers: ids of options, or a number as text."""

    questions: Questions
    answers: dict[Key, list[Key] | Key]


class TriedQuestion(BaseModel):
    """`mark` per mille. `right`: ids of options, or the number."""

    id: str
    mark: int
    right: list[str] | str
    explanation: str


class TriedQuiz(BaseModel):
    """`percent`: rounded down."""

    percent: int
    questions: list[TriedQuestion]


class SentFile(Strict):
    uploadId: Id


class StoredFile(BaseModel):
    sha256: str
    name: str
    mediaType: str
    bytes: int


@call("admin/lessons/{id}", LessonContentChange, LessonSaved, method="PUT", permission=WRITE, refusals=(409,))
async def put_lesson(request: web.Request, body: LessonContentChange) -> LessonSaved:
    """Store a lesson with what it teaches. 409 with what somebody else has stored since `version`."""
    lesson_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]
    folder = request.app[SETTINGS].files_folder

    def change(session: Session) -> int:
        stored = lesson_content.stored_lesson(session, lesson_id)
        fields = body.fields
        tracks = tuple(CaptionTrack(track.language, track.text) for track in body.tracks)
        written = lesson_body(fields, stored.body.get("poster"))
        draft = LessonDraft(body.title, body.kind, body.minutes, written, tracks)
        edit = LessonEdit(actor, lesson_id, body.version)
        return lesson_content.change_lesson(session, edit, draft, folder)

    try:
        with named_as_sent(FIELDS):
            version = await request.app[DATABASE].write_as(actor, change)
    except NewerVersion:
        raise await _conflict(request, lesson_id) from None
    return LessonSaved(id=lesson_id, version=version)


@call("admin/lesson-preview", LessonText, RenderedLesson, permission=WRITE)
async def preview_lesson(request: web.Request, body: LessonText) -> RenderedLesson:
    """The text as learners read it. Stores nothing."""
    return RenderedLesson(html=LESSON_HTML.render(body.text, {}))


@call("admin/quiz-trial", QuizTrial, TriedQuiz, permission=WRITE)
async def try_quiz(request: web.Request, body: QuizTrial) -> TriedQuiz:
    """Mark answers to questions that are being written, as a learner's are. Stores nothing. 422 by
    `questions.{n}`, from 1, for what is no question yet."""
    written = quiz_body(cast(list[QuizQuestionFields], [question.model_dump() for question in body.questions]))
    lesson_bodies.check("quiz", {"text": "", **written})
    quiz = marking.quiz_of(written)
    marked = marking.mark(quiz, marking.read_answers(quiz, body.answers, "."))
    return TriedQuiz(
        percent=marked.score // 10,
        questions=[
            TriedQuestion(
                id=question.id,
                mark=marked.marks[question.id],
                right=marking.right_answer(question),
                explanation=markdown_to_html(question.explanation),
            )
            for question in quiz.questions
        ],
    )


@call("admin/lesson-files", SentFile, StoredFile, status=201, permission=WRITE, refusals=(404,))
async def store_lesson_file(request: web.Request, body: SentFile) -> StoredFile:
    """Keep an uploaded file for lessons and for the buyers of items. 403 while it is not complete, 404 for that of
    somebody else."""
    actor, db, folder = request[request_keys.ACTOR], request.app[DATABASE], request.app[SETTINGS].files_folder
    upload = await db.read(upload_rows.own_upload, body.uploadId, actor.learner_id, datetime.now(UTC))
    if upload.purpose != "lesson" or not upload.is_complete:
        raise Refused("This file is not complete.")
    path = upload_rows.path_of(folder, upload.id)

    def head() -> bytes:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)

    first = await asyncio.to_thread(head)
    kind = file_type(first)
    if kind is None:
        raise InvalidInput({"uploadId": file_problem(first)})
    sha256 = await asyncio.to_thread(files.adopt_content, folder, path)
    facts = FileFacts(upload.name, kind, "lesson", created_by=actor.learner_id)
    row = await db.write_as(actor, lesson_content.store_file, facts, sha256, upload.bytes, actor.at)
    if not files.path_of(folder, sha256).is_file():
        # It was one of a picture that was deleted meanwhile; with the row, it is one of lessons.
        await asyncio.to_thread(files.adopt_content, folder, path)
    return StoredFile(sha256=row.sha256, name=row.name, mediaType=row.media_type, bytes=row.bytes)


async def _conflict(request: web.Request, lesson_id: int) -> Problem:
    folder = request.app[SETTINGS].files_folder

    def read(session: Session) -> tuple[int, str, datetime, dict[str, Any]]:
        stored = lesson_content.stored_lesson(session, lesson_id)
        product = stored.course.product
        editor = course_list.last_editor(session, product)
        return product.version, editor, product.updated_at, dict(lesson_values(stored, folder))

    return version_conflict(*await request.app[DATABASE].read(read))
