"""The calls by which owners ask for quotes, accept and withdraw them in the name of their organisation."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.permissions import Permission
from domain.quotes import accepting, asking, lapsing, quote_views
from domain.quotes.accepting import Acceptance
from domain.quotes.asking import QuoteForm
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome, target
from host.api.billing_address import BillingAddress, PurchaseOrder, checkout_values
from host.api.fields import Strict
from host.api.quote_terms import quote_context, quote_terms
from host.app_keys import DATABASE
from host.checkout import paying
from host.checkout.seats.api import JoiningGivesSeat, Number, Payment, ShowsNames, place_and_lead
from host.http import request_keys
from host.rate_limits import policies

PATH = "/organization/quotes"


class QuoteRequest(Strict):
    """Seats of a course, or of a contract: one of both is named."""

    course: Annotated[str, Field(max_length=191), FormField("Course", "fixed")] = ""
    contract: Annotated[Number, FormField("Contract", "fixed")] = ""
    quantity: Annotated[str, Field(max_length=4, pattern="^[0-9]*$"), FormField("Seats")]
    billing: BillingAddress = Field(default_factory=BillingAddress)


class QuoteAcceptance(Strict):
    """`totalMinor`: the total that the form showed. `terms`: the date of the accepted policy. `showsNames` and
    `joiningGivesSeat`: of the contract that comes with first seats."""

    totalMinor: Annotated[Number, FormField("Total", "fixed")]
    payment: Payment = "card"
    purchaseOrder: PurchaseOrder = ""
    showsNames: ShowsNames = "no"
    joiningGivesSeat: JoiningGivesSeat = "no"
    terms: Annotated[str, Field(max_length=20), FormField("I have read the terms and agree", "checked")]


class QuoteWithdrawal(Strict):
    """A withdrawal needs no words."""


@action(
    "organization/quotes",
    QuoteRequest,
    "A quote",
    "Get a quote",
    status=201,
    area="organisation",
    permission=Permission.PURCHASES_WRITE,
    refusals=(404, 429),
)
async def ask(request: web.Request, body: QuoteRequest) -> StaffOutcome:
    """Freeze the price of seats for some days. 404 for the contract of another organisation, 422 by field, 403 with too
    many open quotes."""
    actor = request[request_keys.ACTOR]
    await policies.limit(request, "quotes_per_learner_hour")
    values = checkout_values(body.billing)
    form = QuoteForm(actor.learner_id, int(body.quantity or "0"), values, body.course, int(body.contract or "0"))
    terms, context = quote_terms(request.app), quote_context(request.app)
    quote = await request.app[DATABASE].write_as(actor, asking.ask, actor.tenant, form, terms, context)
    return StaffOutcome(text="The quote is made, and a mail is on its way.", href=f"{PATH}/{quote.id}")


@action(
    "organization/quotes/{id}/accept",
    QuoteAcceptance,
    "Accept the quote",
    "Accept and pay",
    area="organisation",
    permission=Permission.PURCHASES_WRITE,
    refusals=(429, 503),
    has_own_deadlines=True,
)
async def accept(request: web.Request, body: QuoteAcceptance) -> StaffOutcome:
    """Order what a quote is about, at its price, and say where it is paid. Again, it is the same order. 403 for a quote
    that is not open, and for a total that is another one by now."""
    quote_id, actor, _ = target(request)
    await policies.limit(request, *policies.CHECKOUTS)
    await request.app[DATABASE].read(quote_views.require_quote, actor.tenant, quote_id)
    by_transfer = body.payment == "transfer"
    if not by_transfer:
        paying.require_gateway(request.app)
    acceptance = Acceptance(
        actor.learner_id,
        quote_id,
        int(body.totalMinor or "0"),
        body.terms,
        body.purchaseOrder,
        body.showsNames == "yes",
        body.joiningGivesSeat == "yes",
        by_transfer,
    )
    return await place_and_lead(
        request, lambda terms, context: (accepting.accept, actor.tenant, acceptance, terms, context)
    )


@action(
    "organization/quotes/{id}/withdraw",
    QuoteWithdrawal,
    "Withdraw the quote",
    "Withdraw",
    area="organisation",
    permission=Permission.PURCHASES_WRITE,
    text="If you do not need it. Nobody can accept it any more.",
    question="Nobody can accept this quote any more, and you would have to ask for another one.",
    is_dangerous=True,
)
async def withdraw(request: web.Request, _body: QuoteWithdrawal) -> StaffOutcome:
    """Withdraw an open quote of the organisation. 403 for one that is not open."""
    quote_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, lapsing.withdraw, actor.tenant, quote_id, at)
    return StaffOutcome(text="The quote is withdrawn.")
