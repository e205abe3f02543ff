"""Calls about batches of coupons: making one, stopping it, and taking its codes."""

from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.coupons import batch_job
from domain.coupons.batch_job import NewBatch
from domain.coupons.create import MAX_BATCH
from domain.jobs import job_rows
from domain.permissions import Permission
from host.api.admin.actions import FormField, action
from host.api.admin.coupons import FIELDS, CouponCreated, CouponTerms, author_of, cost_effects, draft_of
from host.api.admin.outcome import ActionPreview, StaffOutcome, target
from host.api.fields import WHOLE, EmptyRequest, Strict, named_as_sent
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

Key = Annotated[str, Field(min_length=16, max_length=100, pattern="^[!-~]+$")]


class _ManyCodes(Strict):
    number: Annotated[int, Field(ge=1, le=MAX_BATCH), WHOLE, FormField("How many codes", hint="Up to 10,000.")]
    prefix: Annotated[
        str,
        Field(max_length=32),
        FormField("They begin with", hint="Letters, digits and hyphens, such as SPRING; empty for nothing."),
    ] = ""


class NewCouponBatch(CouponTerms, _ManyCodes):
    """As many coupons of the same terms. `prefix`: with which each code begins."""


@action(
    "admin/coupons/batches",
    NewCouponBatch,
    "New batch",
    "Make the codes",
    status=201,
    permission=Permission.COUPONS_WRITE,
    is_idempotent=True,
    reply=CouponCreated,
)
async def create_batch(request: web.Request, body: NewCouponBatch) -> CouponCreated:
    """Make many coupons at once, as a job whose id is answered. 422 for more percent than this person may give."""
    actor = request[request_keys.ACTOR]
    draft = draft_of(body, request.app[SETTINGS].shop.currency)
    new = NewBatch(body.number, body.prefix, draft, f"{actor.learner_id}:{request[request_keys.IDEMPOTENCY_KEY]}")
    db, author = request.app[DATABASE], author_of(request)
    with named_as_sent(FIELDS):
        job_id = await db.write_as(actor, batch_job.start_as_staff, new, actor.learner_id, author, body.reason)
    return CouponCreated(id=job_id, text="The codes are being made.", href=f"/admin/coupons/batches/{job_id}")


@create_batch.preview("typed")
async def preview_batch(request: web.Request, body: NewCouponBatch) -> ActionPreview:
    """What the coupons would cost at most. Makes nothing."""
    return ActionPreview(effects=cost_effects(request, body, body.number))


class CodesRequest(Strict):
    """A request for the codes of a batch. Sent again with its `idempotencyKey`, it gets the codes again."""

    idempotencyKey: Key


class BatchCodes(BaseModel):
    """Letters, digits and hyphens; the first is no hyphen, so that no spreadsheet takes a code for a formula."""

    codes: list[str]


@call("admin/coupons/batches/{id}/take", CodesRequest, BatchCodes, permission=Permission.COUPONS_WRITE)
async def take_batch(request: web.Request, body: CodesRequest) -> BatchCodes:
    """Give out all codes of a batch, once. 403 when they were taken before, or are not all made."""
    job_id, actor, at = target(request)
    key = f"{actor.learner_id}:{body.idempotencyKey}"
    return BatchCodes(codes=await request.app[DATABASE].write_as(actor, batch_job.take_codes, job_id, key, at))


@action(
    "admin/coupons/batches/{id}/stop",
    EmptyRequest,
    "Stop",
    "Make no more",
    question="The codes that were made stay.",
    is_dangerous=True,
    permission=Permission.COUPONS_WRITE,
)
async def stop_batch(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Make no more codes of a batch. Those that were made stay."""
    job_id, actor, at = target(request)
    db = request.app[DATABASE]
    await db.read(batch_job.batch, job_id)
    stopped = await db.write_as(actor, job_rows.stop_as_staff, job_id, (batch_job.KIND,), at)
    return StaffOutcome(text="No more codes are made." if stopped else "It had ended before.")
