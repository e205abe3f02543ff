"""The mail of a gift once more, from the page of the order that it was bought with."""

from datetime import UTC, datetime

from aiohttp import web

from contracts.tasks import Topic
from domain.identity.sessions import AuthSession
from domain.learning.gifts import sending as gift_sending
from domain.typed_values import is_number
from host.api.cart_schemas import OutcomeSchema
from host.api.fields import EmptyRequest
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

MAX_DIGITS = 6


@call(
    "orders/{code}/gifts/{number}/mail",
    EmptyRequest,
    OutcomeSchema,
    caller="learner",
    refusals=(429,),
    has_text_ids=True,
)
async def send_gift_mail(request: web.Request, _body: EmptyRequest) -> OutcomeSchema:
    """Send the mail of a gift once more, with the same link. `number`: of the order's line. 404 for what is no gift of
    the learner's; 403 with the reason before its first mail, and after it was accepted or taken back."""
    ids = request[request_keys.PATH_IDS]
    to = await send_again(request, request[request_keys.AUTH_SESSION], ids["code"], ids["number"])
    return OutcomeSchema(status="success", message=sent_text(to))


async def send_again(request: web.Request, auth: AuthSession, code: str, number: str) -> str:
    """The address to which the mail goes. `number`: of the line, as it came. Raises NotFound, Refused and
    RateLimited."""
    await policies.limit(request, "gift_mails_per_learner_day", learner=auth)
    line = int(number) if is_number(number, MAX_DIGITS) else 0
    to = await request.app[DATABASE].write(gift_sending.send_again, auth.learner_id, code, line, datetime.now(UTC))
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return to


def sent_text(to: str) -> str:
    return f"We have written to {to} again."
