"""Calls of notes in lessons."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.learning import notes
from domain.learning.notes import MAX_LENGTH, NewNote, NoteChanged
from host.api.fields import SAFE, WHOLE, EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem
from host.learning.note_schemas import LessonNote, LessonNotes, listed_note, note_view
from host.rate_limits import policies

LIMITED = (429, 503)
NOT_YOURS = "This note is somebody else's. Sign in as the one who wrote it."


class NoteDraft(Strict):
    """`learnerId`: who wrote it, which may wait in a browser until somebody else is signed in there. `version`: the one
    that the text was made from."""

    learnerId: Id
    body: Annotated[str, Field(max_length=MAX_LENGTH)]
    version: Annotated[int, Field(ge=0, le=SAFE), WHOLE]


class NotesQuery(BaseModel):
    page: Annotated[int, Field(ge=1, le=100_000)] = 1


@query("learning/lessons/{id}/note", EmptyRequest, LessonNote, caller="learner", refusals=LIMITED)
async def read_note(request: web.Request, _body: EmptyRequest) -> LessonNote:
    """Return the learner's note in a lesson."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    learner_id, lesson_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    return note_view(await request.app[DATABASE].read(notes.read, learner_id, lesson_id, datetime.now(UTC)))


@call("learning/lessons/{id}/note", NoteDraft, LessonNote, method="PUT", caller="learner", refusals=(409, *LIMITED))
async def put_note(request: web.Request, body: NoteDraft) -> LessonNote:
    """Replace the learner's note. 409 with `note`, the newer one, when it was changed elsewhere; the same text again
    changes nothing."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    learner_id, lesson_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    if body.learnerId != learner_id:
        raise Problem(409, NOT_YOURS)
    draft = NewNote(body.body, body.version)
    try:
        stored = await request.app[DATABASE].write(notes.put, learner_id, lesson_id, draft, datetime.now(UTC))
    except NoteChanged as error:
        raise Problem(409, str(error), note=note_view(error.stored)) from None
    return note_view(stored)


@query("learning/notes", NotesQuery, LessonNotes, caller="learner", refusals=LIMITED)
async def read_notes(request: web.Request, body: NotesQuery) -> LessonNotes:
    """Return the learner's notes, the newest first."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    total, shown = await request.app[DATABASE].read(notes.page, learner_id, body.page, datetime.now(UTC))
    return LessonNotes(notes=[listed_note(entry) for entry in shown], total=total)
