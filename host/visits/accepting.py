"""Accepts visits that browsers report: for the call and for its fast path, which differ in how they read a body."""

from dataclasses import dataclass
from uuid import uuid4

from aiohttp import web

from domain.visits import visits
from domain.visits.evidence_bits import OF_LOADED_DOCUMENT
from host.auth import sessions
from host.auth.partner_cookie import partner_slug
from host.http.privacy import has_privacy_signal
from host.messaging.visit_queue import VISIT_QUEUE
from host.rate_limits import policies
from host.visits.referral_cookie import take_referral
from host.visits.server_side import build_row


@dataclass(slots=True)
class ReportedVisit:
    """What a browser reports. `claimed_id` is stored as a claim only: only a session proves who the learner is. `load`:
    not "" for the first visit of a document."""

    event_id: str
    url: str
    session_id: str = ""
    claimed_id: int | None = None
    coupon_id: str = ""
    student_number: str = ""
    special_coupon: str = ""
    referrer: str = ""
    load: str = ""


async def accept_visit(request: web.Request, visit: ReportedVisit) -> str:
    """Return the event id when the visit is stored safely. Raises RateLimited and ServiceUnavailable."""
    policies.limit_visit(request, visit.session_id)
    event_id = visit.event_id or str(uuid4())
    is_private = has_privacy_signal(request)
    session = None if is_private else await sessions.session_if_available(request)
    row = build_row(
        request,
        event_id,
        visit.url,
        is_private=is_private,
        session_id=visits.clean_text(visit.session_id, visits.FIELD_LENGTH),
        learner_id=None if session is None else session.learner_id,
        claimed_id=visit.claimed_id or None,
        coupon_id=visits.clean_text(visit.coupon_id, visits.FIELD_LENGTH),
        student_number=visits.clean_text(visit.student_number, visits.FIELD_LENGTH),
        special_coupon=visits.clean_text(visit.special_coupon, visits.FIELD_LENGTH),
        referrer=visit.referrer,
        referral_id=take_referral(request, event_id),
        partner=partner_slug(request),
        evidence=OF_LOADED_DOCUMENT if visit.load else 0,
    )
    await request.app[VISIT_QUEUE].enqueue(row)
    return event_id
