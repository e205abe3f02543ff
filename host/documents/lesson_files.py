"""GET /learning/files/{id}/{name}: a file of a lesson, for whoever has a link that this site made.

The link holds learner, end and a signature instead of asking for a session, because a session may end while a video
plays. It works for four hours; the page's data has new ones.
"""

from datetime import UTC, datetime

from aiohttp import web

from domain.learning import files
from host.app_keys import DATABASE, SETTINGS
from host.auth.file_links import FILE_LINKS, MAX_AGE
from host.documents.stored_files import StoredFileResponse

PATH = "/learning/files/{id:[1-9][0-9]{0,14}}/{name:[^/]{1,600}}"
# Shown by the page itself; everything else is saved. Nothing of it can run a script.
INLINE_TYPES = {
    *("video/mp4", "video/webm", "audio/mpeg", "audio/mp4", "text/vtt"),
    *("image/png", "image/jpeg", "image/webp", "image/avif", "image/gif"),
}
HEADERS = {
    "Cache-Control": f"private, max-age={int(MAX_AGE.total_seconds())}",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


async def lesson_file(request: web.Request) -> web.StreamResponse:
    """404 for every link that this site did not make, and for one that has ended."""
    file_id = int(request.match_info["id"])
    learner, until, signature = (request.query.get(name, "") for name in ("u", "until", "sig"))
    file = None
    if request.app[FILE_LINKS].is_valid(file_id, learner, until, signature, datetime.now(UTC)):
        file = await request.app[DATABASE].read_inline(files.by_id, file_id)
    path = None if file is None else files.path_of(request.app[SETTINGS].files_folder, file.sha256)
    if file is None or path is None or not path.is_file():
        raise web.HTTPNotFound(headers={**HEADERS, "Cache-Control": "private, no-store"})
    is_inline = file.media_type in INLINE_TYPES
    return StoredFileResponse(path, file.name, file.media_type, HEADERS, is_inline=is_inline)
