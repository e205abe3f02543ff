"""SetAAUserTraceLog: logs one page visit; replies once the visit is queued or spooled.

Bodies as our browser sends them are answered by `fast_path`, before router and Pydantic. Everything else takes the
ordinary path, which alone decides refusals of bodies: the fast one answers 202, 429 and 503.
tests/host/api/test_visit_fast_path.py holds both to the same rows and answers (docs/decisions/0080).
"""

import re
from collections.abc import Awaitable
from functools import partial
from typing import Any
from uuid import UUID

import orjson
from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from host.api.registry import Id, LooseText, call
from host.app_keys import SETTINGS
from host.http import brief_response, csrf, middlewares
from host.http.brief_response import BriefResponse, ready_head
from host.http.problems import Problem
from host.http.server import own_match
from host.visits.accepting import ReportedVisit, accept_visit


class TraceLog(BaseModel):
    """The specification's payload. Unknown keys are ignored; a `Url` that is too long is truncated; LoginEmail is not
    stored. The bodies that our browser sends are read by `fast_path`, in the same way."""

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
    Load: LooseText = Field("", description='"first" of the first visit of a document, else absent')


class VisitAccepted(BaseModel):
    Status: str
    EventID: UUID


@call("SetAAUserTraceLog", TraceLog, VisitAccepted, caller="anyone", status=202, refusals=(429, 503))
async def set_trace_log(request: web.Request, body: TraceLog) -> VisitAccepted:
    """Log a page visit. 202 means that the visit is stored safely; a resend with the same EventID counts once."""
    return VisitAccepted(Status="success", EventID=UUID(await accept_visit(request, reported_visit(body))))


def reported_visit(body: TraceLog) -> ReportedVisit:
    return ReportedVisit(
        event_id=str(body.EventID) if body.EventID else "",
        url=body.Url,
        session_id=body.SessionID,
        claimed_id=body.AAUserID,
        coupon_id=body.CouponID,
        student_number=body.Stunum,
        special_coupon=body.SpecialCouponID,
        referrer=body.Referrer,
        load=body.Load,
    )


PATH = "/api/SetAAUserTraceLog"
MAX_BYTES = 4096
_TEXTS = {
    "CouponID": "coupon_id",
    "SessionID": "session_id",
    "Stunum": "student_number",
    "SpecialCouponID": "special_coupon",
    "Url": "url",
    "EventID": "event_id",
    "Referrer": "referrer",
    "Load": "load",
}
# The email address is not stored.
_NO_TEXTS = {"LoginEmail", "AAUserID"}
_KNOWN = {*_TEXTS, *_NO_TEXTS}
_REQUIRED = {"Url", "EventID"}
_EVENT_ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEADERS = (("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store"))
# The largest integer that JavaScript represents exactly.
_MAX_ID = 2**53 - 1


def fast_path(app: web.Application, request: web.Request) -> Awaitable[web.StreamResponse] | None:
    """The answer, or None when the request must take the ordinary path, which then finds its body unread."""
    visit = _reported_visit(request)
    if visit is None:
        return None
    own_match(app, request)
    try:
        csrf.require_same_origin(request)
    except Problem:
        return None
    answer = partial(middlewares.problem_middleware, handler=partial(_answer, visit))
    return middlewares.access_log(request, answer)


async def _answer(visit: ReportedVisit, request: web.Request) -> web.StreamResponse:
    event_id = await accept_visit(request, visit)
    body = b'{"Status":"success","EventID":"%b"}' % event_id.encode()
    if brief_response.is_for(request):
        is_secure = request.app[SETTINGS].is_secure
        return BriefResponse(202, ready_head("202 Accepted", _HEADERS, len(body), is_secure=is_secure), body)
    response = web.Response(body=body, status=202, headers=dict(_HEADERS))
    middlewares.set_own_cookies(request, response)
    return response


def _reported_visit(request: web.Request) -> ReportedVisit | None:
    headers = request.headers
    if request.method != "POST" or headers.get("Content-Type") != "application/json" or "Expect" in headers:
        return None
    length = headers.get("Content-Length", "")
    # One that arrived whole with its head. Without a length it is chunked.
    if "Content-Encoding" in headers or not length.isdigit() or int(length) > MAX_BYTES or not request.content.is_eof():
        return None
    body = request.content.read_nowait()
    # The ordinary path reads it again.
    request._read_bytes = body
    return _read(body)


def _read(body: bytes) -> ReportedVisit | None:
    """None for what our browser does not send."""
    # Without escapes, _has_each_key_once can count the texts.
    if b"\\" in body:
        return None
    try:
        values = orjson.loads(body)
    except ValueError:
        return None
    if type(values) is not dict or not _is_as_sent(values) or not _has_each_key_once(body, values):
        return None
    fields = {_TEXTS[name]: value for name, value in values.items() if name not in _NO_TEXTS}
    return ReportedVisit(claimed_id=values.get("AAUserID", 0), **fields)


def _is_as_sent(values: dict[str, Any]) -> bool:
    if not _REQUIRED <= values.keys() <= _KNOWN:
        return False
    for name, value in values.items():
        if type(value) is not str and (name != "AAUserID" or type(value) is not int or not 0 <= value <= _MAX_ID):
            return False
    return type(values.get("AAUserID", 0)) is int and _EVENT_ID.fullmatch(values["EventID"]) is not None


def _has_each_key_once(body: bytes, values: dict[str, Any]) -> bool:
    """Each key and each text has two quotation marks; of a repeated key the parser drops the first."""
    return body.count(b'"') == 4 * len(values) - 2 * ("AAUserID" in values)
