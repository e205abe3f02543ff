"""Calls about the end of access to a course for legal reasons: announce it, and cancel that."""

from typing import Annotated

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.display_text import count_text, moment_text
from domain.learning import closures
from domain.permissions import Permission
from domain.publishing.editing import course_list
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import ActionPreview, StaffOutcome
from host.api.fields import Instant, Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

MAX_AUTH_AGE_S = 600
LAW = "Only where the law asks for it. Everybody who has it is told by mail at least 30 days before."
Reason = Annotated[str, Field(max_length=closures.MAX_REASON_LENGTH)]


class CourseClosing(Strict):
    """`endsAt`: when access ends for everybody. `reason`: those who have the course read it."""

    endsAt: Annotated[Instant, FormField("Access ends at")]
    reason: Annotated[Reason, FormField("Reason", hint="Everybody who has the course reads it.")]


class CourseKeeping(Strict):
    reason: Annotated[Reason, FormField("Why the course stays after all", hint="It is recorded for good.")]


@action(
    "admin/courses/{id}/close",
    CourseClosing,
    "End access for legal reasons",
    "Announce the end",
    is_dangerous=True,
    text=LAW,
    permission=Permission.CATALOGUE_CLOSE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def close_course(request: web.Request, body: CourseClosing) -> StaffOutcome:
    """Announce that access to a retired course ends for everybody. 422 for less than 30 days of notice."""
    actor, course_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    await request.app[DATABASE].write_as(actor, closures.announce, actor, course_id, body.endsAt, body.reason)
    return StaffOutcome(text="It is announced: everybody who has the course is told by mail.")


@close_course.preview("confirmed")
async def preview_closure(request: web.Request, body: CourseClosing) -> ActionPreview:
    """What the end of access would do. 422 for less than 30 days of notice."""
    course_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]
    locale = request.app[SETTINGS].locale

    def read(session: Session) -> list[str]:
        closures.require_notice(body.endsAt, body.reason, actor.at)
        owners = course_list.count_owners(session, course_id)
        people = "1 learner loses it" if owners == 1 else f"{count_text(owners)} learners lose it"
        return [
            f"{people} on {moment_text(body.endsAt, locale)}.",
            "Each of them is told by mail at once, with this reason.",
            "Whoever paid may ask for the money back.",
            "Certificates stay; notes and results stay for 30 days.",
        ]

    return ActionPreview(effects=await request.app[DATABASE].read(read))


@action(
    "admin/courses/{id}/keep-open",
    CourseKeeping,
    "Cancel the end",
    "Cancel the end",
    permission=Permission.CATALOGUE_CLOSE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def keep_course_open(request: web.Request, body: CourseKeeping) -> StaffOutcome:
    """Cancel what was announced. 403 once access has ended."""
    actor, course_id = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    await request.app[DATABASE].write_as(actor, closures.cancel, actor, course_id, body.reason)
    return StaffOutcome(text="It is cancelled: everybody who was told is told that the course stays.")
