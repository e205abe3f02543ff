"""Calls about forecasts of coupons: trying terms on the orders of the last 90 days, and stopping that."""

from aiohttp import web

from domain.coupons import forecast_job
from domain.coupons.forecast_job import NewForecast
from domain.errors import InvalidInput
from domain.jobs import job_rows
from domain.permissions import Permission
from host.api.admin.actions import action
from host.api.admin.coupons import CouponCreated, CouponDiscount, discount_of
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

PATH = "/admin/coupons/forecasts"


class TriedCoupon(CouponDiscount):
    """Terms of a coupon that there need not be."""


@action(
    "admin/coupons/forecasts",
    TriedCoupon,
    "Try a coupon",
    "Try it on past orders",
    status=201,
    permission=Permission.COUPONS_WRITE,
    is_idempotent=True,
    reply=CouponCreated,
    text="The orders of the last 90 days are priced again as if everybody had had the coupon on the whole cart. No "
    "coupon is made, and nobody is shown.",
)
async def start_forecast(request: web.Request, body: TriedCoupon) -> CouponCreated:
    """Price the orders of the last 90 days again with a coupon of these terms, as a job whose id is answered."""
    actor, settings = request[request_keys.ACTOR], request.app[SETTINGS]
    draft = discount_of(body, settings.shop.currency)
    if draft.value <= 0 or (draft.kind == "percent" and draft.value > 100):
        raise InvalidInput({"value": "Take off something, and at most 100 %."})
    key = f"{actor.learner_id}:{request[request_keys.IDEMPOTENCY_KEY]}"
    new = NewForecast(draft, key, settings.report_k)
    db, start = request.app[DATABASE], forecast_job.start_as_staff
    job_id = await db.write_as(actor, start, new, actor.learner_id, actor.at)
    return CouponCreated(id=job_id, text="Past orders are being priced again.", href=f"{PATH}/{job_id}")


@action(
    "admin/coupons/forecasts/{id}/stop",
    EmptyRequest,
    "Stop",
    "Price no more orders",
    permission=Permission.COUPONS_WRITE,
)
async def stop_forecast(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Price no more orders again. What was counted so far stays."""
    job_id, actor, at = target(request)
    db = request.app[DATABASE]
    await db.read(forecast_job.forecast, job_id)
    stopped = await db.write_as(actor, job_rows.stop_as_staff, job_id, (forecast_job.KIND,), at)
    return StaffOutcome(text="No more orders are priced." if stopped else "It had ended before.")
