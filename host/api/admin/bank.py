"""Calls about the shop's bank account: statements that are checked and booked as jobs, and what staff decide about
entries that no rule could book."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.errors import Refused
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.payments.transfers import decisions
from domain.payments.transfers.decisions import Assignment
from domain.payments.transfers.job import KIND, StatementInput
from domain.permissions import Permission
from domain.uploads import upload_rows
from host.api.admin.actions import FormField, action
from host.api.admin.orders import authority_of, context_of
from host.api.admin.outcome import ActionPreview, StaffOutcome, target
from host.api.fields import EmptyRequest, Id, Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys
from host.jobs.statement_status import StatementStatus, statement_status
from host.messaging.outbox_wake import OUTBOX_WAKER

WRITE = Permission.PAYMENTS_WRITE
Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]
Words = Annotated[str, Field(min_length=1, max_length=decisions.MAX_WORDS)]
OUTCOMES = {
    "settled": "The order is paid.",
    "more": "The order is paid. What is left of the money has to be given back.",
    "part": "The money counts for the order, which waits for the rest. Its buyer is told.",
}


class StatementRequest(Strict):
    """`isCheck`: nothing is booked. The same `idempotencyKey` starts nothing again."""

    uploadId: Id
    isCheck: bool
    idempotencyKey: Key


@call("admin/bank-statements", StatementRequest, StatementStatus, status=201, permission=WRITE, refusals=(404,))
async def start_statement(request: web.Request, body: StatementRequest) -> StatementStatus:
    """Check an uploaded statement, or book its entries. 403 while the file is not complete, 404 for that of somebody
    else."""
    actor, at, db = request[request_keys.ACTOR], datetime.now(UTC), request.app[DATABASE]
    upload = await db.read(upload_rows.own_upload, body.uploadId, actor.learner_id, at)
    if upload.purpose != "statement" or not upload.is_complete:
        raise Refused("This file is not complete.")
    about = StatementInput(upload.id, upload.name, body.isCheck)
    new = NewJob(KIND, about.as_json(), f"{actor.learner_id}:{body.idempotencyKey}", actor.learner_id)
    return await _status(request, await db.write_as(actor, job_rows.start_as_staff, new, at))


@call("admin/bank-statements/{id}/stop", EmptyRequest, StatementStatus, permission=WRITE)
async def stop_statement(request: web.Request, _body: EmptyRequest) -> StatementStatus:
    """End a check, or the booking of a statement: what was booked stays."""
    job_id, actor = request[request_keys.PATH_ID], request[request_keys.ACTOR]
    await request.app[DATABASE].write_as(actor, job_rows.stop_as_staff, job_id, [KIND], datetime.now(UTC))
    return await _status(request, job_id)


async def _status(request: web.Request, job_id: int) -> StatementStatus:
    """Raises NotFound."""
    view = await request.app[DATABASE].read(job_rows.job_view, job_id, [KIND])
    return statement_status(view, datetime.now(UTC), request.app[SETTINGS].locale)


class EntryAssignment(Strict):
    """`order`: the code of the order that the money is for."""

    order: Annotated[str, Field(min_length=1, max_length=40), FormField("Order", hint="Its code.")]
    reason: Annotated[Words, FormField("How we know", hint="It is recorded for good. Name nobody in it.")]


class EntryReturn(Strict):
    """`reason`: how it was given back."""

    reason: Annotated[
        Words, FormField("How it was given back", hint="Such as the number of the transfer. It is recorded for good.")
    ]


class EntryIgnored(Strict):
    reason: Annotated[Words, FormField("Why", hint="It is recorded for good. Name nobody in it.")]


@action(
    "admin/bank-entries/{id}/assign",
    EntryAssignment,
    "It is for an order",
    "Book it for the order",
    permission=WRITE,
    refusals=(409,),
    text="The order is paid with the money, as if its reference had been there.",
)
async def assign_entry(request: web.Request, body: EntryAssignment) -> StaffOutcome:
    """Take the money of an entry for an order. 403 for somebody's own order, 409 once somebody has decided, 422 for an
    order that it cannot pay."""
    entry_id, actor, _ = target(request)
    wanted = Assignment(entry_id, body.order, body.reason)
    about = (wanted, authority_of(request), context_of(request))
    outcome = await request.app[DATABASE].write_as(actor, decisions.assign, *about)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text=OUTCOMES[outcome])


@assign_entry.preview("confirmed")
async def preview_assignment(request: web.Request, body: EntryAssignment) -> ActionPreview:
    """What the money does for the order. Stores nothing."""
    entry_id, _, _ = target(request)
    read = request.app[DATABASE].read
    return ActionPreview(effects=await read(decisions.preview, entry_id, body.order, context_of(request)))


@action(
    "admin/bank-entries/{id}/return",
    EntryReturn,
    "It was given back",
    "Mark as given back",
    permission=WRITE,
    refusals=(409,),
    question="The money, or what is left of it, counts as given back. This cannot be undone.",
)
async def return_entry(request: web.Request, body: EntryReturn) -> StaffOutcome:
    """Note that the money of an entry was transferred back. 409 once somebody has decided."""
    entry_id, actor, _ = target(request)
    about = (entry_id, body.reason, authority_of(request), context_of(request))
    await request.app[DATABASE].write_as(actor, decisions.note_returned, *about)
    return StaffOutcome(text="It is noted that the money was given back.")


@action(
    "admin/bank-entries/{id}/ignore",
    EntryIgnored,
    "Set it aside",
    "Set it aside",
    permission=WRITE,
    refusals=(409,),
    text="It has nothing to do with an order, or was dealt with elsewhere.",
)
async def ignore_entry(request: web.Request, body: EntryIgnored) -> StaffOutcome:
    """Nobody has to decide about an entry any more. 409 once somebody has."""
    entry_id, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, decisions.ignore, entry_id, body.reason, context_of(request))
    return StaffOutcome(text="The entry is set aside.")
