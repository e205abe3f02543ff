"""The public page of a certificate: /verify-certificate/{code}, and the form that asks for a code, also for another one
after a code that no certificate has."""

from collections.abc import Sequence
from urllib.parse import quote

from typing_extensions import TypedDict

from config.settings import Settings
from domain.display_text import day_text, minutes_text, short_text
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates import keys
from domain.learning.certificates.certificate_views import CertificateView, State
from domain.routes import Page
from host.documents.certificates.qr import qr_path
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import Head
from host.seo import head_texts
from host.urls import COURSE_PATH

UNKNOWN = "There is no certificate with this code. Compare it with the certificate, letter by letter."
HEADINGS: dict[State, str] = {
    "valid": "This certificate is valid",
    "expired": "This certificate has expired",
    "revoked": "This certificate is not valid",
}


class CertificateQR(TypedDict):
    """The QR code of the page: dark modules as a path in a square with sides of `size`."""

    size: int
    path: str


class CertificateFact(TypedDict):
    name: str
    value: str


class CertificateProps(TypedDict):
    """`reason`: why it is not valid, in a sentence; "" for a valid one. `holder` "": removed with the account.
    `courseHref`: its page in the shop. `address`: of this page, with the site. `signedHref`: the credential; null for a
    revoked certificate. `keyNotice`: that files which were downloaded before may be others' work; "" for none."""

    title: str
    state: State
    heading: str
    reason: str
    holder: str
    course: str
    courseHref: str
    rule: str
    facts: list[CertificateFact]
    code: str
    address: str
    qr: CertificateQR
    signedHref: str | None
    keysHref: str
    keyNotice: str


class CertificateCheckProps(TypedDict):
    """The form. `message`: what was wrong with the last code."""

    title: str
    code: str
    message: str


@page("certificate", limits=("verifications_per_address_minute",))
async def load(request: PageRequest, route: Page) -> PageResult[CertificateProps] | PageResult:
    """The certificate, or the form with 404 for an unknown code. Raises RateLimited beyond the limit of the client's
    address."""
    return await _checked(request, route, request.values["code"].strip())


@page("certificate-check", limits=("verifications_per_address_minute",))
async def load_check(request: PageRequest, route: Page) -> PageResult[CertificateCheckProps] | PageResult:
    """The certificate of the code in the query, which may be the address of its page too; the form without a code.
    Answers and errors as of `load`."""
    code = request.query.get("code", "").strip().rstrip("/").rpartition("/")[2]
    if not code:
        return _page(request, route, "certificate-check", check_props(route.title))
    return await _checked(request, route, code)


async def _checked(request: PageRequest, route: Page, code: str) -> PageResult:
    if request.limit is not None:
        await request.limit()
    found = await request.db.read(certificate_reading.by_code, code, request.at)
    if found is None:
        return _page(request, route, "certificate-check", check_props(route.title, code, UNKNOWN), status=404)
    leaked = await request.db.read(keys.distrusted)
    props = certificate_props(found, route.title, request.settings, leaked)
    return _page(request, route, "certificate", props)


def check_props(title: str, code: str = "", message: str = "") -> CertificateCheckProps:
    return {"title": title, "code": code, "message": message}


def certificate_props(
    found: CertificateView, title: str, settings: Settings, leaked: Sequence[keys.PublishedKey] = ()
) -> CertificateProps:
    is_revoked, locale = found.state == "revoked", settings.locale
    address = f"{settings.site_origin}/verify-certificate/{found.code}"
    size, path = qr_path(address)
    return {
        "title": title,
        "state": found.state,
        "heading": HEADINGS[found.state],
        "reason": _reason(found, locale),
        "holder": found.holder_name,
        "course": found.course_name,
        "courseHref": COURSE_PATH + quote(found.course_slug),
        "rule": found.rule_text,
        "facts": _facts(found, locale),
        "code": found.code,
        "address": address,
        "qr": {"size": size, "path": path},
        "signedHref": None if is_revoked else f"/verify-certificate/{found.code}/credential.jwt",
        "keysHref": "/.well-known/certificate-keys.json",
        "keyNotice": _key_notice(leaked, locale),
    }


def _key_notice(leaked: Sequence[keys.PublishedKey], locale: str) -> str:
    """`leaked`: the last one first."""
    if not leaked or leaked[0].distrusted_since is None:
        return ""
    since = day_text(leaked[0].distrusted_since, locale)
    return (
        f"Others know a key of ours since {since}: {leaked[0].distrust_reason} Do not trust a file that it signed. "
        "What this page says counts, and a file that is downloaded here now is signed with another key."
    )


def _page(
    request: PageRequest,
    route: Page,
    page_id: str,
    props: CertificateProps | CertificateCheckProps,
    status: int = 200,
) -> PageResult:
    """Its head names nobody: pages that link to it show the head's texts."""
    description = "Check whether a certificate of this site is valid."
    head = Head(head_texts.title(request.settings, route.title), description, robots="noindex, nofollow")
    headers = {"Cache-Control": "no-store"}
    return PageResult(page_id, head, props, status, headers=headers)


def _reason(found: CertificateView, locale: str) -> str:
    if found.state == "expired" and found.expires_at is not None:
        return f"It was valid until {day_text(found.expires_at, locale)}."
    return found.reason


def _facts(found: CertificateView, locale: str) -> list[CertificateFact]:
    facts = [("Completed", day_text(found.completed_at, locale)), ("Issued", day_text(found.issued_at, locale))]
    if found.expires_at is not None:
        facts.append(("Valid until", day_text(found.expires_at, locale)))
    if found.revoked_at is not None:
        facts.append(("Revoked", day_text(found.revoked_at, locale)))
    if found.credits is not None:
        facts.append(("Credits", short_text(found.credits, locale)))
    if found.minutes:
        facts.append(("Length", minutes_text(found.minutes, locale)))
    return [{"name": name, "value": value} for name, value in facts]
