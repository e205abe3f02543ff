"""Files of certificates: credentials and what is needed to check them, for everybody; the PDF, for the holder."""

from datetime import UTC, datetime
from typing import Any

import orjson
from aiohttp import web

from domain.errors import NotFound
from domain.learning import certificates
from domain.learning.certificates import CertificateView
from host.app_keys import DATABASE, SETTINGS
from host.auth.private_pages import document_session
from host.documents.certificates import credentials, status_list
from host.documents.certificates.credentials import Issuer
from host.documents.certificates.files import CERTIFICATE_FILES
from host.documents.certificates.signing_keys import SIGNING_KEYS
from host.documents.handlers import PRIVATE
from host.http.problems import Problem
from host.rate_limits import policies

CREDENTIAL_PATH = "/verify-certificate/{code:[A-Za-z0-9_-]{1,40}}/credential.{form:jwt|json}"
PDF_PATH = "/learning/certificates/{code:[A-Za-z0-9_-]{1,40}}.pdf"
KEYS_PATH = "/.well-known/certificate-keys.json"
STATUS_PATH = "/.well-known/certificate-status/{number:0|[1-9][0-9]{0,3}}.jwt"
# Verifiers may run in the browser, on other sites.
_OPEN = {"Access-Control-Allow-Origin": "*", "X-Robots-Tag": "noindex"}
_UNCACHED = {**_OPEN, "Cache-Control": "no-store"}
_CACHED = {**_OPEN, "Cache-Control": f"public, max-age={status_list.CACHE_S}"}
JWT_TYPE = "application/vc+jwt"


async def credential(request: web.Request) -> web.Response:
    """The credential of a certificate, signed or as JSON: 404 for an unknown code, 410 for a revoked certificate."""
    await policies.limit_verification(request)
    document = credentials.credential(_issuer(request), await _certificate(request))
    if request.match_info["form"] == "json":
        return _json(document, _UNCACHED, "application/vc")
    key = await request.app[SIGNING_KEYS].current()
    return web.Response(text=key.sign(credentials.claims(document)), content_type=JWT_TYPE, headers=_UNCACHED)


async def pdf(request: web.Request) -> web.Response:
    """The certificate to print: 404 for everybody but its holder, and for one that was revoked."""
    session = await document_session(request)
    code, found = request.match_info["code"], None
    if session is not None:
        learner_id = session.auth.learner_id
        found = await request.app[DATABASE].read(certificates.own, learner_id, code, datetime.now(UTC))
    if session is None or found is None or found.state == "revoked":
        raise web.HTTPNotFound(headers=PRIVATE)
    about = _issuer(request)
    address = f"{about.origin}/verify-certificate/{code}"
    content = await request.app[CERTIFICATE_FILES].get(found, about.name, address, session.student_number)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="certificate-{code}.pdf"'}
    return web.Response(body=content, content_type="application/pdf", headers=headers)


async def keys(request: web.Request) -> web.Response:
    """Every public key that ever signed a credential, as a JSON Web Key Set."""
    return _json({"keys": await request.app[SIGNING_KEYS].published()}, _CACHED)


async def issuer(request: web.Request) -> web.Response:
    """The profile of the issuer."""
    profile = _issuer(request).profile() | {"@context": credentials.CONTEXTS}
    settings = request.app[SETTINGS]
    return _json({**profile, "jwksUrl": f"{settings.site_origin}{KEYS_PATH}"}, _CACHED)


async def status(request: web.Request) -> web.Response:
    """The signed list of one stretch of certificates; 404 for a stretch that has not begun."""
    number, at = int(request.match_info["number"]), datetime.now(UTC)
    first = number * status_list.SIZE
    revoked = await request.app[DATABASE].read(certificates.revoked_indexes, first, status_list.SIZE)
    if revoked is None and number > 0:
        raise NotFound("There is no such list.")
    about = _issuer(request)
    key = await request.app[SIGNING_KEYS].current()
    token = key.sign(status_list.claims(about.origin, about.id, number, revoked or (), at))
    return web.Response(text=token, content_type=JWT_TYPE, headers=_CACHED)


def _issuer(request: web.Request) -> Issuer:
    settings = request.app[SETTINGS]
    return Issuer(settings.site_origin, settings.site_name, settings.site_email)


async def _certificate(request: web.Request) -> CertificateView:
    found = await request.app[DATABASE].read(certificates.by_code, request.match_info["code"], datetime.now(UTC))
    if found is None:
        raise NotFound("There is no certificate with this code.")
    if found.state == "revoked":
        raise Problem(410, found.reason)
    return found


def _json(body: Any, headers: dict[str, str], content_type: str = "application/json") -> web.Response:
    return web.Response(body=orjson.dumps(body), content_type=content_type, headers=headers)
