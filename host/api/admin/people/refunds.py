"""Calls about requests of buyers for refunds: the decisions of staff."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.display_text import money_text
from domain.errors import InvalidInput, NotFound
from domain.orders import locks
from domain.orders.refunds import decisions, failed_refunds
from domain.orders.refunds.decisions import StaffDecision
from domain.orders.refunds.in_part import ChosenPart
from domain.orders.refunds.staff_limits import RecentSignInRequired
from domain.permissions import Permission
from domain.typed_values import is_number
from host.api.admin.actions import FormField, action
from host.api.admin.orders import MAX_AUTH_AGE_S, LineNumber, Units, authority_of, context_of, shown_refund
from host.api.admin.outcome import ActionPreview, Reason, StaffOutcome
from host.api.fields import SAFE, WHOLE, EmptyRequest, Strict
from host.api.orders.refund_schemas import MAX_LINES
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

# Minor units; null: no amount.
Amount = Annotated[int, Field(ge=0, le=SAFE), WHOLE] | None
ACCESS = FormField(
    "What they bought",
    is_required=True,
    options={"ends": "Access, codes and gifts end", "stays": "Everything stays valid"},
)
STOCK = FormField(
    "Stock",
    is_required=True,
    options={"gone": "Stays as it is", "back": "What goes back is for sale again"},
)
RULES = FormField(
    "The rules of refunds",
    is_required=True,
    options={"hold": "Hold: it is not refunded", "overruled": "It is refunded against them"},
)


class ApproveRefund(Strict):
    """`amountMinor`: that of the page; another one refunds nothing. `access`: of what goes back as a whole. `goods`:
    whether what goes back, such as codes that were never used, is for sale again. `rules`: whether it is approved
    against what they say by now."""

    amountMinor: Annotated[str, Field(pattern="^[0-9]{1,15}$"), FormField("Amount", "fixed")]
    access: Annotated[Literal["ends", "stays"], ACCESS] = "ends"
    goods: Annotated[Literal["gone", "back"], STOCK] = "gone"
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


class ApproveRefundPart(Strict):
    """`units` and `amounts` by the numbers of the lines: units that go back, or minor units of the price of those that
    stay the buyer's. `amountMinor`: that of the preview; another one refunds nothing. The rest as of ApproveRefund."""

    units: Annotated[
        dict[LineNumber, Units],
        Field(max_length=MAX_LINES),
        FormField("Units of {}", "number", is_required=False),
    ]
    amounts: Annotated[
        dict[LineNumber, Amount],
        Field(max_length=MAX_LINES),
        FormField("Or a part of the price of {}", "money", is_required=False),
    ]
    access: Annotated[Literal["ends", "stays"], ACCESS] = "ends"
    goods: Annotated[Literal["gone", "back"], STOCK] = "gone"
    rules: Annotated[Literal["hold", "overruled"], RULES] = "hold"
    words: Annotated[
        str,
        Field(max_length=decisions.MAX_WORDS),
        FormField("Why not all of it", "text", hint="Their order shows it, and it is sent by mail.", rows=4),
    ]
    amountMinor: Annotated[int, Field(ge=0, le=SAFE), WHOLE] | None = None

    def decision(self, number: int) -> StaffDecision:
        """About the request with this number."""
        units = {int(line): count for line, count in self.units.items() if count}
        amounts = {int(line): minor for line, minor in self.amounts.items() if minor}
        return StaffDecision(
            number,
            self.words,
            self.amountMinor,
            keeps_access=self.access == "stays",
            restocks=self.goods == "back",
            overrules=self.rules == "overruled",
            part=ChosenPart(units, amounts),
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
    refusals=(409,),
)
async def approve(request: web.Request, body: ApproveRefund) -> StaffOutcome:
    """Approve a request for a refund. Support is limited by amount; above its limit the sign-in must be of the last ten
    minutes. 403 when the amount is another by now, and when the rules of refunds object to it; 409 when somebody else
    has decided about it."""
    return await _approve(request, body.decision(_number(request)))


async def _approve(request: web.Request, decision: StaffDecision) -> StaffOutcome:
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
    shown = await _preview(request, body.decision(_number(request)))
    # The form has the amount already, as text.
    return shown.model_copy(update={"confirmed": {}})


async def _preview(request: web.Request, decision: StaffDecision) -> ActionPreview:
    db = request.app[DATABASE]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    found = await db.read(decisions.preview_approval, ref, decision, context_of(request))
    return shown_refund(request, found, keeps_access=decision.keeps_access)


@action(
    "admin/orders/{code}/refunds/{number}/approve-part",
    ApproveRefundPart,
    "Approve a part of the request",
    "Show what it does",
    is_dangerous=True,
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
    refusals=(409,),
)
async def approve_part(request: web.Request, body: ApproveRefundPart) -> StaffOutcome:
    """Approve a part of a request for a refund, limited as an approval; the rest is declined with the words, which the
    buyer gets by mail. 422 for more than was asked for, for nothing and for all of it."""
    if body.amountMinor is None:
        raise InvalidInput({"form": "Look at what the refund does before you make it."})
    return await _approve(request, body.decision(_number(request)))


@approve_part.preview("confirmed")
async def preview_part(request: web.Request, body: ApproveRefundPart) -> ActionPreview:
    """What goes back, what does not, and what ends with it; nothing is changed."""
    return await _preview(request, body.decision(_number(request)))


@action(
    "admin/orders/{code}/refunds/{number}/decline",
    DeclineRefund,
    "Decline a request",
    "Decline",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
    refusals=(409,),
)
async def decline(request: web.Request, body: DeclineRefund) -> StaffOutcome:
    """Decline a request for a refund. The buyer gets the words by mail. 409 when somebody else has decided about it."""
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    decision = StaffDecision(_number(request), body.words)
    await db.write_as(actor, decisions.decline_as_staff, ref, decision, authority_of(request), context_of(request))
    _wake(request)
    return StaffOutcome(text="The request is declined. The buyer is told by mail.")


class SettleRefund(Strict):
    proof: Annotated[
        str,
        Field(min_length=1, max_length=decisions.MAX_WORDS),
        FormField("How it was paid", hint="Such as the number of the bank transfer. It is recorded for good."),
    ]


@action(
    "admin/orders/{code}/refunds/{number}/retry",
    EmptyRequest,
    "Try again",
    "Send it again",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def retry(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Have the gateway try a refund again that failed. 403 for another one."""
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    about = (_number(request), authority_of(request), context_of(request))
    await db.write_as(actor, failed_refunds.retry_as_staff, ref, *about)
    _wake(request)
    return StaffOutcome(text="The gateway is asked again. This page says what becomes of it.")


@action(
    "admin/orders/{code}/refunds/{number}/settle",
    SettleRefund,
    "It was paid by hand",
    "Mark as paid",
    question="The refund counts as paid, and the gateway is not asked again. This cannot be undone.",
    permission=Permission.REFUNDS_WRITE,
    has_text_ids=True,
)
async def settle(request: web.Request, body: SettleRefund) -> StaffOutcome:
    """Note that the money of a refund that failed was paid outside the gateway. Support is limited by amount; above its
    limit the sign-in must be of the last ten minutes."""
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    about = (StaffDecision(_number(request), body.proof), authority_of(request), context_of(request))
    try:
        await db.write_as(actor, failed_refunds.settle_as_staff, ref, *about)
    except RecentSignInRequired:
        await area_access.require_recent_sign_in(request, request[request_keys.AUTH_SESSION], MAX_AUTH_AGE_S)
        raise
    _wake(request)
    return StaffOutcome(text="The refund is marked as paid by hand.")


def _number(request: web.Request) -> int:
    text = request[request_keys.PATH_IDS]["number"]
    if not is_number(text, 9):
        raise NotFound("There is no such refund.")
    return int(text)


def _wake(request: web.Request) -> None:
    """What must follow the commit is in the outbox already: waking only saves waiting."""
    for topic in (Topic.PAYMENTS, Topic.MAIL):
        request.app[OUTBOX_WAKER].wake(topic)
