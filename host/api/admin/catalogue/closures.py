"""Calls about the end of access to a course for legal reasons: announce it, and cancel that."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.learning import closures
from domain.permissions import Permission
from host.api.admin.outcome import StaffOutcome
from host.api.fields import Instant, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys

MAX_AUTH_AGE_S = 600
Reason = Annotated[str, Field(max_length=closures.MAX_REASON_LENGTH)]


class CourseClosing(Strict):
    """`endsAt`: when access ends for everybody. `reason`: those who have the course read it."""

    endsAt: Instant
    reason: Reason


class CourseKeeping(Strict):
    reason: Reason


@call(
    "admin/courses/{id}/close",
    CourseClosing,
    StaffOutcome,
    area="admin",
    permission=Permission.CATALOGUE_CLOSE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def close_course(request: web.Request, body: CourseClosing) -> StaffOutcome:
    """Announce that access to a retired course ends for everybody. 422 for less than 30 days of notice."""
    actor, course_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    await request.app[DATABASE].write_as(actor, closures.announce, actor, course_id, body.endsAt, body.reason)
    return StaffOutcome(text="It is announced: everybody who has the course is told by mail.")


@call(
    "admin/courses/{id}/keep-open",
    CourseKeeping,
    StaffOutcome,
    area="admin",
    permission=Permission.CATALOGUE_CLOSE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def keep_course_open(request: web.Request, body: CourseKeeping) -> StaffOutcome:
    """Cancel what was announced. 403 once access has ended."""
    actor, course_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    await request.app[DATABASE].write_as(actor, closures.cancel, actor, course_id, body.reason)
    return StaffOutcome(text="It is cancelled: everybody who was told is told that the course stays.")
