"""Calls about quotes of organisations: making one at a price that was agreed, and withdrawing one."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.permissions import Permission
from domain.quotes import asking, lapsing
from domain.quotes.asking import StaffQuote
from host.api.admin.actions import COURSES, FormField, RecordedReason, action
from host.api.admin.organisations.contracts import MAX_AUTH_AGE_S, Amount, OfOrganisation, amount_of, number_of
from host.api.admin.outcome import StaffOutcome, target
from host.api.billing_address import BillingAddress, checkout_values
from host.api.fields import Strict
from host.api.quote_terms import quote_context, quote_terms
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

PATH = "/admin/quotes"


class NewQuote(OfOrganisation):
    """`course`: a slug. `unitPrice`: of a seat, as agreed."""

    course: Annotated[
        str, Field(max_length=191), FormField("Course", "pick", hint="A part of its name.", source=COURSES)
    ]
    quantity: Annotated[str, Field(max_length=4), FormField("Seats")]
    unitPrice: Annotated[
        Amount, FormField("Price of a seat", hint="As agreed. Further seats of the contract cost the same.")
    ]
    termDays: Annotated[str, Field(max_length=4), FormField("Days from the payment on")]
    billing: BillingAddress = Field(default_factory=BillingAddress)


class QuoteEnd(Strict):
    """Why it ends."""

    reason: RecordedReason = ""


@action(
    "admin/quotes",
    NewQuote,
    "The quote",
    "Make quote",
    status=201,
    permission=Permission.CONTRACTS_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def make_quote(request: web.Request, body: NewQuote) -> StaffOutcome:
    """Quote seats of a course to an organisation, whose first owner gets it by mail. 403 without an owner."""
    app, actor = request.app, request[request_keys.ACTOR]
    settings, db = app[SETTINGS], app[DATABASE]
    wanted = StaffQuote(
        actor.learner_id,
        body.course,
        number_of("quantity", body.quantity),
        amount_of("unitPrice", body.unitPrice, settings.shop.currency),
        number_of("termDays", body.termDays),
        checkout_values(body.billing),
    )
    owner = await db.read(asking.first_owner, body.organisation)
    quote = await db.write_as(actor, asking.make, owner, wanted, quote_terms(app), quote_context(app))
    return StaffOutcome(text="The quote is made, and a mail is on its way.", href=f"{PATH}/{quote.id}")


@action(
    "admin/quotes/{id}/withdraw",
    QuoteEnd,
    "Withdraw the quote",
    "Withdraw",
    permission=Permission.CONTRACTS_WRITE,
    text="Nobody can accept it any more. The organisation sees that it was withdrawn; no mail says so.",
    is_dangerous=True,
    question="Nobody can accept this quote any more.",
)
async def withdraw_quote(request: web.Request, body: QuoteEnd) -> StaffOutcome:
    """Withdraw an open quote of any organisation. 403 for one that is not open."""
    quote_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, lapsing.withdraw, None, quote_id, at, body.reason)
    return StaffOutcome(text="The quote is withdrawn.")
