"""Calls about orders: what a refund of lines or of everything would send and end, and the refund."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.display_text import money_text
from domain.errors import InvalidInput
from domain.orders import locks
from domain.orders.refunds import staff_refunds
from domain.orders.refunds.staff_limits import Authority, RecentSignInRequired
from domain.orders.refunds.staff_refunds import AreaRefund, RefundPreview
from domain.orders.settings import Context
from domain.permissions import Permission
from domain.text_direction import isolated
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.outcome import ActionPreview, StaffOutcome
from host.api.fields import SAFE, WHOLE, Strict
from host.api.orders.refund_schemas import MAX_LINES
from host.app_keys import DATABASE, SETTINGS
from host.auth import area_access
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

# Above support's limit.
MAX_AUTH_AGE_S = 600
LineNumber = Annotated[str, Field(pattern="^[0-9]{1,9}$")]
Units = Annotated[int, Field(ge=0, le=999_999), WHOLE]


class AdminRefundAll(Strict):
    """`keepsAccess`: courses, codes and gifts stay valid. `restocks`: what goes back is for sale again. `amountMinor`:
    that of the preview; another one refunds nothing."""

    keepsAccess: Annotated[bool, FormField("Access, codes and gifts stay valid")] = False
    restocks: Annotated[bool, FormField("What goes back is for sale again")] = False
    reason: Annotated[RecordedReason, Field(min_length=1)]
    amountMinor: Annotated[int, Field(ge=0, le=SAFE), WHOLE] | None = None


class AdminRefund(Strict):
    """`units`: by the numbers of the lines; the rest as of AdminRefundAll."""

    units: Annotated[
        dict[LineNumber, Units],
        Field(max_length=MAX_LINES),
        FormField("Units of {}", "number", is_required=False),
    ]
    keepsAccess: Annotated[bool, FormField("Access, codes and gifts stay valid")] = False
    restocks: Annotated[bool, FormField("What goes back is for sale again")] = False
    reason: Annotated[RecordedReason, Field(min_length=1)]
    amountMinor: Annotated[int, Field(ge=0, le=SAFE), WHOLE] | None = None

    @property
    def chosen(self) -> dict[int, int]:
        """Raises InvalidInput when no unit is."""
        chosen = {int(number): units for number, units in self.units.items() if units}
        if not chosen:
            raise InvalidInput({"form": "Enter how many units of a line to refund."})
        return chosen


class AdminRefundOutcome(StaffOutcome):
    """`number`: of the refund in its order."""

    number: int
    state: str
    amountMinor: int


@action(
    "admin/orders/{code}/refunds",
    AdminRefund,
    "Refund lines",
    "Show what it does",
    is_dangerous=True,
    permission=Permission.REFUNDS_WRITE,
    is_idempotent=True,
    has_text_ids=True,
    reply=AdminRefundOutcome,
)
async def refund_lines(request: web.Request, body: AdminRefund) -> AdminRefundOutcome:
    """Refund units of lines, once for each key. Support is limited by amount and by the refund terms; above its limit
    the sign-in must be of the last ten minutes. 403 when the amount is another by now."""
    return await _refund(request, body, body.chosen)


@refund_lines.preview("confirmed")
async def preview_refund(request: web.Request, body: AdminRefund) -> ActionPreview:
    """What a refund of these units sends and what ends with it; nothing is changed. 403 for more than is left."""
    return await _preview(request, body, body.chosen)


@action(
    "admin/orders/{code}/refund-all",
    AdminRefundAll,
    "Refund everything",
    "Show what it does",
    is_dangerous=True,
    permission=Permission.REFUNDS_WRITE,
    is_idempotent=True,
    has_text_ids=True,
    reply=AdminRefundOutcome,
)
async def refund_all(request: web.Request, body: AdminRefundAll) -> AdminRefundOutcome:
    """Refund all that is left of an order, once for each key; limited as a refund of lines."""
    return await _refund(request, body, await _all_units(request))


@refund_all.preview("confirmed")
async def preview_refund_all(request: web.Request, body: AdminRefundAll) -> ActionPreview:
    """What a refund of all that is left sends and what ends with it; nothing is changed."""
    return await _preview(request, body, await _all_units(request))


async def _all_units(request: web.Request) -> dict[int, int]:
    """{} when nothing is left, as after the refund that is sent again. Raises NotFound."""
    db = request.app[DATABASE]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    return await db.read(staff_refunds.units_left, ref.id, context_of(request))


async def _refund(
    request: web.Request, body: AdminRefund | AdminRefundAll, units: Mapping[int, int]
) -> AdminRefundOutcome:
    db, actor = request.app[DATABASE], request[request_keys.ACTOR]
    if not body.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    if body.amountMinor is None:
        raise InvalidInput({"form": "Look at what the refund does before you make it."})
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    refund = AreaRefund(
        units,
        body.reason,
        f"staff:{actor.learner_id}:{request[request_keys.IDEMPOTENCY_KEY]}",
        body.amountMinor,
        keeps_access=body.keepsAccess,
        restocks=body.restocks,
    )
    try:
        row = await db.write_as(
            actor, staff_refunds.refund_as_staff, ref, refund, authority_of(request), context_of(request)
        )
    except RecentSignInRequired:
        await area_access.require_recent_sign_in(request, request[request_keys.AUTH_SESSION], MAX_AUTH_AGE_S)
        raise
    # What must follow the commit is in the outbox already: waking only saves waiting.
    for topic in (Topic.PAYMENTS, Topic.MAIL):
        request.app[OUTBOX_WAKER].wake(topic)
    text = "The refund is on its way."
    return AdminRefundOutcome(text=text, number=row.number, state=row.state, amountMinor=row.amount_minor)


async def _preview(request: web.Request, body: AdminRefund | AdminRefundAll, units: Mapping[int, int]) -> ActionPreview:
    db = request.app[DATABASE]
    ref = await db.read(locks.ref_of, request[request_keys.PATH_IDS]["code"])
    found = await db.read(staff_refunds.preview, ref, units, body.keepsAccess, context_of(request))
    return shown_refund(request, found, keeps_access=body.keepsAccess)


def shown_refund(request: web.Request, found: RefundPreview, *, keeps_access: bool) -> ActionPreview:
    """What a refund sends and ends, with the button that makes it."""
    settings = request.app[SETTINGS]

    def money(minor: int) -> str:
        return money_text(minor, settings.shop.currency, settings.locale)

    amount = money(found.amount_minor)
    lines = [f"{_part(units, name)}: {money(minor)}" for name, units, minor in found.lines]
    left = [
        f"Not given back: {units} \N{MULTIPLICATION SIGN} {isolated(name)}{f', {money(minor)}' if minor else ''}"
        for name, units, minor in found.not_back
    ]
    nothing = "Everything stays valid." if keeps_access else "Nothing ends with it."
    return ActionPreview(
        effects=[f"{amount} goes back.", *lines, *left, *(found.ends or [nothing])],
        button=f"Refund {amount}",
        confirmed={"amountMinor": found.amount_minor},
    )


def _part(units: int, name: str) -> str:
    return f"{units} \N{MULTIPLICATION SIGN} {isolated(name)}" if units else f"Part of the price of {isolated(name)}"


def authority_of(request: web.Request) -> Authority:
    auth = request[request_keys.AUTH_SESSION]
    is_recent = datetime.now(UTC) - auth.authenticated_at <= timedelta(seconds=MAX_AUTH_AGE_S)
    actor = request[request_keys.ACTOR]
    return Authority(f"staff:{actor.learner_id}", actor.roles, is_recent)


def context_of(request: web.Request) -> Context:
    return Context(request[request_keys.ACTOR].at, request.app[SETTINGS].orders)
