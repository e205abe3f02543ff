"""Calls of imports: check an uploaded file, import what was found good, look and stop."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain.catalogue_import import check_job, job, sample
from domain.catalogue_import.check_job import CheckInput
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.job import ImportInput
from domain.catalogue_import.read_lines import UTF8, Encoding, ImportRefused
from domain.errors import InvalidInput, Refused
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.permissions import Permission
from domain.typed_values import DecimalSign
from domain.uploads import upload_rows
from domain.uploads.upload_rows import UploadView
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.jobs.import_status import IMPORT_KINDS, ImportStatus, import_status

Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Value = Annotated[str, Field(min_length=1, max_length=500)]


Word = Annotated[str, Field(min_length=1, max_length=500)]
Meaning = Annotated[str, Field(max_length=500)]


class ImportRules(Strict):
    """How a file is read. `mapping`: column -> field, of those not read as their names say. `ignored`: columns
    that are left out. `words`: field -> word of the file -> what it means, "" for nothing. `decimal`: the sign before
    decimals. `preset`: the program that wrote the file."""

    uploadId: Id
    kind: Literal["courses", "items"]
    mapping: Annotated[dict[Name, Name], Field(default_factory=dict, max_length=50)]
    ignored: Annotated[list[Name], Field(default_factory=list, max_length=50)]
    words: Annotated[
        dict[Name, Annotated[dict[Word, Meaning], Field(max_length=100)]], Field(default_factory=dict, max_length=50)
    ]
    decimal: DecimalSign = "."
    encoding: Encoding = UTF8
    preset: Annotated[str, Field(max_length=20)] = ""


class ImportCheck(ImportRules):
    """`constants`: field -> its value in rows that have none. The same `idempotencyKey` starts nothing again."""

    constants: Annotated[dict[Name, Value], Field(default_factory=dict, max_length=50)]
    idempotencyKey: Key


class ImportColumnsRequest(ImportRules):
    """Which file, and how it is to be read."""


class ImportColumn(BaseModel):
    """`field`: what the column becomes; null: it is not used. `samples`: some of its first values. `warning`: which of
    them do not fit the field, in a sentence; "" when all do. `unread`: words among them whose meaning can be said."""

    name: str
    field: str | None
    samples: list[str]
    warning: str
    unread: list[str]


class ImportColumns(BaseModel):
    columns: list[ImportColumn]


class ImportStart(Strict):
    """`checkId`: of a check that is done; what it has read is imported."""

    checkId: Id


@call("admin/imports/columns", ImportColumnsRequest, ImportColumns, permission=Permission.IMPORTS_RUN)
async def import_columns(request: web.Request, body: ImportColumnsRequest) -> ImportColumns:
    """The columns of an uploaded file with their first values. 403 while it is not complete, 404 for that of somebody
    else, 422 for a file that cannot be read."""
    upload = await _complete_upload(request, body.uploadId)
    settings = request.app[SETTINGS]
    path = upload_rows.path_of(settings.files_folder, upload.id)
    rules = ColumnRules(
        mapping=body.mapping,
        ignored=tuple(body.ignored),
        words=body.words,
        decimal=body.decimal,
        encoding=body.encoding,
        preset=body.preset,
    )
    try:
        found = await asyncio.to_thread(sample.sample, path, body.kind, rules, settings.shop.currency)
    except ImportRefused as error:
        raise InvalidInput({"mapping": str(error)}) from error
    return ImportColumns(columns=[ImportColumn(**vars(column)) for column in found])


@call("admin/imports/checks", ImportCheck, ImportStatus, status=201, permission=Permission.IMPORTS_RUN)
async def check_import(request: web.Request, body: ImportCheck) -> ImportStatus:
    """Check a whole uploaded file. Nothing of the catalogue is changed. 403 while the file is not complete, 404 for
    that of somebody else."""
    actor, at, db = request[request_keys.ACTOR], datetime.now(UTC), request.app[DATABASE]
    upload = await _complete_upload(request, body.uploadId)
    rules = body.model_dump(exclude={"uploadId", "idempotencyKey"})
    source = CheckInput(upload_id=upload.id, name=upload.name, **rules)
    new = NewJob(check_job.KIND, source.as_json(), f"{actor.learner_id}:{body.idempotencyKey}", actor.learner_id)
    return await _status(request, await db.write_as(actor, job_rows.start_as_staff, new, at))


@call("admin/imports", ImportStart, ImportStatus, status=201, permission=Permission.IMPORTS_RUN)
async def start_import(request: web.Request, body: ImportStart) -> ImportStatus:
    """Import the rows that a check found good. A check starts one import, however often this is called."""
    actor, db = request[request_keys.ACTOR], request.app[DATABASE]
    check = await db.read(job_rows.job_view, body.checkId, [check_job.KIND])
    source = ImportInput.of_check(check)
    new = NewJob(job.KIND, source.as_json(), f"import-of-check:{check.id}", actor.learner_id)
    return await _status(request, await db.write_as(actor, job_rows.start_as_staff, new, datetime.now(UTC)))


@query("admin/imports/{id}", EmptyRequest, ImportStatus, permission=Permission.IMPORTS_RUN)
async def read_import(request: web.Request, _body: EmptyRequest) -> ImportStatus:
    """How far an import or a check is, and what came of it."""
    return await _status(request, request[request_keys.PATH_ID])


@call("admin/imports/{id}/stop", EmptyRequest, ImportStatus, permission=Permission.IMPORTS_RUN)
async def stop_import(request: web.Request, _body: EmptyRequest) -> ImportStatus:
    """End an import or a check. Rows that were imported stay."""
    job_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]
    await request.app[DATABASE].write_as(actor, job_rows.stop_as_staff, job_id, IMPORT_KINDS, datetime.now(UTC))
    return await _status(request, job_id)


async def _complete_upload(request: web.Request, upload_id: int) -> UploadView:
    """Raises NotFound, Refused."""
    learner_id = request[request_keys.ACTOR].learner_id
    upload = await request.app[DATABASE].read(upload_rows.own_upload, upload_id, learner_id, datetime.now(UTC))
    if upload.purpose != "import" or not upload.is_complete:
        raise Refused("This file is not complete.")
    return upload


async def _status(request: web.Request, job_id: int) -> ImportStatus:
    """Raises NotFound."""
    return import_status(await request.app[DATABASE].read(job_rows.job_view, job_id, IMPORT_KINDS), datetime.now(UTC))
