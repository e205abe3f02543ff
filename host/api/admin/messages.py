"""Calls about messages of visitors."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from contracts.tasks import Topic
from domain.permissions import Permission
from domain.support import messages
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest, Strict
from host.app_keys import DATABASE
from host.messaging.outbox_wake import OUTBOX_WAKER

WRITE = Permission.MESSAGES_WRITE


class MessageAnswer(Strict):
    text: Annotated[str, Field(max_length=messages.MAX_REPLY), FormField("Answer", "text")]


@action("admin/messages/{id}/answer", MessageAnswer, "Answer by mail", "Send answer", permission=WRITE)
async def answer(request: web.Request, body: MessageAnswer) -> StaffOutcome:
    """Answer a message by mail. The text of the newest answer once more sends nothing."""
    number, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, messages.answer, number, body.text, actor.learner_id, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text="The answer is on its way.")


@action(
    "admin/messages/{id}/close",
    EmptyRequest,
    "Close",
    "Close",
    text="Nothing more is to be done for it.",
    permission=WRITE,
)
async def close(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Nothing more is to be done for a message."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, messages.close, number)
    return StaffOutcome(text="The message is closed.")


@action(
    "admin/messages/{id}/reopen",
    EmptyRequest,
    "Reopen",
    "Reopen",
    text="It waits for an answer again.",
    permission=WRITE,
)
async def reopen(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """A message waits for an answer again."""
    number, actor, _ = target(request)
    await request.app[DATABASE].write_as(actor, messages.reopen, number)
    return StaffOutcome(text="The message waits for an answer again.")
