"""The contact form as a call; host/forms/contact.py serves the form to visitors without JavaScript."""

from datetime import UTC, datetime

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from contracts.tasks import Topic
from domain import contact
from host.api.registry import call
from host.app_keys import DATABASE
from host.http.problems import Problem, RateLimited
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies


class ContactMessage(BaseModel):
    """`website` is a honeypot for spam: people do not see the field."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=1000)
    email: str = Field(max_length=1000)
    subject: str = Field(max_length=1000)
    message: str = Field(max_length=20_000)
    website: str = Field("", max_length=1000)


class ContactSent(BaseModel):
    status: str


@call("contact", ContactMessage, ContactSent, caller="anyone", status=202, refusals=(429, 503))
async def send_contact(request: web.Request, body: ContactMessage) -> ContactSent:
    """Send a message to the shop; the sender receives a confirmation mail."""
    try:
        await store_message(request, body.model_dump())
    except RateLimited as error:
        text = contact.limit_exceeded(error.retry_after_s)
        raise Problem(429, text, headers={"Retry-After": str(error.retry_after_s)}) from None
    return ContactSent(status="sent")


async def store_message(request: web.Request, values: dict[str, str]) -> None:
    """Store a message. Raises InvalidInput, RateLimited or ServiceUnavailable. A message with the honeypot field
    filled in is dropped without an error."""
    checked = contact.validate(values)
    await policies.limit(request, "contacts_per_address_hour")
    if not values.get("website"):
        await request.app[DATABASE].write(contact.store_message, checked, datetime.now(UTC))
        request.app[OUTBOX_WAKER].wake(Topic.MAIL)
