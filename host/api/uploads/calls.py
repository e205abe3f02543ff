"""Calls of files that staff and organisations send in parts (parts.py takes the parts)."""

import asyncio
import base64
import hashlib
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, Field

from domain.errors import InvalidInput
from domain.permissions import Area, Permission
from domain.uploads import contents as upload_contents
from domain.uploads import upload_rows
from domain.uploads.contents import HEAD_BYTES
from domain.uploads.upload_rows import PART_BYTES, NewUpload, OtherFile, UploadView, WholeFile
from host.api.fields import SAFE, WHOLE, EmptyRequest, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys
from host.rate_limits import policies

Purpose = Literal["import", "image", "lesson", "members", "logo", "statement"]
# Who may send a file for what: in which area, and with which permission.
PERMISSIONS: dict[str, tuple[Area, Permission]] = {
    "import": ("admin", Permission.IMPORTS_RUN),
    "image": ("admin", Permission.CATALOGUE_WRITE),
    "lesson": ("admin", Permission.CATALOGUE_WRITE),
    "members": ("organisation", Permission.MEMBERS_WRITE),
    "logo": ("organisation", Permission.PROFILE_WRITE),
    "statement": ("admin", Permission.PAYMENTS_WRITE),
}
REFUSALS = (403, 429, 503)


class UploadRequest(Strict):
    """`bytes`: the size of the whole file."""

    name: Annotated[str, Field(min_length=1, max_length=255)]
    bytes: Annotated[int, Field(ge=1, le=SAFE), WHOLE]
    purpose: Purpose


class CompleteRequest(Strict):
    """`digest`: the SHA-256, in base64, of the SHA-256 digests of all parts, one after the other, measured by the
    sender on its own file."""

    digest: Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$")]


class Upload(BaseModel):
    """`partBytes`: the size of every part but the last. `missing`: numbers of parts that are not there yet, from 0."""

    id: int
    name: str
    bytes: int
    purpose: Purpose
    partBytes: int
    missing: list[int]
    isComplete: bool
    expiresAt: datetime


def upload_schema(view: UploadView) -> Upload:
    values = {"id": view.id, "name": view.name, "bytes": view.bytes, "purpose": view.purpose}
    return Upload.model_validate(
        {
            **values,
            "partBytes": PART_BYTES,
            "missing": list(view.missing),
            "isComplete": view.is_complete,
            "expiresAt": view.expires_at,
        }
    )


async def require_purpose(request: web.Request, purpose: str) -> None:
    """Raises Problem 403 for whoever may not send a file for this."""
    auth = request[request_keys.AUTH_SESSION]
    await area_access.require_permission(request, auth, *PERMISSIONS[purpose])


@call("uploads", UploadRequest, Upload, status=201, caller="learner", refusals=REFUSALS)
async def begin_upload(request: web.Request, body: UploadRequest) -> Upload:
    """Announce a file, whose parts follow as PUT /api/uploads/{id}/parts/{n}. The purpose decides who may, and how
    large it may be."""
    await policies.limit(request, "upload_parts_per_learner_minute")
    await require_purpose(request, body.purpose)
    new = NewUpload(body.name, body.bytes, body.purpose, request[request_keys.AUTH_SESSION].learner_id)
    return upload_schema(await request.app[DATABASE].write(upload_rows.begin, new, datetime.now(UTC)))


@query("uploads/{id}", EmptyRequest, Upload, caller="learner", refusals=REFUSALS)
async def read_upload(request: web.Request, _body: EmptyRequest) -> Upload:
    """Which parts are missing: to go on after a reload. 404 for that of somebody else."""
    await policies.limit(request, "upload_parts_per_learner_minute")
    return upload_schema(await own_upload(request, request[request_keys.PATH_ID]))


@call("uploads/{id}/complete", CompleteRequest, Upload, caller="learner", refusals=REFUSALS)
async def complete_upload(request: web.Request, body: CompleteRequest) -> Upload:
    """Check that all parts are there, that they are those of the sender's file, and that the contents are what the
    purpose needs, by themselves: 422 if not. The parts of another file are all to be sent again."""
    await policies.limit(request, "upload_parts_per_learner_minute")
    upload = await own_upload(request, request[request_keys.PATH_ID])
    path = upload_rows.path_of(request.app[SETTINGS].files_folder, upload.id)
    if not upload.missing:
        problem = upload_contents.content_problem(upload.purpose, await asyncio.to_thread(_head, path))
        if problem is not None:
            raise InvalidInput({"file": problem})
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    about, db = (upload.id, learner_id), request.app[DATABASE]
    file = WholeFile(base64.b64decode(body.digest), partial(_measure, path), partial(path.chmod, 0o400))
    try:
        return upload_schema(await db.write(upload_rows.complete, *about, file, datetime.now(UTC)))
    except OtherFile:
        await db.write(upload_rows.begin_again, *about, datetime.now(UTC))
        raise


async def own_upload(request: web.Request, upload_id: int) -> UploadView:
    """Raises NotFound, and Problem 403 for whoever may not send files for its purpose any more."""
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    upload = await request.app[DATABASE].read(upload_rows.own_upload, upload_id, learner_id, datetime.now(UTC))
    await require_purpose(request, upload.purpose)
    return upload


def _measure(path: Path) -> tuple[int, bytes]:
    """Read size and digest, this from the file of digests alone: each was made of the bytes that were put in their
    place, and 2 GiB take seconds to read."""
    digests = upload_rows.digests_path(path)
    known = digests.read_bytes() if digests.exists() else b""
    return path.stat().st_size, hashlib.sha256(known).digest()


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)
