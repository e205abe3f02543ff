"""GET /quote-documents/{number}.pdf: a quote, for those who read what its organisation buys, and for staff who read
organisations."""

from aiohttp import web

from domain.account.current_session import CurrentSession
from domain.permissions import Permission, permissions_of
from domain.quotes.quote_views import printed_quote
from host.app_keys import DATABASE
from host.auth.private_pages import document_session
from host.documents.files import DOCUMENT_FILES
from host.documents.handlers import PRIVATE, tenant_of
from host.rate_limits import policies

PATH = "/quote-documents/{number:[A-Za-z0-9-]{1,40}}.pdf"


async def quote_file(request: web.Request) -> web.Response:
    """404 for everybody else, whether the quote exists or not. Raises RateLimited, PrinterBusy."""
    found, current = None, await document_session(request)
    if current is not None:
        await policies.limit(request, "documents_per_learner_minute", learner=current.auth)
        tenant = tenant_of(current)
        if tenant is not None or _reads_organisations(current):
            found = await request.app[DATABASE].read(printed_quote, tenant, request.match_info["number"])
    if found is None:
        raise web.HTTPNotFound(headers=PRIVATE)
    content = await request.app[DOCUMENT_FILES].get(found.body, found.digest)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{found.number}.pdf"'}
    return web.Response(body=content, content_type="application/pdf", headers=headers)


def _reads_organisations(current: CurrentSession) -> bool:
    """Whether this session is one of staff who read what organisations have agreed."""
    has_it = Permission.ORGANISATIONS_READ in permissions_of("admin", current.area_roles)
    return current.auth.area == "admin" and has_it
