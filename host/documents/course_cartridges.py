"""GET /course-cartridges/{id}.imscc: the lessons of a course as a Common Cartridge, for who may edit them."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from aiohttp import web

from domain.course_packages import cartridge_export, course_import
from domain.errors import NotFound
from domain.permissions import Permission, permissions_of
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.auth.private_pages import document_session
from host.documents.handlers import PRIVATE
from host.documents.stored_files import disposition
from host.rate_limits import policies
from host.rendering.lesson_html import LESSON_HTML

log = logging.getLogger("coursefront.documents")

PATH = "/course-cartridges/{id:[1-9][0-9]{0,14}}.imscc"
# The cartridge holds the right answers of quizzes, as the pages of lessons do.
NEEDED = Permission.CATALOGUE_WRITE


def href(course_id: int) -> str:
    return f"/course-cartridges/{course_id}.imscc"


async def cartridge(request: web.Request) -> web.StreamResponse:
    """404 for everybody else, whether the course exists or not. Raises RateLimited."""
    current = await document_session(request)
    if current is None or current.auth.area != "admin" or NEEDED not in permissions_of("admin", current.area_roles):
        raise web.HTTPNotFound(headers=PRIVATE)
    await policies.limit(request, "documents_per_learner_minute", learner=current.auth)
    db, folder, at = request.app[DATABASE], request.app[SETTINGS].files_folder, datetime.now(UTC)
    course_id = int(request.match_info["id"])
    try:
        course = await db.read(cartridge_export.exported_course, course_id, folder)
    except NotFound:
        raise web.HTTPNotFound(headers=PRIVATE) from None
    await db.write_as(area_access.page_actor(request, current), course_import.record_export, course_id)
    file = {"Content-Type": "application/zip", "Content-Disposition": disposition(f"{course.slug}.imscc")}
    return await _send(request, cartridge_export.parts(course, folder, _html, at), {**PRIVATE, **file})


async def _send(request: web.Request, parts: Iterator[bytes], headers: Mapping[str, str]) -> web.StreamResponse:
    response = web.StreamResponse(headers=headers)
    try:
        await response.prepare(request)
        while (part := await asyncio.to_thread(next, parts, None)) is not None:
            await response.write(part)
        await response.write_eof()
    except ConnectionResetError:
        log.debug("the browser left a cartridge")
    except Exception:
        # Only the end of the connection tells the browser that the file is not complete.
        if request.transport is not None:
            request.transport.abort()
        raise
    return response


def _html(text: str, addresses: Mapping[str, str]) -> str:
    return LESSON_HTML.render(text, addresses)
