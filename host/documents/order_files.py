"""GET /order-files/{code}/{line}/{n}: a file that a paid line of an order gives, for the owner of the order."""

from aiohttp import web

from domain.learning.files import path_of
from domain.orders.item_files import LineFile, own_file
from host.app_keys import DATABASE, SETTINGS
from host.auth.private_pages import document_session
from host.documents.handlers import PRIVATE
from host.documents.stored_files import StoredFileResponse

# Numbers as they are written in the links of the order's page: no sign, no zero in front.
PATH = "/order-files/{code:[^/]{1,40}}/{line:[1-9][0-9]{0,3}}/{number:[1-9][0-9]{0,3}}"


async def order_file(request: web.Request) -> web.StreamResponse:
    """404 for everybody but the owner, whether the file exists or not. Parts of it can be requested (Range)."""
    file = await _own_file(request)
    path = None if file is None else path_of(request.app[SETTINGS].files_folder, file.sha256)
    if file is None or path is None or not path.is_file():
        raise web.HTTPNotFound(headers=PRIVATE)
    return StoredFileResponse(path, file.name, file.media_type, PRIVATE)


async def _own_file(request: web.Request) -> LineFile | None:
    session = await document_session(request)
    if session is None:
        return None
    code, line, number = (request.match_info[name] for name in ("code", "line", "number"))
    learner_id = session.auth.learner_id
    return await request.app[DATABASE].read(own_file, learner_id, code, int(line), int(number))
