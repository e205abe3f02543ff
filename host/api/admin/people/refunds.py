"""Calls about requests of buyers for refunds: the decisions of staff."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.display_text import money_text
from domain.errors import NotFound
from domain.orders import locks
from domain.orders.refunds import decisions
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.staff_limits import RecentSignInRequired
from domain.permissions import Permission
from host.api.admin.orders import MAX_AUTH_AGE_S, authority_of, context_of
from host.api.admin.outcome import Reason, StaffOutcome
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

Words = Annotated[str, Field(max_length=decisions.MAX_WORDS)]


class ApproveRefund(Strict):
    """`amountMinor`: that of the page; another one refunds nothing. `access`: of what goes back as a whole. `goods`:
    those that came back are for sale again. `rules`: whether it is approved against what they say by now."""

    amountMinor: Annotated[str, Field(pattern="^[0-9]{1,15}$")]
    access: Literal["ends", "stays"] = "ends"
    goods: Literal["gone", "back"] = "gone"
    rules: Literal["hold", "overruled"] = "hold"
    reason: Reason = ""


class DeclineRefund(Strict):
    """`words`: for the buyer, who gets them by mail."""

    words: Words


@call(
    "admin/orders/{code}/refunds/{number}/approve",
    ApproveRefund,
    StaffOutcome,
    area="admin",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def approve(request: web.Request, body: ApproveRefund) -> StaffOutcome:
    """Approve a request for a refund. Support is limited by amount; above its limit the sign-in must be of the last ten
    minutes. 403 when the amount is another by now, and when the rules of refunds object to it."""
    decision = StaffDecision(
        _number(request),
        body.reason,
        int(body.amountMinor),
        keeps_access=body.access == "stays",
        restocks=body.goods == "back",
        overrules=body.rules == "overruled",
    )
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    try:
        row = await db.write_as(
            actor, decisions.approve_as_staff, ref, decision, authority_of(request), context_of(request)
        )
    except RecentSignInRequired:
        await area_access.require_recent_sign_in(request, request[request_keys.AUTH_SESSION], MAX_AUTH_AGE_S)
        raise
    _wake(request)
    shop = request.app[SETTINGS]
    return StaffOutcome(text=f"{money_text(row.amount_minor, shop.shop.currency, shop.locale)} go back.")


@call(
    "admin/orders/{code}/refunds/{number}/decline",
    DeclineRefund,
    StaffOutcome,
    area="admin",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def decline(request: web.Request, body: DeclineRefund) -> StaffOutcome:
    """Decline a request for a refund. The buyer gets the words by mail."""
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    decision = StaffDecision(_number(request), body.words)
    await db.write_as(actor, decisions.decline_as_staff, ref, decision, authority_of(request), context_of(request))
    _wake(request)
    return StaffOutcome(text="The request is declined. The buyer is told by mail.")


def _number(request: web.Request) -> int:
    text = request[request_keys.PATH_IDS]["number"]
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise NotFound("There is no such refund.")
    return int(text)


def _wake(request: web.Request) -> None:
    """What must follow the commit is in the outbox already: waking only saves waiting."""
    for topic in (Topic.PAYMENTS, Topic.MAIL):
        request.app[OUTBOX_WAKER].wake(topic)
