"""The call that decides what the page of a retired course or item answers."""

from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from domain.permissions import Permission
from domain.publishing.editing.stored_course import Edit, NewerVersion
from domain.publishing.retirement import decisions
from domain.publishing.retirement.decisions import RetirementDecision
from host.api.admin.actions import FormField, action
from host.api.admin.courses import product_conflict
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import SAFE, WHOLE, Strict
from host.app_keys import DATABASE

_DONE = {
    "auto": "The rule decides again what its page answers.",
    "landing": "Its page stays.",
    "redirect": "Its page redirects to its successor.",
    "gone": "Its page answers that it is gone.",
}


class PageDecision(Strict):
    """`successor`: the slug of another published product, null: it stays. `reason`: for the record, "" for auto."""

    version: Annotated[int, Field(ge=0, le=SAFE), WHOLE]
    choice: Annotated[Literal["auto", "landing", "redirect", "gone"], FormField("Answer", "fixed")]
    successor: Annotated[Annotated[str, Field(max_length=191)] | None, FormField("Successor", is_required=True)] = None
    reason: Annotated[Reason, FormField("Reason", hint="It is recorded for good.", is_required=True)] = ""


@action(
    "admin/retired/{id}/decide",
    PageDecision,
    "What its page answers",
    "Decide",
    permission=Permission.CATALOGUE_PUBLISH,
    refusals=(409,),
)
async def decide_page(request: web.Request, body: PageDecision) -> StaffOutcome:
    """Decide what the page of a retired course or item answers. 403 for what is not retired and for the landing page of
    an item, 409 when somebody has changed it since `version`."""
    product_id, actor, _ = target(request)
    decision = RetirementDecision(body.choice, body.reason, body.successor)
    edit = Edit(actor, product_id, body.version)
    try:
        await request.app[DATABASE].write_as(actor, decisions.decide, edit, decision)
    except NewerVersion:
        raise await product_conflict(request, product_id, decisions.stored_decision) from None
    return StaffOutcome(text=_DONE[body.choice])
