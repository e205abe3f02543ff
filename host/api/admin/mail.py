"""Calls about the mails of the outbox."""

from aiohttp import web

from contracts.tasks import Topic
from domain.display_text import count_text
from domain.permissions import Permission
from domain.support import mails
from host.api.admin.actions import action
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest
from host.app_keys import DATABASE
from host.messaging.outbox_wake import OUTBOX_WAKER


@action("admin/mail/{id}/send", EmptyRequest, "Send again", "Send again", permission=Permission.MAIL_READ)
async def send_again(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Send a mail again: one that failed itself, one that was sent as a copy. While it waits nothing is added."""
    number, actor, at = target(request)
    sent = await request.app[DATABASE].write_as(actor, mails.send_again, number, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text=f"Mail {count_text(sent)} waits to be sent.")
