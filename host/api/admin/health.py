"""The call with which staff record that a copy of the shop was restored."""

from typing import Annotated

from aiohttp import web

from domain.errors import InvalidInput
from domain.health import upkeep
from domain.permissions import Permission
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import Reason, StaffOutcome
from host.api.fields import Strict
from host.app_keys import DATABASE
from host.http import request_keys


class RestoreTest(Strict):
    reason: Annotated[Reason, FormField("What was restored", hint="Which copy, where, and what was looked at.")]


@action(
    "admin/health/restore",
    RestoreTest,
    "Record a tested restore",
    "Record it",
    text="A copy that nobody has restored may be none. docs/operations.md says how, under Backups.",
    permission=Permission.AUDIT_READ,
)
async def record_restore(request: web.Request, body: RestoreTest) -> StaffOutcome:
    """Record that a copy was restored and looked at, today."""
    if not body.reason.strip():
        raise InvalidInput({"reason": "Say what was restored, and what was looked at."})
    actor = request[request_keys.ACTOR]
    await request.app[DATABASE].write_as(actor, upkeep.record_restore, actor, body.reason.strip())
    return StaffOutcome(text="The tested restore is recorded.")
