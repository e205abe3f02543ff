"""SetAAUserTraceLog: one page visit, answered when it is safe."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid4

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from domain import visits
from host import keys, sessions
from host.addresses import visitor_address
from host.calls import Id, LooseText, call
from host.crawlers import agent_family, visitor_class
from host.limits import Budget


class TraceLog(BaseModel):
    """The specification's payload. Keys that are not named here are ignored; an over-long Url is cut."""

    model_config = ConfigDict(extra="ignore")

    LoginEmail: LooseText = ""
    AAUserID: Id | None = 0
    CouponID: LooseText = ""
    SessionID: LooseText = ""
    Stunum: LooseText = ""
    SpecialCouponID: LooseText = ""
    Url: str
    EventID: UUID | None = Field(None, description="makes a resend count once")


class Traced(BaseModel):
    Status: str
    EventID: UUID


@call("SetAAUserTraceLog", TraceLog, Traced, status=202, refusals=(429, 503))
async def set_trace_log(request: web.Request, body: TraceLog) -> Traced:
    """Log a page visit. 202 says that it is safe: a resend with the same EventID counts once."""
    settings = request.app[keys.SETTINGS]
    address = visitor_address(request)
    await request.app[keys.LIMITER].take(
        Budget(f"visits:s:{body.SessionID[:64]}", settings.visits_per_session_minute if body.SessionID else 0, 60),
        Budget(f"visits:a:{address}", settings.visits_per_address_minute, 60),
    )
    event_id = body.EventID or uuid4()
    is_private = wants_privacy(request)
    who = None if is_private else await sessions.if_known(request)
    row = row_of(body, event_id, request.headers.get("User-Agent", ""), address, is_private)
    row = row if who is None else replace(row, learner_id=who.learner_id)
    await request.app[keys.DISPATCH].tell(row.as_dict())
    return Traced(Status="success", EventID=event_id)


def wants_privacy(request: web.Request) -> bool:
    """Global Privacy Control or Do Not Track: the visit is counted without session and address."""
    return request.headers.get("Sec-GPC") == "1" or request.headers.get("DNT") == "1"


def row_of(body: TraceLog, event_id: UUID, agent: str, address: str, is_private: bool) -> visits.Row:
    """The visit as it is kept. LoginEmail is never; who the learner is, only a token can say."""
    url = visits.kept_url(body.Url)
    return visits.Row(
        event_id=str(event_id),
        at=datetime.now(UTC).isoformat(),
        session_id="" if is_private else visits.plain(body.SessionID, visits.FIELD_LENGTH),
        page=visits.page_of(url),
        url=url,
        claimed_id=None if is_private else body.AAUserID or None,
        coupon_id=visits.plain(body.CouponID, visits.FIELD_LENGTH),
        student_number=visits.plain(body.Stunum, visits.FIELD_LENGTH),
        special_coupon=visits.plain(body.SpecialCouponID, visits.FIELD_LENGTH),
        campaign=visits.campaign_of(url),
        visitor_class=visitor_class(agent),
        agent=agent_family(agent),
        address="" if is_private else visits.cut_address(address),
    )
