"""Calls about orders: what a refund of lines would send and end, and the refund."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from contracts.tasks import Topic
from domain.errors import InvalidInput
from domain.orders import locks
from domain.orders.refunds import in_area
from domain.orders.refunds.in_area import AreaRefund
from domain.orders.refunds.staff_limits import Authority, RecentSignInRequired
from domain.orders.settings import Context
from domain.permissions import Permission
from host.api.fields import SAFE, WHOLE, Strict
from host.api.orders.refund_schemas import MAX_LINES, RefundChoice
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

# Above support's limit.
MAX_AUTH_AGE_S = 600
Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]
Lines = Annotated[list[RefundChoice], Field(min_length=1, max_length=MAX_LINES)]


class AdminRefundLines(Strict):
    """`keepsAccess`: courses, codes and gifts stay valid."""

    lines: Lines
    keepsAccess: bool = False


class AdminRefund(AdminRefundLines):
    """`amountMinor`: that of the preview; another one refunds nothing. `restocks`: returned goods are for sale again.
    The same `idempotencyKey` refunds nothing again."""

    amountMinor: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    restocks: bool = False
    reason: Annotated[str, Field(min_length=1, max_length=500)]
    idempotencyKey: Key


class AdminRefundPart(BaseModel):
    name: str
    quantity: int
    amountMinor: int


class AdminRefundPreview(BaseModel):
    """`lines`: with delivery, which goes back with the last of the goods. `ends`: what ends, in words."""

    amountMinor: int
    lines: list[AdminRefundPart]
    ends: list[str]


class AdminRefundOutcome(BaseModel):
    """`number`: of the refund in its order."""

    number: int
    state: str
    amountMinor: int


@call(
    "admin/orders/{code}/refunds/preview",
    AdminRefundLines,
    AdminRefundPreview,
    area="admin",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def preview_refund(request: web.Request, body: AdminRefundLines) -> AdminRefundPreview:
    """What a refund of these units sends and what ends with it; nothing is changed. 403 for more than is left."""
    db, units = request.app[DATABASE], _units(body)
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    found = await db.read(in_area.preview, ref, units, body.keepsAccess, context_of(request))
    parts = [AdminRefundPart(name=name, quantity=units, amountMinor=minor) for name, units, minor in found.lines]
    return AdminRefundPreview(amountMinor=found.amount_minor, lines=parts, ends=list(found.ends))


@call(
    "admin/orders/{code}/refunds",
    AdminRefund,
    AdminRefundOutcome,
    area="admin",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def refund_lines(request: web.Request, body: AdminRefund) -> AdminRefundOutcome:
    """Refund units of lines, once for each key. Support is limited by amount and by the refund terms; above its limit
    the sign-in must be of the last ten minutes. 403 when the amount is another by now."""
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    if not body.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    refund = AreaRefund(
        _units(body),
        body.reason,
        f"staff:{actor.learner_id}:{body.idempotencyKey}",
        body.amountMinor,
        keeps_access=body.keepsAccess,
        restocks=body.restocks,
    )
    try:
        row = await db.write_as(actor, in_area.refund_as_staff, ref, refund, authority_of(request), context_of(request))
    except RecentSignInRequired:
        await area_access.require_recent_sign_in(request, request[request_keys.AUTH_SESSION], MAX_AUTH_AGE_S)
        raise
    # What must follow the commit is in the outbox already: waking only saves waiting.
    for topic in (Topic.PAYMENTS, Topic.MAIL):
        request.app[OUTBOX_WAKER].wake(topic)
    return AdminRefundOutcome(number=row.number, state=row.state, amountMinor=row.amount_minor)


def _units(body: AdminRefundLines) -> dict[int, int]:
    units = {choice.number: choice.quantity for choice in body.lines}
    if len(units) < len(body.lines):
        raise InvalidInput({"lines": "Name each line once."})
    return units


def authority_of(request: web.Request) -> Authority:
    auth = request[request_keys.AUTH_SESSION]
    is_recent = datetime.now(UTC) - auth.authenticated_at <= timedelta(seconds=MAX_AUTH_AGE_S)
    actor = request[request_keys.ACTOR]
    return Authority(f"staff:{actor.learner_id}", actor.roles, is_recent)


def context_of(request: web.Request) -> Context:
    return Context(request[request_keys.ACTOR].at, request.app[SETTINGS].orders)
