"""Calls about the mails of the outbox."""

from aiohttp import web

from contracts.tasks import Topic
from domain.display_text import count_text
from domain.permissions import Permission
from domain.support import mails
from host.api.admin.outcome import StaffOutcome, target
from host.api.fields import EmptyRequest
from host.api.registry import call
from host.app_keys import DATABASE
from host.messaging.outbox_wake import OUTBOX_WAKER


@call(
    "admin/mail/{id}/send",
    EmptyRequest,
    StaffOutcome,
    area="admin",
    permission=Permission.MAIL_READ,
    is_body_optional=True,
)
async def send_again(request: web.Request, _body: EmptyRequest) -> StaffOutcome:
    """Send a mail again: one that failed itself, one that was sent as a copy. While it waits nothing is added."""
    number, actor, at = target(request)
    sent = await request.app[DATABASE].write_as(actor, mails.send_again, number, at)
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return StaffOutcome(text=f"Mail {count_text(sent)} waits to be sent.")
