"""Calls about alarms that a code became public: what staff do about it."""

from aiohttp import web

from domain.coupons.leaks import alarms
from domain.coupons.leaks.alarms import AlarmDecision
from domain.permissions import Permission
from host.api.admin.actions import RecordedReason, action
from host.api.admin.coupons import author_of
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import Strict
from host.app_keys import DATABASE

DECIDED = "Somebody has decided about it already."


class AlarmReason(Strict):
    reason: RecordedReason


@action(
    "admin/coupons/alarms/{id}/pause",
    AlarmReason,
    "Pause the code",
    "Pause code",
    text="Nobody can use it until you put it into use again. What was ordered with it stays.",
    permission=Permission.COUPONS_WRITE,
)
async def pause_code(request: web.Request, body: AlarmReason) -> StaffOutcome:
    """Pause the code of an alarm: nobody can use it until it is resumed."""
    db, decision = request.app[DATABASE], _decision(request, body)
    paused = await db.write_as(target(request)[1], alarms.pause, decision)
    return StaffOutcome(text="The code is paused." if paused else DECIDED)


@action(
    "admin/coupons/alarms/{id}/replace",
    AlarmReason,
    "Replace it by a new code",
    "Replace code",
    text="The old one ends; the new one has its terms and what is left of its limit.",
    question="Nobody can use the old code any more. You give the new one to those it is meant for.",
    is_dangerous=True,
    permission=Permission.COUPONS_WRITE,
)
async def replace_code(request: web.Request, body: AlarmReason) -> StaffOutcome:
    """End the code of an alarm, and create another with its terms and what is left of its limit."""
    db, decision = request.app[DATABASE], _decision(request, body)
    code = await db.write_as(target(request)[1], alarms.replace, decision)
    return StaffOutcome(text=f"The code has ended. The new one is {code}." if code else DECIDED)


@action(
    "admin/coupons/alarms/{id}/dismiss",
    AlarmReason,
    "Dismiss the alarm",
    "Dismiss",
    text="The visitors are expected, for example after a newsletter. It is not raised again for a day.",
    permission=Permission.COUPONS_WRITE,
)
async def dismiss_alarm(request: web.Request, body: AlarmReason) -> StaffOutcome:
    """Say that an alarm is none. It is not raised again for a day."""
    db, decision = request.app[DATABASE], _decision(request, body)
    dismissed = await db.write_as(target(request)[1], alarms.dismiss, decision)
    return StaffOutcome(text="The alarm is dismissed." if dismissed else DECIDED)


def _decision(request: web.Request, body: AlarmReason) -> AlarmDecision:
    alarm_id, actor, _ = target(request)
    return AlarmDecision(alarm_id, actor.learner_id, author_of(request), body.reason)
