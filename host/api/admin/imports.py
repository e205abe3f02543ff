"""Calls of imports: check an uploaded file, import what was found good, look and stop."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from domain import jobs, uploads
from domain.catalogue_import import check_job, job
from domain.catalogue_import.check_job import CheckInput
from domain.catalogue_import.job import ImportInput
from domain.errors import Refused
from domain.jobs import NewJob
from domain.permissions import Permission
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys
from host.jobs.import_status import IMPORT_KINDS, ImportStatus, import_status

Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Value = Annotated[str, Field(min_length=1, max_length=500)]


class ImportCheck(Strict):
    """`mapping`: column of the file -> field. `constants`: field -> its value in rows that have none. The same
    `idempotencyKey` starts nothing again."""

    uploadId: Id
    kind: Literal["courses", "items"]
    mapping: Annotated[dict[Name, Name], Field(default_factory=dict, max_length=50)]
    constants: Annotated[dict[Name, Value], Field(default_factory=dict, max_length=50)]
    idempotencyKey: Key


class ImportStart(Strict):
    """`checkId`: of a check that is done; what it has read is imported."""

    checkId: Id


@call("admin/imports/checks", ImportCheck, ImportStatus, status=201, area="admin", permission=Permission.IMPORTS_RUN)
async def check_import(request: web.Request, body: ImportCheck) -> ImportStatus:
    """Check a whole uploaded file. Nothing of the catalogue is changed. 403 while the file is not complete, 404 for
    that of somebody else."""
    actor, at, db = request[request_keys.ACTOR], datetime.now(UTC), request.app[DATABASE]
    upload = await db.read(uploads.own_upload, body.uploadId, actor.learner_id, at)
    if upload.purpose != "import" or not upload.is_complete:
        raise Refused("This file is not complete.")
    source = CheckInput(upload.id, upload.name, body.kind, body.mapping, body.constants)
    new = NewJob(check_job.KIND, source.as_json(), f"{actor.learner_id}:{body.idempotencyKey}", actor.learner_id)
    return await _status(request, await db.write_as(actor, jobs.start_as_staff, new, at))


@call("admin/imports", ImportStart, ImportStatus, status=201, area="admin", permission=Permission.IMPORTS_RUN)
async def start_import(request: web.Request, body: ImportStart) -> ImportStatus:
    """Import the rows that a check found good. A check starts one import, however often this is called."""
    actor, db = request[request_keys.ACTOR], request.app[DATABASE]
    check = await db.read(jobs.job_view, body.checkId, [check_job.KIND])
    source = ImportInput.of_check(check)
    new = NewJob(job.KIND, source.as_json(), f"import-of-check:{check.id}", actor.learner_id)
    return await _status(request, await db.write_as(actor, jobs.start_as_staff, new, datetime.now(UTC)))


@query("admin/imports/{id}", EmptyRequest, ImportStatus, area="admin", permission=Permission.IMPORTS_RUN)
async def read_import(request: web.Request, _body: EmptyRequest) -> ImportStatus:
    """How far an import or a check is, and what came of it."""
    return await _status(request, request[request_keys.PATH_ID])


@call(
    "admin/imports/{id}/stop",
    EmptyRequest,
    ImportStatus,
    area="admin",
    permission=Permission.IMPORTS_RUN,
    is_body_optional=True,
)
async def stop_import(request: web.Request, _body: EmptyRequest) -> ImportStatus:
    """End an import or a check. Rows that were imported stay."""
    job_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]
    await request.app[DATABASE].write_as(actor, jobs.stop_as_staff, job_id, IMPORT_KINDS, datetime.now(UTC))
    return await _status(request, job_id)


async def _status(request: web.Request, job_id: int) -> ImportStatus:
    """Raises NotFound."""
    return import_status(await request.app[DATABASE].read(jobs.job_view, job_id, IMPORT_KINDS), datetime.now(UTC))
