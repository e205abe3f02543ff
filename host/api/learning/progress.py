"""PUT /api/learning/progress: what a browser says its learner has done, late or twice or in any order."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from aiohttp import web
from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from contracts.tasks import Topic
from domain import fault_points
from domain.learning import progress
from domain.learning.progress import MAX_CHANGES, CourseProgress
from domain.learning.progress_merge import ProgressChange
from host.api.fields import ID_FORMS, SAFE, WHOLE, Id, Strict, parse_id
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem
from host.learning.course_schemas import CourseStatus
from host.learning.course_view import state_view, status_view
from host.learning.lesson_schemas import LessonState
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

# More seconds than a video has, more thousandths than a text has.
MAX_POSITION = 10_000_000
NOT_YOURS = "These changes are somebody else's. Sign in as the one who made them."
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _lesson(value: Any) -> int:
    """The id; what is no id is that of no lesson, so that every wrong one gets the same answer."""
    try:
        return min(max(int(parse_id(value)), 0), SAFE)
    except ValueError:
        return 0


LessonId = Annotated[int, BeforeValidator(_lesson), WithJsonSchema(ID_FORMS, "validation")]


class LessonChange(Strict):
    """`at`: milliseconds of the server's clock when it happened; the future counts as now. `position`: seconds of a
    video, thousandths of a text."""

    lesson: LessonId
    at: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    done: bool | None = None
    position: Annotated[int, Field(ge=0, le=MAX_POSITION), WHOLE] | None = None


class ProgressChanges(Strict):
    """`learnerId`: who made the changes, which may wait in a browser until somebody else is signed in there."""

    learnerId: Id
    changes: Annotated[list[LessonChange], Field(min_length=1, max_length=MAX_CHANGES)]


class LessonProgressState(LessonState):
    lesson: int


class CourseProgressState(BaseModel):
    """`completedAt`: completed stays completed, whatever comes later."""

    course: int
    status: CourseStatus
    completedAt: datetime | None


class ProgressAnswer(BaseModel):
    """What is stored now, of the lessons that were changed and their courses. `refused`: the lessons of changes that
    were left out, because they came about without access."""

    lessons: list[LessonProgressState]
    courses: list[CourseProgressState]
    refused: list[int]


@call(
    "learning/progress",
    ProgressChanges,
    ProgressAnswer,
    caller="learner",
    method="PUT",
    refusals=(404, 409, 429, 503),
)
async def put_progress(request: web.Request, body: ProgressChanges) -> ProgressAnswer:
    """Merge changes into the learner's progress: the newest of each field counts, and the same change again changes
    nothing. What happened while the learner had access is stored for 30 days after its end. 404 for a lesson whose
    changes all came about without access: then nothing of the message is stored."""
    await policies.limit(request, "progress_calls_per_learner_minute")
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    if body.learnerId != learner_id:
        raise Problem(409, NOT_YOURS)
    now = datetime.now(UTC)
    changes = [_change(change, now) for change in body.changes]
    courses = await request.app[DATABASE].write(progress.record, learner_id, changes, now)
    fault_points.hit("progress.recorded")
    if any(course.completed_at is not None for course in courses):
        # The certificate is mailed.
        request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return _answer(courses)


def _change(change: LessonChange, now: datetime) -> ProgressChange:
    # No later than now, also because the largest number is in a year that no datetime has.
    milliseconds = min(change.at, int(now.timestamp() * 1000))
    return ProgressChange(change.lesson, _EPOCH + timedelta(milliseconds=milliseconds), change.done, change.position)


def _answer(courses: tuple[CourseProgress, ...]) -> ProgressAnswer:
    return ProgressAnswer(
        lessons=[
            LessonProgressState(**state_view(state), lesson=lesson_id)
            for course in courses
            for lesson_id, state in course.lessons.items()
        ],
        courses=[
            CourseProgressState(
                course=course.course_id,
                status=status_view(course.status, is_completed=course.completed_at is not None),
                completedAt=course.completed_at,
            )
            for course in courses
        ],
        refused=[lesson_id for course in courses for lesson_id in course.refused],
    )
