"""Calls of the logo of an organisation: re-encode an uploaded picture, and show it."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.errors import NotFound, Refused
from domain.images import job
from domain.images.job import ImageInput
from domain.jobs import job_rows
from domain.jobs.job_rows import JobView, NewJob
from domain.organisations import profile
from domain.permissions import Permission
from domain.uploads import upload_rows
from host.api.admin.images import ImageStatus, image_status
from host.api.admin.outcome import StaffOutcome
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys

Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]
WRITE = Permission.PROFILE_WRITE
UNKNOWN = "You have sent no such picture."


class LogoRequest(Strict):
    """A picture that was sent, to become the logo. Sent again with its `idempotencyKey`, it starts nothing again."""

    uploadId: Id
    idempotencyKey: Key


class LogoChoice(Strict):
    """`jobId`: of the answer of organization/logos; null: no logo any more."""

    jobId: Id | None


@call("organization/logos", LogoRequest, ImageStatus, status=201, permission=WRITE, refusals=(404,))
async def send_logo(request: web.Request, body: LogoRequest) -> ImageStatus:
    """Re-encode an uploaded picture, of which nothing but the pixels stays."""
    actor, at, db = request[request_keys.ACTOR], datetime.now(UTC), request.app[DATABASE]
    upload = await db.read(upload_rows.own_upload, body.uploadId, actor.learner_id, at)
    if upload.purpose != "logo" or not upload.is_complete:
        raise Refused("This file is not complete.")
    name = (await db.read(profile.profile_of, actor.tenant)).name
    source = ImageInput(upload.id, upload.name, name, actor.learner_id)
    new = NewJob(job.KIND, source.as_json(), f"{actor.learner_id}:{body.idempotencyKey}", actor.learner_id)
    job_id = await db.write_as(actor, job_rows.start_as_staff, new, at)
    return image_status(await db.read(_own, job_id, actor.learner_id))


@query("organization/logos/{id}", EmptyRequest, ImageStatus, permission=WRITE)
async def read_logo(request: web.Request, _body: EmptyRequest) -> ImageStatus:
    """Whether a picture is ready."""
    actor = request[request_keys.ACTOR]
    return image_status(await request.app[DATABASE].read(_own, request[request_keys.PATH_ID], actor.learner_id))


@call("organization/profile/logo", LogoChoice, StaffOutcome, permission=WRITE, refusals=(404,))
async def put_logo(request: web.Request, body: LogoChoice) -> StaffOutcome:
    """Show a picture that one has sent as the logo of the organisation, or none."""
    actor, db = request[request_keys.ACTOR], request.app[DATABASE]
    path = "" if body.jobId is None else _address(await db.read(_own, body.jobId, actor.learner_id))
    await db.write_as(actor, profile.put_logo, actor.tenant, path)
    return StaffOutcome(text="The logo is changed." if path else "There is no logo any more.")


def _own(session: Session, job_id: int, learner_id: int) -> JobView:
    """Raises NotFound for the picture of somebody else."""
    view = job_rows.job_view(session, job_id, [job.KIND])
    if view.input.get("created_by") != learner_id:
        raise NotFound("There is no such job.")
    return view


def _address(view: JobView) -> str:
    """Raises NotFound while it is not ready."""
    found = view.report.get("image")
    if found is None:
        raise NotFound(UNKNOWN)
    return str(found["src"])
