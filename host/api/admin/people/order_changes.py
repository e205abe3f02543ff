"""Calls about an order beside its money: goods are sent and arrive, codes are used, an unpaid order is cancelled."""

from datetime import datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.errors import InvalidInput, Refused
from domain.orders import events, locks, staff_changes
from domain.orders.locks import OrderRef
from domain.orders.shipping import MAX_CARRIER, MAX_TRACKING, Parcel
from domain.permissions import Permission
from host.api.admin.actions import FormField, RecordedReason, action
from host.api.admin.orders import LineNumber, Units, context_of
from host.api.admin.outcome import StaffOutcome
from host.api.fields import Strict
from host.api.orders.refund_schemas import MAX_LINES
from host.app_keys import DATABASE
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER

WRITE = Permission.ORDERS_WRITE
CARRIER = FormField("Carrier", hint="Such as the name of the post. Its buyer reads it.", is_required=False)
TRACKING = FormField("Number of the parcel", hint="By which its buyer can follow it.", is_required=False)
# Which parcel of the order; null: all that are on their way.
ParcelNumber = Annotated[LineNumber | None, FormField("Parcel", "fixed")]


class SendParcel(Strict):
    """`units`: by the numbers of the lines; {}: all goods that are left to send."""

    units: Annotated[
        dict[LineNumber, Units],
        Field(default_factory=dict, max_length=MAX_LINES),
        FormField("Units of {}", "number", is_required=False),
    ]
    carrier: Annotated[str, Field(max_length=MAX_CARRIER), CARRIER] = ""
    tracking: Annotated[str, Field(max_length=MAX_TRACKING), TRACKING] = ""

    @property
    def parcel(self) -> Parcel:
        """Raises InvalidInput for a parcel with nothing in it."""
        units: dict[int, int | None] = {int(number): count for number, count in self.units.items() if count}
        if self.units and not units:
            raise InvalidInput({"form": "Enter how many units of a line are in the parcel."})
        return Parcel(units, self.carrier, self.tracking)


class CorrectParcel(Strict):
    parcel: ParcelNumber = None
    carrier: Annotated[str, Field(max_length=MAX_CARRIER), CARRIER] = ""
    tracking: Annotated[str, Field(max_length=MAX_TRACKING), TRACKING] = ""


class NoteArrival(Strict):
    parcel: ParcelNumber = None


class CancelOrder(Strict):
    reason: Annotated[RecordedReason, Field(min_length=1)]


class UseVoucher(Strict):
    voucher: Annotated[
        str, Field(min_length=1, max_length=40), FormField("Code", hint="As the buyer has it, in any letters.")
    ]


@action(
    "admin/orders/{code}/parcels",
    SendParcel,
    "Send a parcel",
    "Mark as sent",
    text="The buyer gets a mail with the carrier and the number.",
    permission=WRITE,
    has_text_ids=True,
)
async def send_parcel(request: web.Request, body: SendParcel) -> StaffOutcome:
    """Note that goods of a paid order were sent. 403 for lines whose goods are not left to send, and for more than is
    left of one."""
    parcel, ref = body.parcel, await _ref(request)
    await request.app[DATABASE].write_as(
        request[request_keys.ACTOR], staff_changes.ship, ref, _actor(request), _at(request), parcel
    )
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="It is marked as sent, and a mail to the buyer is on its way.")


@action(
    "admin/orders/{code}/parcels/correct",
    CorrectParcel,
    "Correct a parcel",
    "Save",
    text="The page of the order shows it to the buyer. No mail is sent.",
    permission=WRITE,
    has_text_ids=True,
)
async def correct_parcel(request: web.Request, body: CorrectParcel) -> StaffOutcome:
    """Another carrier or number of a parcel that is on its way. 403 when there is none."""
    parcel = Parcel(carrier=body.carrier, tracking=body.tracking, number=_number(body.parcel))
    ref = await _ref(request)
    await request.app[DATABASE].write_as(
        request[request_keys.ACTOR], staff_changes.correct_parcel, ref, _actor(request), _at(request), parcel
    )
    return StaffOutcome(text="The parcel is corrected.")


@action(
    "admin/orders/{code}/arrived",
    NoteArrival,
    "It has arrived",
    "Mark as arrived",
    text="The days in which goods can be returned begin when the last of their parcels has arrived.",
    permission=WRITE,
    has_text_ids=True,
)
async def note_arrival(request: web.Request, body: NoteArrival) -> StaffOutcome:
    """Note that a parcel has reached the buyer, or all of them. 403 when it is not on its way."""
    ref, number = await _ref(request), _number(body.parcel)
    await request.app[DATABASE].write_as(
        request[request_keys.ACTOR], staff_changes.deliver, ref, _actor(request), _at(request), number
    )
    return StaffOutcome(text="It is marked as arrived.")


@action(
    "admin/orders/{code}/cancel",
    CancelOrder,
    "Cancel the order",
    "Cancel order",
    question="It can no longer be paid, and what it has reserved is free again. This cannot be undone.",
    is_dangerous=True,
    permission=WRITE,
    has_text_ids=True,
)
async def cancel_order(request: web.Request, body: CancelOrder) -> StaffOutcome:
    """Cancel an order that is not paid. 403 for another one; a payment that was faster is refunded."""
    if not body.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    ref = await _ref(request)
    is_cancelled = await request.app[DATABASE].write_as(
        request[request_keys.ACTOR],
        staff_changes.cancel,
        ref,
        _actor(request),
        context_of(request),
        reason=body.reason,
    )
    if not is_cancelled:
        raise Refused("This order no longer waits for its payment: load the page again.")
    request.app[OUTBOX_WAKER].wake(Topic.PAYMENTS)
    return StaffOutcome(text="The order is cancelled.")


@action(
    "admin/orders/{code}/use-voucher",
    UseVoucher,
    "A code was used",
    "Mark as used",
    text="It can no longer be refunded.",
    permission=WRITE,
    has_text_ids=True,
)
async def use_voucher(request: web.Request, body: UseVoucher) -> StaffOutcome:
    """Note that a voucher code of the order was used. 404 for an unknown code, 403 for one that cannot be used."""
    ref, code = await _ref(request), "".join(body.voucher.split())
    await request.app[DATABASE].write_as(
        request[request_keys.ACTOR], staff_changes.use_voucher, ref, code, _actor(request), _at(request)
    )
    return StaffOutcome(text="The code is marked as used.")


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


async def _ref(request: web.Request) -> OrderRef:
    """Raises NotFound."""
    return await request.app[DATABASE].read(locks.ref_of, request[request_keys.PATH_IDS]["code"])


def _actor(request: web.Request) -> str:
    return events.staff(request[request_keys.ACTOR].learner_id)


def _at(request: web.Request) -> datetime:
    return request[request_keys.ACTOR].at
