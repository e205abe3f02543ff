"""Calls of quizzes: their questions for programs, and attempts."""

from datetime import UTC, datetime
from math import ceil
from typing import Annotated
from uuid import UUID

from aiohttp import web
from pydantic import BaseModel, Field

from contracts.tasks import Topic
from domain.errors import Refused
from domain.learning.quizzes import attempts
from domain.learning.quizzes.attempts import QuizChanged, Submission, TooEarly
from domain.learning.views import course as courses
from host.api.fields import SAFE, WHOLE, EmptyRequest, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.http.problems import Problem
from host.learning.quiz_options import QUIZ_OPTIONS
from host.learning.quiz_schemas import Quiz
from host.learning.quiz_view import quiz_view
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

MAX_QUESTIONS = 200
Text = Annotated[str, Field(max_length=100)]
Ticks = Annotated[list[Text], Field(max_length=50)]


class AttemptSchema(Strict):
    """`eventId`: a UUID of this attempt; sent again, it gets the same answer. `revision`: of the questions. `answers`:
    id of a question -> ids of options, or a number as it was typed. There is no field for a score."""

    eventId: UUID
    revision: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    answers: Annotated[dict[Text, Ticks | Text], Field(max_length=MAX_QUESTIONS)]


class AttemptAnswer(BaseModel):
    """The quiz with this attempt as its result. `isDone`: the lesson counts as done. `completedAt`: of the course."""

    quiz: Quiz
    isDone: bool
    completedAt: datetime | None


@query("learning/lessons/{id}/quiz", EmptyRequest, Quiz, caller="learner", refusals=(429, 503))
async def read_quiz(request: web.Request, _body: EmptyRequest) -> Quiz:
    """Return the questions of a quiz in the order of the learner's next attempt, and the result of the last one."""
    await policies.limit(request, "learning_calls_per_learner_minute")
    return await _quiz(request)


@call("learning/lessons/{id}/attempts", AttemptSchema, AttemptAnswer, caller="learner", refusals=(409, 429, 503))
async def send_attempt(request: web.Request, body: AttemptSchema) -> AttemptAnswer:
    """Answer a quiz. 409 with `quiz`, the new questions, when they have changed; 409 when no attempt is left, or none
    before `nextAttemptAt`. Nothing is stored then."""
    await policies.limit(request, "quiz_attempts_per_learner_minute")
    learner_id, lesson_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    names, locale = request.app[QUIZ_OPTIONS].of(learner_id, lesson_id), request.app[SETTINGS].locale
    sent = Submission(lesson_id, str(body.eventId), body.revision, body.answers, locale, names.name)
    now = datetime.now(UTC)
    try:
        recorded = await request.app[DATABASE].write(attempts.record, learner_id, sent, now)
    except QuizChanged as error:
        quiz = await _quiz(request)
        raise Problem(409, str(error), quiz=quiz.model_dump(mode="json")) from None
    except TooEarly as error:
        wait_s = max(1, ceil((error.next_at - now).total_seconds()))
        raise Problem(409, str(error), nextAttemptAt=error.next_at, headers={"Retry-After": str(wait_s)}) from None
    except Refused as error:
        raise Problem(409, str(error)) from None
    if recorded.course.completed_at is not None:
        request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return AttemptAnswer(
        quiz=quiz_view(recorded.view, names, locale),
        isDone=recorded.course.lessons[sent.lesson_id].is_done,
        completedAt=recorded.course.completed_at,
    )


async def _quiz(request: web.Request) -> Quiz:
    learner_id, lesson_id = request[request_keys.AUTH_SESSION].learner_id, request[request_keys.PATH_ID]
    db = request.app[DATABASE]
    # Raises NotFound without access.
    await db.read(courses.lesson_by_id, learner_id, lesson_id, datetime.now(UTC))
    view = await db.read(attempts.view_of, learner_id, lesson_id)
    return quiz_view(view, request.app[QUIZ_OPTIONS].of(learner_id, lesson_id), request.app[SETTINGS].locale)
