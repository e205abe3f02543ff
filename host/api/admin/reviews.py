"""Calls about reviews of courses."""

from typing import Annotated

from aiohttp import web

from contracts.tasks import Topic
from domain.permissions import Permission
from domain.support import moderation
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.app_keys import DATABASE
from host.messaging.outbox_wake import OUTBOX_WAKER


class ReviewHiding(Strict):
    reason: Annotated[Reason, FormField("Reason", hint="Its author reads it.")]


@action("admin/reviews/{id}/publish", EmptyRequest, "Show it", "Show review", permission=Permission.REVIEWS_MODERATE)
async def publish(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Show a review and settle its reports. The author is told by mail when it was not shown before."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, moderation.publish, number, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The review is shown.")


@action(
    "admin/reviews/{id}/hide",
    ReviewHiding,
    "Hide it",
    "Hide review",
    question="It is not shown any more, and its stars do not count. Its author gets the reason by mail.",
    is_dangerous=True,
    permission=Permission.REVIEWS_MODERATE,
)
async def hide(request: web.Request, body: ReviewHiding) -> StaffOutcome:
    """Show a review no more. Its author gets the reason by mail."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, moderation.hide, number, body.reason, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The review is hidden.")
