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
from host.api.admin.actions import FormField, action
from host.api.admin.orders import MAX_AUTH_AGE_S, authority_of, context_of, shown_refund
from host.api.admin.outcome import ActionPreview, Reason, StaffOutcome
from host.api.fields import Strict
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

ACCESS = FormField(
    "What they bought",
    is_required=True,
    options={"ends": "Access, codes and gifts end", "stays": "Everything stays valid"},
)
GOODS = FormField(
    "Goods",
    is_required=True,
    options={"gone": "No goods came back", "back": "Goods came back and are for sale again"},
)
RULES = FormField(
    "The rules of refunds",
    is_required=True,
    options={"hold": "Hold: it is not refunded", "overruled": "It is refunded against them"},
)


class ApproveRefund(Strict):
    """`amountMinor`: that of the page; another one refunds nothing. `access`: of what goes back as a whole. `goods`:
    those that came back are for sale again. `rules`: whether it is approved against what they say by now."""

    amountMinor: Annotated[str, Field(pattern="^[0-9]{1,15}$"), FormField("Amount", "fixed")]
    access: Annotated[Literal["ends", "stays"], ACCESS] = "ends"
    goods: Annotated[Literal["gone", "back"], GOODS] = "gone"
    rules: Annotated[Literal["hold", "overruled"], RULES] = "hold"
    reason: Annotated[Reason, FormField("Reason", hint="For the record. Name nobody in it.")] = ""

    def decision(self, number: int) -> StaffDecision:
        """About the request with this number."""
        return StaffDecision(
            number,
            self.reason,
            int(self.amountMinor),
            keeps_access=self.access == "stays",
            restocks=self.goods == "back",
            overrules=self.rules == "overruled",
        )


class DeclineRefund(Strict):
    words: Annotated[
        str,
        Field(max_length=decisions.MAX_WORDS),
        FormField("Words to the buyer", "text", hint="They are sent by mail."),
    ]


@action(
    "admin/orders/{code}/refunds/{number}/approve",
    ApproveRefund,
    "Approve the request",
    "Show what it does",
    is_dangerous=True,
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def approve(request: web.Request, body: ApproveRefund) -> StaffOutcome:
    """Approve a request for a refund. Support is limited by amount; above its limit the sign-in must be of the last ten
    minutes. 403 when the amount is another by now, and when the rules of refunds object to it."""
    decision = body.decision(_number(request))
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


@approve.preview("confirmed")
async def preview_approval(request: web.Request, body: ApproveRefund) -> ActionPreview:
    """What the approval sends and what ends with it; nothing is changed. 403 for what the approval refuses."""
    db, decision = request.app[DATABASE], body.decision(_number(request))
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    found = await db.read(decisions.preview_approval, ref, decision, context_of(request))
    shown = shown_refund(request, found, keeps_access=decision.keeps_access)
    # The form has the amount already, as text.
    return shown.model_copy(update={"confirmed": {}})


@action(
    "admin/orders/{code}/refunds/{number}/decline",
    DeclineRefund,
    "Decline a request",
    "Decline",
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
