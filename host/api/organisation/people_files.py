"""Calls that check a file of people and send its invitations, as jobs."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.errors import Refused
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.organisations.people_file import job as people_file_job
from domain.organisations.people_file.job import KIND, PeopleInput
from domain.permissions import Permission
from domain.uploads import upload_rows
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys
from host.jobs.people_file_status import PeopleFileStatus, people_file_status

# Addresses of many people.
MAX_AUTH_AGE_S = 600
Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]


class PeopleFileRequest(Strict):
    """`isCheck`: nothing is sent. `contractId` "": the newest contract that runs. The same `idempotencyKey` starts
    nothing again."""

    uploadId: Id
    contractId: Annotated[str, Field(max_length=20, pattern="^[0-9]{0,15}$")] = ""
    isCheck: bool
    idempotencyKey: Key


@call(
    "organization/people-files",
    PeopleFileRequest,
    PeopleFileStatus,
    permission=Permission.MEMBERS_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    status=201,
    refusals=(404,),
)
async def start_file(request: web.Request, body: PeopleFileRequest) -> PeopleFileStatus:
    """Check an uploaded file, or send its invitations: rows with a problem are left out. 404 for the file of somebody
    else."""
    actor, at, db = request[request_keys.ACTOR], datetime.now(UTC), request.app[DATABASE]
    upload = await db.read(upload_rows.own_upload, body.uploadId, actor.learner_id, at)
    if upload.purpose != "members" or not upload.is_complete:
        raise Refused("This file is not complete.")
    contract_id = int(body.contractId) if body.contractId else None
    about = PeopleInput(
        upload.id, upload.name, actor.tenant.organisation_id, actor.learner_id, contract_id, body.isCheck
    )
    new = NewJob(KIND, about.as_json(), f"{actor.learner_id}:{body.idempotencyKey}", actor.learner_id)
    job_id = await db.write_as(actor, job_rows.start_as_staff, new, at)
    return people_file_status(await db.read(people_file_job.own_job, actor.tenant, job_id), at)


@query("organization/people-files/{id}", EmptyRequest, PeopleFileStatus, permission=Permission.MEMBERS_WRITE)
async def read_file(request: web.Request, _body: EmptyRequest) -> PeopleFileStatus:
    """How far a file is."""
    actor, number = request[request_keys.ACTOR], request[request_keys.PATH_ID]
    view = await request.app[DATABASE].read(people_file_job.own_job, actor.tenant, number)
    return people_file_status(view, datetime.now(UTC))


@call("organization/people-files/{id}/stop", EmptyRequest, PeopleFileStatus, permission=Permission.MEMBERS_WRITE)
async def stop_file(request: web.Request, _body: EmptyRequest) -> PeopleFileStatus:
    """Stop it: what was sent stays sent."""
    actor, number, at = request[request_keys.ACTOR], request[request_keys.PATH_ID], datetime.now(UTC)
    db = request.app[DATABASE]
    await db.read(people_file_job.own_job, actor.tenant, number)
    await db.write_as(actor, job_rows.stop_as_staff, number, [KIND], at)
    return people_file_status(await db.read(people_file_job.own_job, actor.tenant, number), at)
