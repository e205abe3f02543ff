"""GET /files/{hash}.webp and /files/{hash}-{width}.webp: a picture that staff sent, for everyone."""

from aiohttp import web

from domain.images import image_rows
from domain.learning import files
from host.app_keys import DATABASE, SETTINGS
from host.http.file_response import FileResponse

PATH = r"/files/{sha256:[0-9a-f]{64}}{width:(-[1-9][0-9]{2,3})?}.webp"
# The address names the contents.
HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


async def public_image(request: web.Request) -> web.StreamResponse:
    """404 for files that are no pictures of the site, such as those of lessons."""
    width = request.match_info["width"]
    wanted = int(width.removeprefix("-")) if width else None
    sha256 = await request.app[DATABASE].read_inline(image_rows.public_file, request.match_info["sha256"], wanted)
    path = None if sha256 is None else files.path_of(request.app[SETTINGS].files_folder, sha256)
    if path is None or not path.is_file():
        raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
    response = FileResponse(path, headers=HEADERS)
    response.content_type = "image/webp"
    return response
