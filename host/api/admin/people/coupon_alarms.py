"""Calls about alarms that a code became public: what staff do about it."""

from aiohttp import web

from domain.coupons.leaks import alarms
from domain.coupons.leaks.alarms import AlarmDecision
from domain.permissions import Permission
from host.api.admin.coupons import author_of
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE

DECIDED = "Somebody has decided about it already."


class AlarmReason(Strict):
    reason: Reason


@call("admin/coupons/alarms/{id}/pause", AlarmReason, StaffOutcome, area="admin", permission=Permission.COUPONS_WRITE)
async def pause_code(request: web.Request, body: AlarmReason) -> StaffOutcome:
    """Pause the code of an alarm: nobody can use it until it is resumed."""
    db, decision = request.app[DATABASE], _decision(request, body)
    paused = await db.write_as(target(request)[1], alarms.pause, decision)
    return StaffOutcome(text="The code is paused." if paused else DECIDED)


@call("admin/coupons/alarms/{id}/replace", AlarmReason, StaffOutcome, area="admin", permission=Permission.COUPONS_WRITE)
async def replace_code(request: web.Request, body: AlarmReason) -> StaffOutcome:
    """End the code of an alarm, and create another with its terms and what is left of its limit."""
    db, decision = request.app[DATABASE], _decision(request, body)
    code = await db.write_as(target(request)[1], alarms.replace, decision)
    return StaffOutcome(text=f"The code has ended. The new one is {code}." if code else DECIDED)


@call("admin/coupons/alarms/{id}/dismiss", AlarmReason, StaffOutcome, area="admin", permission=Permission.COUPONS_WRITE)
async def dismiss_alarm(request: web.Request, body: AlarmReason) -> StaffOutcome:
    """Say that an alarm is none. It is not raised again for a day."""
    db, decision = request.app[DATABASE], _decision(request, body)
    dismissed = await db.write_as(target(request)[1], alarms.dismiss, decision)
    return StaffOutcome(text="The alarm is dismissed." if dismissed else DECIDED)


def _decision(request: web.Request, body: AlarmReason) -> AlarmDecision:
    alarm_id, actor, _ = target(request)
    return AlarmDecision(alarm_id, actor.learner_id, author_of(request), body.reason)
