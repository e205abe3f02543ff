"""GET /documents/{code}/{number}.pdf: an invoice or a credit note, for the owner of its order; of one in the name of an
organisation also for those who read its purchases, and for staff who read orders."""

from aiohttp import web

from domain.account.current_session import CurrentSession
from domain.documents.readable_documents import document_for_staff, readable_document
from domain.permissions import Permission, Tenant, permissions_of
from host.app_keys import DATABASE
from host.auth.private_pages import document_session
from host.documents.files import DOCUMENT_FILES
from host.rate_limits import policies

PATH = "/documents/{code:[^/]{1,40}}/{number:[A-Za-z0-9-]{1,40}}.pdf"
PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Cookie, Authorization", "X-Robots-Tag": "noindex"}


async def document(request: web.Request) -> web.Response:
    """404 for everybody else, whether the document exists or not. Raises RateLimited, PrinterBusy."""
    code, number = request.match_info["code"], request.match_info["number"]
    current = await document_session(request)
    found = None
    if current is not None:
        await policies.limit(request, "documents_per_learner_minute", learner=current.auth)
        db = request.app[DATABASE]
        if _reads_orders(current):
            found = await db.read(document_for_staff, code, number)
        else:
            found = await db.read(readable_document, current.auth.learner_id, tenant_of(current), code, number)
    if found is None:
        raise web.HTTPNotFound(headers=PRIVATE)
    content = await request.app[DOCUMENT_FILES].get(found.body, found.digest)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{found.number}.pdf"'}
    return web.Response(body=content, content_type="application/pdf", headers=headers)


def _reads_orders(current: CurrentSession) -> bool:
    """Whether this session is one of staff who read the orders of everybody."""
    return current.auth.area == "admin" and Permission.ORDERS_READ in permissions_of("admin", current.area_roles)


def tenant_of(current: CurrentSession) -> Tenant | None:
    """The organisation that this session works for, if its person may read what it bought."""
    auth = current.auth
    if auth.area != "organisation" or auth.organisation_id is None:
        return None
    may_read = Permission.PURCHASES_READ in permissions_of("organisation", current.area_roles)
    return Tenant(auth.organisation_id) if may_read else None
