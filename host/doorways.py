"""/d and /s: links that partners and students hand out. They set cookies, record the visit and lead on, always here.

What a cookie holds is taken from our records or has the form of what it should be; nothing of it is believed later on.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote
from uuid import uuid4

from aiohttp import web
from sqlalchemy import select
from sqlalchemy.orm import Session
from yarl import URL

from domain import organisations, visits
from domain.errors import Unavailable
from domain.pages import redacted
from domain.tables import Organisation
from host import keys
from host.addresses import visitor_address
from host.calls.visits import wants_privacy
from host.crawlers import agent_family, visitor_class
from host.settings import Settings

# The life of the specification's cookies.
LIFE_S = 180 * 60
# Codes and student numbers as people write them; also what visits keep of them.
_TOKEN = re.compile(r"[^\W_][\w.-]{0,63}")
_UNTIDY = re.compile(r"//|/\.{1,2}(?:/|$)")
_SLUG = re.compile(r"[a-z0-9-]{1,191}")
LONGEST_PATH = 2048


def partner_cookie(settings: Settings) -> str:
    """The doorway somebody came through, for pages that are drawn for its visitors alone; script need not know it."""
    return "__Host-partner" if settings.is_secure else "partner"


@dataclass(frozen=True)
class Partner:
    """An approved organisation; `is_restricted`: its visitors see what its contract names."""

    slug: str
    logo: str
    is_restricted: bool


async def partner(request: web.Request) -> web.Response:
    """GET /d?k={organisation}&coupon={code}&to=/path. An unknown partner sets nothing, and leads on all the same."""
    coupon, found = _token(request, "coupon"), await _partner(request)
    cookies = {"CouponID": coupon} if coupon else {}
    if found is not None:
        cookies |= {partner_cookie(request.app[keys.SETTINGS]): found.slug}
        cookies |= {"domainLogo": found.logo} if found.logo else {}
        cookies |= {"IsRestrictedAccess": "true"} if found.is_restricted else {}
    _record(request, coupon=coupon)
    return _led_on(request, cookies)


async def student(request: web.Request) -> web.Response:
    """GET /s?n={student number}&c={code}&to=/path."""
    number, coupon = _token(request, "n"), _token(request, "c")
    _record(request, coupon=coupon, number=number)
    named = {"Stunum": number, "CouponID": coupon}
    return _led_on(request, {name: value for name, value in named.items() if value})


def _token(request: web.Request, name: str) -> str:
    """A code or number of the query; "" for what cannot be one. Whether it exists nobody learns here."""
    text = request.query.get(name, "").strip()
    return text if _TOKEN.fullmatch(text) else ""


async def _partner(request: web.Request) -> Partner | None:
    slug = request.query.get("k", "")
    if not _SLUG.fullmatch(slug):
        return None
    try:
        return await request.app[keys.DATABASE].read(_found, slug, datetime.now(UTC))
    except Unavailable:
        # The link leads on whatever happens; without the records it is an ordinary visit.
        return None


def _found(session: Session, slug: str, at: datetime) -> Partner | None:
    known = select(Organisation).where(Organisation.slug == slug, Organisation.state == "approved")
    organisation = session.scalar(known)
    if organisation is None:
        return None
    logo = organisation.logo if organisation.logo.startswith("/") and same_site(organisation.logo) else ""
    return Partner(slug, logo, organisations.access_of_partner(session, slug, at).is_restricted)


def _led_on(request: web.Request, cookies: dict[str, str]) -> web.Response:
    settings = request.app[keys.SETTINGS]
    where = same_site(request.query.get("to", "")) or "/"
    response = web.Response(status=303, headers={"Location": where, "Cache-Control": "no-store"})
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    for name, value in cookies.items():
        response.set_cookie(
            name,
            quote(value, safe=""),
            max_age=LIFE_S,
            path="/",
            samesite="Lax",
            secure=settings.is_secure,
            httponly=name == partner_cookie(settings),
        )
    return response


def same_site(text: str) -> str | None:
    """A path on this site with its query, as a Location header takes it; None for anything else.

    Browsers drop tabs and line breaks, read \\ as / and take //host for another site: nothing with one of these passes.
    """
    if not text.startswith("/") or len(text) > LONGEST_PATH or not text.isprintable() or "\\" in text:
        return None
    # What would be tidied on the way (.., //) has no business in a link.
    if _UNTIDY.search(re.split(r"[?#]", text, maxsplit=1)[0]):
        return None
    try:
        url = URL(text)
    except ValueError:
        return None
    if url.is_absolute() or url.raw_authority or not url.raw_path.startswith("/"):
        return None
    return url.raw_path_qs + (f"#{url.raw_fragment}" if url.raw_fragment else "")


def _record(request: web.Request, coupon: str = "", number: str = "") -> None:
    """The visit of the doorway itself; the browser then records the page it is led to."""
    agent = request.headers.get("User-Agent", "")
    url = visits.kept_url(request.rel_url.raw_path_qs)
    row = visits.Row(
        event_id=str(uuid4()),
        at=datetime.now(UTC).isoformat(),
        page=visits.page_of(url),
        url=url,
        coupon_id=coupon,
        student_number=number,
        campaign=visits.campaign_of(url),
        referrer=visits.plain(redacted(request.headers.get("Referer", "")), visits.REFERRER_LENGTH),
        visitor_class=visitor_class(agent),
        source="host",
        agent=agent_family(agent),
        address="" if wants_privacy(request) else visits.cut_address(visitor_address(request)),
    )
    request.app[keys.DISPATCH].tell_later(row.as_dict())
