"""The contact form: as a call, and as a plain form for visitors without JavaScript."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from domain import contact
from domain.errors import InvalidInput, Unavailable
from host import keys, origins, pages
from host.addresses import visitor_address
from host.calls import call, read_body
from host.limits import Budget, TooMany
from host.loaders.content import contact as contact_page
from host.problems import Problem


class ContactMessage(BaseModel):
    """`website` is a trap: people do not see it."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=1000)
    email: str = Field(max_length=1000)
    subject: str = Field(max_length=1000)
    message: str = Field(max_length=20_000)
    website: str = Field("", max_length=1000)


class Sent(BaseModel):
    status: str


@call("contact", ContactMessage, Sent, status=202, refusals=(429, 503))
async def send_contact(request: web.Request, body: ContactMessage) -> Sent:
    """Send a message to the shop; a confirmation mail follows."""
    try:
        await keep(request, body.model_dump())
    except TooMany as error:
        text = contact.too_many(error.retry_after_s)
        raise Problem(429, text, headers={"Retry-After": str(error.retry_after_s)}) from None
    return Sent(status="sent")


async def keep(request: web.Request, values: dict[str, str]) -> None:
    """Store a message. Raises InvalidInput, TooMany or Unavailable; what fell into the trap is thanked and dropped."""
    checked = contact.checked(values)
    settings = request.app[keys.SETTINGS]
    budget = Budget(f"contact:a:{visitor_address(request)}", settings.contacts_per_address_hour, 3600)
    await request.app[keys.LIMITER].take(budget)
    if not values.get("website"):
        await request.app[keys.DATABASE].run(contact.store, checked, datetime.now(UTC))


async def form(request: web.Request) -> web.StreamResponse:
    """POST /contact without JavaScript: to the thanks, or the page again with what was typed and what to mend."""
    origins.check(request, required=True)
    if request.content_type != "application/x-www-form-urlencoded":
        raise Problem(415, "Send the form as it stands on the page.")
    await read_body(request)
    try:
        fields = await request.post()
    except (ValueError, LookupError):
        raise Problem(400, "The form is not written in the character set that it names.") from None
    values = {name: str(fields.get(name, "")) for name in (*contact.LENGTHS, "website")}
    try:
        await keep(request, values)
    except InvalidInput as error:
        return await _again(request, values, 422, error.errors)
    except TooMany as error:
        text = contact.too_many(error.retry_after_s)
        return await _again(request, values, 429, {"form": text}, {"Retry-After": str(error.retry_after_s)})
    except Unavailable as error:
        return await _again(request, values, 503, {"form": f"{error} Nothing you typed is lost."})
    raise web.HTTPSeeOther("/contact?sent=1")


async def _again(
    request: web.Request,
    values: Mapping[str, str],
    status: int,
    errors: Mapping[str, str],
    headers: Mapping[str, str] | None = None,
) -> web.StreamResponse:
    """The page again, with what was typed and what to mend."""
    asked = await pages.ask(request, "/contact")
    shown = {name: values[name] for name in contact.LENGTHS}
    made = contact_page(asked, shown, errors, sent=False, status=status)
    return await pages.document(request, replace(made, headers=headers or {}))
