"""/d and /s: referral links of partners and students. They set cookies, record the visit and redirect within this site.

A browser that fetches a link before a click is refused, and asks again at the click; HEAD is no visit either
(docs/decisions/0116). Values of the cookies come from the database or match the expected form, and are validated again
whenever they are read.
"""

import re
from datetime import UTC, datetime
from urllib.parse import quote

from aiohttp import web

from domain.errors import ServiceUnavailable
from domain.organisations import partners
from domain.organisations.partners import Partner
from domain.typed_codes import plain_code
from host.app_keys import DATABASE, SETTINGS
from host.auth.partner_cookie import is_slug, partner_cookie
from host.http import user_agents
from host.http.local_redirects import safe_local_path
from host.visits.link_targets import target_of
from host.visits.referral_cookie import set_referral
from host.visits.server_side import record_referral

# The form of coupon codes and student numbers, within the column lengths of visits.
_TOKEN = re.compile(r"[^\W_][\w.-]{0,63}")


async def partner(request: web.Request) -> web.Response:
    """GET /d?k={organisation}&coupon={code}&to=/path. An unknown partner sets no cookie, and still redirects."""
    if user_agents.is_ahead_of_click(request):
        return _refuse()
    coupon, organisation = _token(request, "coupon"), await _find_partner(request)
    cookies = {"CouponID": coupon} if coupon else {}
    if organisation is not None:
        cookies |= {partner_cookie(request.app[SETTINGS]): organisation.slug}
        cookies |= {"domainLogo": organisation.logo} if _is_local(organisation.logo) else {}
        cookies |= {"IsRestrictedAccess": "true"} if organisation.is_restricted else {}
    slug = "" if organisation is None else organisation.slug
    referral_id = await record_referral(request, coupon_id=coupon, partner=slug)
    return _redirect(request, cookies, referral_id)


async def student(request: web.Request) -> web.Response:
    """GET /s?n={student number}&c={code}&to=/path."""
    if user_agents.is_ahead_of_click(request):
        return _refuse()
    number, coupon = _token(request, "n"), _token(request, "c")
    referral_id = await record_referral(request, coupon_id=coupon, student_number=number)
    cookies = {"Stunum": number, "CouponID": coupon}
    return _redirect(request, {name: value for name, value in cookies.items() if value}, referral_id)


def _refuse() -> web.Response:
    """What was fetched ahead would be used at the click, which then nobody would see."""
    return web.Response(status=503, headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"})


def _token(request: web.Request, name: str) -> str:
    """A code or number of the query, "" when malformed. The response does not reveal whether it exists."""
    text = plain_code(request.query.get(name, ""))
    return text if _TOKEN.fullmatch(text) else ""


async def _find_partner(request: web.Request) -> Partner | None:
    slug = request.query.get("k", "")
    if not is_slug(slug):
        return None
    try:
        return await request.app[DATABASE].read(partners.find, slug, datetime.now(UTC))
    except ServiceUnavailable:
        # Without the database the link still redirects, as an ordinary visit.
        return None


def _is_local(logo: str) -> bool:
    return logo.startswith("/") and safe_local_path(logo) is not None


def _redirect(request: web.Request, cookies: dict[str, str], referral_id: str | None) -> web.Response:
    settings = request.app[SETTINGS]
    response = web.Response(status=303, headers={"Location": target_of(request), "Cache-Control": "no-store"})
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    for name, value in cookies.items():
        response.set_cookie(
            name,
            quote(value, safe=""),
            max_age=settings.cookie_minutes * 60,
            path="/",
            samesite="Lax",
            secure=settings.is_secure,
            httponly=name == partner_cookie(settings),
        )
    if referral_id is not None:
        set_referral(request, response, referral_id)
    return response
