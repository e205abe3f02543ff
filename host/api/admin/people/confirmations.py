"""Calls about grave changes that wait for another administrator: they are refused, and withdrawn. What is confirmed may
end sessions at the provider: host/identity/account/by_staff.py."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.display_text import moment_text
from domain.permissions import Permission
from domain.staff import confirmations
from domain.staff.confirmations import Waiting
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.app_keys import DATABASE

PATH = "/admin/confirmations"
# The oldest sign-in for a decision.
MAX_AUTH_AGE_S = 600
# Before a change is asked for.
CONFIRMED_FIRST = "Another administrator has to confirm it, where there is one. Until then nothing changes."


class RefuseChange(Strict):
    answer: Annotated[
        str,
        Field(max_length=confirmations.MAX_REASON),
        FormField("Why not", "text", hint="Whoever asked for it reads it, and it is recorded for good.", rows=3),
    ]


@action(
    "admin/confirmations/{id}/refuse",
    RefuseChange,
    "Refuse it",
    "Refuse",
    permission=Permission.STAFF_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
    refusals=(409,),
)
async def refuse(request: web.Request, body: RefuseChange) -> StaffOutcome:
    """Refuse what another administrator has asked for. 403 for their own, 409 when it no longer waits."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, confirmations.refuse, number, body.answer, actor)
    return StaffOutcome(text="It is refused. Nothing has changed.")


@action(
    "admin/confirmations/{id}/withdraw",
    EmptyRequest,
    "Withdraw it",
    "Withdraw",
    text="Nothing changes, and nobody has to decide about it any more.",
    permission=Permission.STAFF_WRITE,
    refusals=(409,),
)
async def withdraw(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """No longer ask for it. 403 for what somebody else has asked for, 409 when it no longer waits."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, confirmations.withdraw, number, actor)
    return StaffOutcome(text="It is withdrawn. Nothing has changed.")


def waiting_outcome(asked: Waiting) -> StaffOutcome:
    """What is said to whoever has asked, with the page on which it waits."""
    until = moment_text(asked.until)
    text = f"It waits for another administrator until {until}. They are told by mail."
    return StaffOutcome(text=text, href=f"{PATH}/{asked.number}")
