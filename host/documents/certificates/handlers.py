"""Files of certificates: credentials and what is needed to check them, for everybody; the PDF, for the holder."""

from datetime import UTC, datetime
from typing import Any

import orjson
from aiohttp import web

from domain.display_text import day_text
from domain.errors import NotFound
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates import keys as signing_key_rows
from domain.learning.certificates.certificate_views import CertificateView
from host.app_keys import DATABASE, SETTINGS
from host.auth.private_pages import document_session
from host.documents.certificates import credentials, status_list
from host.documents.certificates.credentials import Issuer
from host.documents.certificates.files import CERTIFICATE_FILES
from host.documents.certificates.signing_keys import KEY_PATH, SIGNING_KEYS, SigningKey
from host.documents.handlers import PRIVATE
from host.http.problems import Problem
from host.rate_limits import policies

CREDENTIAL_PATH = "/verify-certificate/{code:[A-Za-z0-9_-]{1,40}}/credential.{form:jwt|json}"
PDF_PATH = "/learning/certificates/{code:[A-Za-z0-9_-]{1,40}}.pdf"
KEYS_PATH = "/.well-known/certificate-keys.json"
ONE_KEY_PATH = KEY_PATH + "{thumbprint:[A-Za-z0-9_-]{43}}"
STATUS_PATH = "/.well-known/certificate-status/{number:0|[1-9][0-9]{0,3}}.jwt"
# Verifiers may run in the browser, on other sites.
_OPEN = {"Access-Control-Allow-Origin": "*", "X-Robots-Tag": "noindex"}
_UNCACHED = {**_OPEN, "Cache-Control": "no-store"}
_CACHED = {**_OPEN, "Cache-Control": f"public, max-age={status_list.CACHE_S}"}
JWT_TYPE = "application/vc+jwt"


async def credential(request: web.Request) -> web.Response:
    """The credential of a certificate, signed or as JSON: 404 for an unknown code, 410 for a revoked certificate."""
    await policies.limit(request, "verifications_per_address_minute")
    document = credentials.credential(_issuer(request), await _certificate(request))
    if request.match_info["form"] == "json":
        return _json(document, _UNCACHED, "application/vc")
    signing_key = await request.app[SIGNING_KEYS].current()
    return web.Response(text=signing_key.sign(credentials.claims(document)), content_type=JWT_TYPE, headers=_UNCACHED)


async def pdf(request: web.Request) -> web.Response:
    """The certificate to print: 404 for everybody but its holder, and for one that was revoked. Raises
    RateLimited, PrinterBusy."""
    session = await document_session(request)
    code, found = request.match_info["code"], None
    if session is not None:
        await policies.limit(request, "documents_per_learner_minute", learner=session.auth)
        learner_id = session.auth.learner_id
        found = await request.app[DATABASE].read(certificate_reading.own, learner_id, code, datetime.now(UTC))
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


async def key(request: web.Request) -> web.Response:
    """One public key, bare, as the `kid` of what it signed says: 410 for one that nobody should trust any more."""
    found = await request.app[DATABASE].read(signing_key_rows.find, request.match_info["thumbprint"])
    if found is None:
        raise NotFound("There is no such key.")
    if found.distrusted_since is not None:
        since = day_text(found.distrusted_since)
        raise Problem(410, f"Do not trust this key: others know it since {since}. {found.distrust_reason}")
    return _json(request.app[SIGNING_KEYS].jwk(found), _CACHED)


async def issuer(request: web.Request) -> web.Response:
    """The profile of the issuer."""
    profile = _issuer(request).profile() | {"@context": credentials.CONTEXTS}
    settings = request.app[SETTINGS]
    return _json({**profile, "jwksUrl": f"{settings.site_origin}{KEYS_PATH}"}, _CACHED)


async def status(request: web.Request) -> web.Response:
    """The signed list of one stretch of certificates; 404 for a stretch that has not begun."""
    await policies.limit(request, "verifications_per_address_minute")
    number, at = int(request.match_info["number"]), datetime.now(UTC)
    first = number * status_list.SIZE
    revoked = await request.app[DATABASE].read(certificate_reading.revoked_indexes, first, status_list.SIZE)
    if revoked is None and number > 0:
        raise NotFound("There is no such list.")
    signing_key = await request.app[SIGNING_KEYS].current()
    token = request.app[SIGNED_LISTS].get(signing_key, _issuer(request), number, tuple(sorted(revoked or ())), at)
    return web.Response(text=token, content_type=JWT_TYPE, headers=_CACHED)


class SignedLists:
    """The last signed form of each list: equal bits are signed again only for a new key, and when the list is old."""

    def __init__(self) -> None:
        self._signed: dict[int, tuple[tuple[str, tuple[int, ...]], datetime, str]] = {}

    def get(self, signing_key: SigningKey, about: Issuer, number: int, revoked: tuple[int, ...], at: datetime) -> str:
        """`number`: of a list that has begun. `revoked`: status indexes in their order."""
        bits = (signing_key.thumbprint, revoked)
        stored = self._signed.get(number)
        if stored is None or stored[0] != bits or at - stored[1] >= status_list.SIGNED_AGAIN:
            token = signing_key.sign(status_list.claims(about.origin, about.id, number, revoked, at))
            stored = self._signed[number] = (bits, at, token)
        return stored[2]


SIGNED_LISTS = web.AppKey("signed_lists", SignedLists)


def _issuer(request: web.Request) -> Issuer:
    settings = request.app[SETTINGS]
    return Issuer(settings.site_origin, settings.site_name, settings.site_email)


async def _certificate(request: web.Request) -> CertificateView:
    found = await request.app[DATABASE].read(certificate_reading.by_code, request.match_info["code"], datetime.now(UTC))
    if found is None:
        raise NotFound("There is no certificate with this code.")
    if found.state == "revoked":
        raise Problem(410, found.reason)
    return found


def _json(body: Any, headers: dict[str, str], content_type: str = "application/json") -> web.Response:
    return web.Response(body=orjson.dumps(body), content_type=content_type, headers=headers)
