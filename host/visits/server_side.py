"""Visits that the host records: one builder for the browser's call, page fetches of crawlers and referral links."""

from datetime import UTC, datetime
from typing import TypedDict, Unpack
from uuid import uuid4

from aiohttp import web

from domain.redaction import redact
from domain.visits import visits
from host.http.client_ip import client_ip
from host.http.privacy import has_privacy_signal
from host.http.user_agents import browser_family, visitor_class
from host.messaging.visit_queue import VISIT_QUEUE


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
    source: str


def build_visit(request: web.Request, url: str, *, is_private: bool, **extra: Unpack[VisitFields]) -> visits.NewVisit:
    """The visit of the page at `url` by the sender of this request. `is_private`: without the sender's address."""
    agent, url = request.headers.get("User-Agent", ""), visits.clean_url(url)
    fields: VisitFields = {"event_id": str(uuid4()), **extra}
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
    """Record a page fetched by a declared crawler, which runs no script that would log the visit."""
    _record(request, is_private=False)


def record_referral(request: web.Request, *, coupon: str = "", number: str = "") -> None:
    """Record the visit of a referral link; the browser records the target page itself."""
    _record(request, is_private=has_privacy_signal(request), coupon_id=coupon, student_number=number)


def _record(request: web.Request, *, is_private: bool, **extra: Unpack[VisitFields]) -> None:
    """Enqueue a visit of the request's URL without waiting until it is stored."""
    fields: VisitFields = {"source": "host", "referrer": _referrer(request), **extra}
    visit = build_visit(request, request.rel_url.raw_path_qs, is_private=is_private, **fields)
    request.app[VISIT_QUEUE].enqueue_nowait(visit.as_dict())


def _referrer(request: web.Request) -> str:
    return visits.clean_text(redact(request.headers.get("Referer", "")), visits.REFERRER_LENGTH)
