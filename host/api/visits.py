"""SetAAUserTraceLog: logs one page visit; replies once the visit is queued or spooled."""

from uuid import UUID, uuid4

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from domain.visits import visits
from host.api.registry import Id, LooseText, call
from host.auth import sessions
from host.auth.partner_cookie import partner_slug
from host.http.privacy import has_privacy_signal
from host.messaging.visit_queue import VISIT_QUEUE
from host.rate_limits import policies
from host.visits.referral_cookie import take_referral
from host.visits.server_side import VisitFields, build_visit


class TraceLog(BaseModel):
    """The specification's payload. Unknown keys are ignored; a `Url` that is too long is truncated."""

    model_config = ConfigDict(extra="ignore")

    LoginEmail: LooseText = ""
    AAUserID: Id | None = 0
    CouponID: LooseText = ""
    SessionID: LooseText = ""
    Stunum: LooseText = ""
    SpecialCouponID: LooseText = ""
    Url: str
    EventID: UUID | None = Field(None, description="a visit sent again with the same EventID is counted once")
    Referrer: LooseText = Field(
        "", description="of the first visit after a load: the page of another site that led here"
    )


class VisitAccepted(BaseModel):
    Status: str
    EventID: UUID


@call("SetAAUserTraceLog", TraceLog, VisitAccepted, caller="anyone", status=202, refusals=(429, 503))
async def set_trace_log(request: web.Request, body: TraceLog) -> VisitAccepted:
    """Log a page visit. 202 means that the visit is stored safely; a resend with the same EventID counts once."""
    await policies.limit_visit(request, body.SessionID)
    event_id = body.EventID or uuid4()
    is_private = has_privacy_signal(request)
    session = None if is_private else await sessions.session_if_available(request)
    fields: VisitFields = {
        **_reported_fields(body),
        "event_id": str(event_id),
        "learner_id": None if session is None else session.learner_id,
        "referral_id": take_referral(request, str(event_id)),
        "partner": partner_slug(request),
    }
    visit = build_visit(request, body.Url, is_private=is_private, **fields)
    await request.app[VISIT_QUEUE].enqueue(visit.as_dict())
    return VisitAccepted(Status="success", EventID=event_id)


def _reported_fields(body: TraceLog) -> VisitFields:
    """The fields that the browser reports. LoginEmail is not stored; AAUserID is stored as a claim only, because only
    a session proves who the learner is."""
    return {
        "session_id": visits.clean_text(body.SessionID, visits.FIELD_LENGTH),
        "claimed_id": body.AAUserID or None,
        "coupon_id": visits.clean_text(body.CouponID, visits.FIELD_LENGTH),
        "student_number": visits.clean_text(body.Stunum, visits.FIELD_LENGTH),
        "special_coupon": visits.clean_text(body.SpecialCouponID, visits.FIELD_LENGTH),
        "referrer": body.Referrer,
    }
