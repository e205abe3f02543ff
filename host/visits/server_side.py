"""Visits that the host records: one builder for the browser's call, page fetches of crawlers and referral links."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypedDict, Unpack
from uuid import uuid4

from aiohttp import web

from domain.visits import visits
from domain.visits.referrers import cut_referrer, referrer_host
from host.app_keys import SETTINGS
from host.http.client_ip import client_ip
from host.http.privacy import has_privacy_signal
from host.http.user_agents import browser_family, visitor_class
from host.messaging.visit_queue import VISIT_QUEUE
from host.rate_limits import policies


class VisitFields(TypedDict, total=False):
    """Fields of a visit that cannot be derived from the request."""

    event_id: str
    session_id: str
    learner_id: int | None
    claimed_id: int | None
    coupon_id: str
    student_number: str
    special_coupon: str
    referrer: str
    referral_id: str | None
    partner: str
    source: str


@dataclass
class UnrecordedVisits:
    """Requests that were served and not stored as visits, because their sender exceeded a limit. `checks`: crawls whose
    limit is being asked; asyncio itself holds no task."""

    crawls: int = 0
    referral_links: int = 0
    checks: set[asyncio.Task[None]] = field(default_factory=set)


UNRECORDED_VISITS = web.AppKey("unrecorded_visits", UnrecordedVisits)
# For visitors who send a privacy signal. Coupon, student number and campaign stay: they name a link.
_NOBODY: VisitFields = {"session_id": "", "learner_id": None, "claimed_id": None, "referral_id": None, "partner": ""}


def build_visit(request: web.Request, url: str, *, is_private: bool, **extra: Unpack[VisitFields]) -> visits.NewVisit:
    """The visit of the page at `url` by the sender of this request; `referrer` as it was sent. `is_private`: without
    session, learner, partner and network, and with the host alone of the referrer."""
    agent, url = request.headers.get("User-Agent", ""), visits.clean_url(url)
    fields: VisitFields = {"event_id": str(uuid4()), **extra}
    if fields.get("referrer"):
        cut = referrer_host if is_private else cut_referrer
        fields["referrer"] = cut(fields["referrer"], request.app[SETTINGS].site_origin)
    if is_private:
        fields |= _NOBODY
    return visits.NewVisit(
        at=datetime.now(UTC).isoformat(),
        page=visits.page_of(url),
        url=url,
        campaign=visits.campaign_of(url),
        visitor_class=visitor_class(agent),
        agent=browser_family(agent),
        address="" if is_private else visits.anonymise_ip(client_ip(request)),
        **fields,
    )


def record_crawler(request: web.Request) -> None:
    """Record in the background a page fetched by a declared crawler, which runs no script that would log the visit."""
    checks = request.app[UNRECORDED_VISITS].checks
    check = asyncio.get_running_loop().create_task(_record_crawl(request, _visit_by_host(request, is_private=False)))
    checks.add(check)
    check.add_done_callback(checks.discard)


async def _record_crawl(request: web.Request, visit: visits.NewVisit) -> None:
    """Waits at most as long as the limiter, which then counts in this process."""
    if await policies.may_record_crawl(request, visit.address):
        request.app[VISIT_QUEUE].enqueue_nowait(visit.as_dict())
    else:
        request.app[UNRECORDED_VISITS].crawls += 1


async def record_referral(request: web.Request, **about: Unpack[VisitFields]) -> str | None:
    """Record the visit of a referral link and return its event id for the visit of the target page, which the browser
    records. None past the limit of links, and for visitors whose visits are not connected: they send a privacy signal.

    Waits at most as long as the limiter, which then counts in this process.
    """
    if not await policies.may_record_referral(request):
        request.app[UNRECORDED_VISITS].referral_links += 1
        return None
    is_private = has_privacy_signal(request)
    visit = _visit_by_host(request, is_private=is_private, **about)
    request.app[VISIT_QUEUE].enqueue_nowait(visit.as_dict())
    return None if is_private else visit.event_id


def _visit_by_host(request: web.Request, *, is_private: bool, **about: Unpack[VisitFields]) -> visits.NewVisit:
    fields: VisitFields = {"source": "host", "referrer": request.headers.get("Referer", ""), **about}
    return build_visit(request, request.rel_url.raw_path_qs, is_private=is_private, **fields)
