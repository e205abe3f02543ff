"""GET /documents/{code}/{number}.pdf: an invoice or a credit note, for the owner of its order."""

from aiohttp import web

from domain.documents.reading import own_document
from host.app_keys import DATABASE
from host.auth.private_pages import document_session
from host.documents.files import DOCUMENT_FILES

PATH = "/documents/{code:[^/]{1,40}}/{number:[A-Za-z0-9-]{1,40}}.pdf"
PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Cookie, Authorization", "X-Robots-Tag": "noindex"}


async def document(request: web.Request) -> web.Response:
    """404 for everybody but the owner, whether the document exists or not."""
    code, number = request.match_info["code"], request.match_info["number"]
    session = await document_session(request)
    learner_id = None if session is None else session.auth.learner_id
    found = None
    if learner_id is not None:
        found = await request.app[DATABASE].read(own_document, learner_id, code, number)
    if found is None:
        raise web.HTTPNotFound(headers=PRIVATE)
    content = await request.app[DOCUMENT_FILES].get(found.body, found.digest)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{found.number}.pdf"'}
    return web.Response(body=content, content_type="application/pdf", headers=headers)
