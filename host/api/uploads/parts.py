"""PUT /api/uploads/{id}/parts/{n}: the one body that is not JSON. It goes to disk as it comes, and is never held whole.

Each try has a file of its own, so that two for one part do not mix. Only one that is whole and matches its digest is
copied to its place, while the row is locked: what is complete is changed by no late try.
"""

import asyncio
import base64
import binascii
import hashlib
import os
import re
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from aiohttp import ClientPayloadError, web

from domain.errors import Refused
from domain.uploads import upload_rows
from domain.uploads.upload_rows import PART_BYTES, WholePart
from host.api.uploads.calls import own_upload, upload_schema
from host.app_keys import DATABASE, SETTINGS
from host.auth import sessions
from host.http import csrf, request_keys
from host.http.problems import Problem
from host.rate_limits import policies

PATH = "/api/uploads/{id:[0-9]{1,15}}/parts/{n:[0-9]{1,5}}"
# RFC 9530; other digests beside it are ignored.
_DIGEST = re.compile(r"(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]{44}):")
# A part that takes longer is sent again.
DEADLINE_S = 120.0


async def put_part(request: web.Request) -> web.Response:
    """200 with the upload once the part is on disk. Raises Problem and DomainError as calls do."""
    csrf.require_same_origin(request, required=True)
    request[request_keys.AUTH_SESSION] = await sessions.require_session(request)
    await policies.limit(request, "upload_parts_per_learner_minute")
    number = int(request.match_info["n"])
    upload = await own_upload(request, int(request.match_info["id"]))
    size, digest = upload.part_bytes(number), _declared_digest(request)
    if request.content_length is not None and request.content_length != size:
        raise Problem(422, errors={"part": f"This part has {size} bytes."})
    if upload.is_complete:
        raise Refused("This file is complete.")
    folder, learner_id = request.app[SETTINGS].files_folder, request[request_keys.AUTH_SESSION].learner_id
    path, arrived = upload_rows.path_of(folder, upload.id), upload_rows.try_path(folder, upload.id, number)
    try:
        await _store(request, arrived, size, digest)
        part = WholePart(number, partial(_place, arrived, path, number))
        about = (upload.id, learner_id, part, datetime.now(UTC))
        view = await request.app[DATABASE].write(upload_rows.take_part, *about)
    finally:
        await asyncio.to_thread(arrived.unlink, missing_ok=True)
    body = upload_schema(view).model_dump_json()
    return web.Response(text=body, content_type="application/json", headers={"Cache-Control": "no-store"})


def _declared_digest(request: web.Request) -> bytes:
    """Raises Problem 400 and 415."""
    if request.content_type != "application/octet-stream":
        raise Problem(415, "Send the part as application/octet-stream.")
    found = _DIGEST.search(request.headers.get("Content-Digest", ""))
    try:
        digest = base64.b64decode(found[1], validate=True) if found else b""
    except binascii.Error:
        digest = b""
    if len(digest) != hashlib.sha256().digest_size:
        raise Problem(400, "Send the header Content-Digest with sha-256 of the part.")
    return digest


async def _store(request: web.Request, path: Path, size: int, digest: bytes) -> None:
    """Write the body to a file of its own. Raises Problem 400, 408 or 422 when it is not the declared part."""
    file = await asyncio.to_thread(_open, path)
    try:
        async with asyncio.timeout(DEADLINE_S):
            received, arrived = await _copy(request, file, size)
    except TimeoutError:
        raise Problem(408, "The part did not arrive in time.", headers={"Connection": "close"}) from None
    except (ClientPayloadError, web.RequestPayloadError):
        raise Problem(400, "The part broke off.") from None
    finally:
        await asyncio.to_thread(os.close, file)
    if received != size:
        raise Problem(422, errors={"part": f"This part has {size} bytes, and {received} arrived."})
    if arrived != digest:
        raise Problem(422, errors={"part": "The part does not match its Content-Digest. Send it again."})


def _open(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


async def _copy(request: web.Request, file: int, size: int) -> tuple[int, bytes]:
    """How many bytes were written, and their digest."""
    digest, received = hashlib.sha256(), 0
    async for chunk in request.content.iter_any():
        if received + len(chunk) > size:
            raise Problem(422, errors={"part": f"This part has {size} bytes."}, headers={"Connection": "close"})
        await asyncio.to_thread(os.pwrite, file, chunk, received)
        digest.update(chunk)
        received += len(chunk)
    return received, digest.digest()


def _place(arrived: Path, path: Path, number: int) -> None:
    """Copy a part, a mebibyte at most, to its place, and its digest to that of digests."""
    content = arrived.read_bytes()
    _write(path, content, number * PART_BYTES)
    digest = hashlib.sha256(content).digest()
    _write(upload_rows.digests_path(path), digest, number * len(digest))


def _write(path: Path, content: bytes, at: int) -> None:
    """Return when it is on disk."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.pwrite(file, content, at)
        os.fsync(file)
    finally:
        os.close(file)
