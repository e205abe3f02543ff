"""Calls about the seats of the session's organisation."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.permissions import Permission
from domain.seats import managing
from domain.seats.managing import SeatOrder
from domain.seats.seat_rows import UNKNOWN_CONTRACT, Cause
from domain.typed_values import is_number
from host.api.admin.actions import MEMBERS, FormField, action
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem
from host.messaging.outbox_wake import OUTBOX_WAKER


class SeatAssignment(Strict):
    """`contract`: its number, as the form's choice sends it. `course`: a slug, "" for a seat of a person alone."""

    contract: Annotated[str, Field(max_length=20), FormField("Contract", "choice")]
    email: Annotated[
        str,
        Field(max_length=254),
        FormField("Member", "pick", hint="A part of the name, or the email address.", source=MEMBERS),
    ]
    course: Annotated[str, Field(max_length=191), FormField("Course", "choice")] = ""


class SeatReason(Strict):
    reason: Annotated[Reason, FormField("Reason", hint="The member reads it.")]


@action(
    "organization/seats/assign",
    SeatAssignment,
    "Assign a seat",
    "Assign seat",
    text="They get a mail. Whoever has the course already needs no seat.",
    permission=Permission.SEATS_WRITE,
    refusals=(404, 429, 503),
)
async def assign(request: web.Request, body: SeatAssignment) -> StaffOutcome:
    """Give a member a seat of a contract. 403 when none is free; 404 for the contract of another organisation."""
    actor = request[request_keys.ACTOR]
    order = SeatOrder(_number(body.contract), body.email, body.course)
    cause = Cause(actor.at, actor.learner_id)
    text = await request.app[DATABASE].write_as(actor, managing.assign_to_member, actor.tenant, order, cause)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text=text)


@action(
    "organization/seats/{id}/remind",
    EmptyRequest,
    "Remind the holder",
    "Send reminder",
    text="By mail, at most once in seven days.",
    permission=Permission.SEATS_WRITE,
)
async def remind(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Mail the holder of a seat, at most once in seven days."""
    seat_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, managing.remind, actor.tenant, seat_id, Cause(at, actor.learner_id))
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="A reminder is on its way.")


@action(
    "organization/seats/{id}/reclaim",
    SeatReason,
    "Take the seat back",
    "Take back",
    question="The member loses access now. Their progress, notes and certificates stay theirs.",
    is_dangerous=True,
    permission=Permission.SEATS_WRITE,
)
async def reclaim(request: web.Request, body: SeatReason) -> StaffOutcome:
    """Take a seat back, for a reason that its holder reads. Whoever waits gets it."""
    seat_id, actor, at = target(request)
    cause = Cause(at, actor.learner_id, " ".join(body.reason.split()))
    await request.app[DATABASE].write_as(actor, managing.reclaim, actor.tenant, seat_id, cause)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The seat is taken back, and its holder is told by mail.")


def _number(text: str) -> int:
    """Raises Problem for what is no number, as for the number of no contract."""
    if not is_number(text):
        raise Problem(404, UNKNOWN_CONTRACT)
    return int(text)
