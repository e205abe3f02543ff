"""What members say about their own seats, and asking for one."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from contracts.tasks import Topic
from domain.seats import holding, requests
from host.api.fields import WHOLE, EmptyRequest, Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies


class SeatPause(Strict):
    """0 days end a pause."""

    days: Annotated[int, Field(ge=0, le=1000), WHOLE]


class CourseRequest(Strict):
    courseId: Id


class SeatOutcome(BaseModel):
    """`text`: what was done, in words."""

    text: str


@call("learning/seats/{id}/keep", EmptyRequest, SeatOutcome, caller="learner", refusals=(429,))
async def keep(request: web.Request, _body: EmptyRequest) -> SeatOutcome:
    """Say that one still needs a seat: a notice ends, and its days count anew. 403 when it was said within the
    quarter."""
    learner_id, at = await _learner(request)
    locale, seat_id = request.app[SETTINGS].locale, request[request_keys.PATH_ID]
    await request.app[DATABASE].write(holding.confirm, learner_id, seat_id, at, locale)
    return SeatOutcome(text="Thank you. The seat stays yours.")


@call("learning/seats/{id}/pause", SeatPause, SeatOutcome, caller="learner", refusals=(429,))
async def pause(request: web.Request, body: SeatPause) -> SeatOutcome:
    """Pause a seat for up to 90 days, without a reason, once for each time that one has it; 0 days end a pause."""
    learner_id, at = await _learner(request)
    seat_id, db = request[request_keys.PATH_ID], request.app[DATABASE]
    if body.days == 0:
        await db.write(holding.resume, learner_id, seat_id, at)
        return SeatOutcome(text="The pause is over.")
    await db.write(holding.pause, learner_id, seat_id, body.days, at)
    return SeatOutcome(text="The seat is paused, and stays yours.")


@call("learning/seats/requests", CourseRequest, SeatOutcome, caller="learner", refusals=(429,))
async def ask(request: web.Request, body: CourseRequest) -> SeatOutcome:
    """Ask for a course of a contract of one's organisations: given at once while a seat is free, else one waits. 403
    for a course that no contract covers, and for one that one has."""
    learner_id, at = await _learner(request)
    asked = await request.app[DATABASE].write(requests.ask, learner_id, body.courseId, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    if asked.is_granted:
        return SeatOutcome(text="You have a seat: the course is open.")
    return SeatOutcome(text=f"All seats are taken. You are number {asked.place} of those who wait.")


@call("learning/seats/requests/{id}/withdraw", EmptyRequest, SeatOutcome, caller="learner", refusals=(429,))
async def withdraw(request: web.Request, _body: EmptyRequest) -> SeatOutcome:
    """Wait for a seat no more."""
    learner_id, at = await _learner(request)
    await request.app[DATABASE].write(requests.withdraw, learner_id, request[request_keys.PATH_ID], at)
    return SeatOutcome(text="You do not wait any more.")


async def _learner(request: web.Request) -> tuple[int, datetime]:
    await policies.limit(request, "learning_calls_per_learner_minute")
    return request[request_keys.AUTH_SESSION].learner_id, datetime.now(UTC)
