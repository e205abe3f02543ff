"""The calls by which owners buy seats in the name of their organisation."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import Field

from domain.checkout import first_seats, seat_purchase
from domain.checkout.first_seats import FirstSeats
from domain.checkout.placement import Placed
from domain.checkout.purchase import PurchaseTerms
from domain.checkout.seat_purchase import SeatForm
from domain.errors import InvalidInput
from domain.orders.settings import Context
from domain.permissions import Permission
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import StaffOutcome
from host.api.billing_address import BillingAddress, checkout_values
from host.api.fields import Strict
from host.app_keys import DATABASE, SETTINGS
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.checkout import order_terms, paying, placing, return_cookie
from host.content import POLICY
from host.http import request_keys
from host.rate_limits import policies
from host.site_state import SITE

PURPOSE = "seats"
WAYS = {
    "card": "By card, at once",
    "transfer": "By bank transfer",
}
Payment = Annotated[
    Literal["card", "transfer"],
    FormField("How to pay", hint="After a bank transfer the seats come when the money is here.", options=WAYS),
]
YesNo = Literal["yes", "no"]
ShowsNames = Annotated[
    YesNo,
    FormField(
        "Reports name members",
        hint="How far they are; each member is asked first. Everybody else is counted in groups.",
        options={"yes": "Yes, who agrees to it", "no": "No"},
    ),
]
JoiningGivesSeat = Annotated[
    YesNo,
    FormField(
        "Whoever joins by code or email domain gets a seat",
        options={"no": "No, we give the seats out", "yes": "Yes, while seats are free"},
    ),
]
Number = Annotated[str, Field(max_length=15, pattern="^[0-9]*$")]


class _Seats(Strict):
    """`key`: of the form, which makes a second press harmless. `unitMinor`: the price of a seat that it showed."""

    key: Annotated[str, Field(max_length=200), FormField("Form", "fixed")]
    unitMinor: Annotated[Number, FormField("Price of a seat", "fixed")]
    quantity: Annotated[str, Field(max_length=4, pattern="^[0-9]*$"), FormField("Seats")]


class Purchase(_Seats):
    """`terms`: the date of the accepted policy."""

    payment: Payment = "card"
    billing: BillingAddress = Field(default_factory=BillingAddress)
    terms: Annotated[str, Field(max_length=20), FormField("I have read the terms and agree", "checked")]

    @property
    def values(self) -> dict[str, str]:
        return checkout_values(self.billing)


class SeatPurchase(Purchase):
    """More seats of a contract."""

    contract: Annotated[Number, FormField("Contract", "fixed")]


class _FirstContract(_Seats):
    """`course`: a slug; a contract is made for it. `showsNames`: reports may name members who agree.
    `joiningGivesSeat`: whoever joins by code or email domain gets a seat."""

    course: Annotated[str, Field(max_length=191), FormField("Course", "fixed")]
    showsNames: ShowsNames
    joiningGivesSeat: JoiningGivesSeat


class FirstPurchase(Purchase, _FirstContract):
    """Seats of a course, with a contract of their own."""


@action(
    "organization/seats/buy",
    SeatPurchase,
    "More seats",
    "Order and pay",
    area="organisation",
    permission=Permission.PURCHASES_WRITE,
    refusals=(404, 429, 503),
    has_own_deadlines=True,
)
async def buy(request: web.Request, body: SeatPurchase) -> StaffOutcome:
    """Order seats of a contract at its seat price, and say where they are paid. The same form again gives the same
    order. 404 for the contract of another organisation, 422 by field."""
    form, tenant = await _form(request, body, _int(body.contract)), request[request_keys.ACTOR].tenant
    return await place_and_lead(
        request, lambda terms, context: (seat_purchase.place_recorded, tenant, form, terms, context)
    )


@action(
    "organization/seats/buy-first",
    FirstPurchase,
    "The first seats",
    "Order and pay",
    area="organisation",
    permission=Permission.PURCHASES_WRITE,
    refusals=(429, 503),
    has_own_deadlines=True,
)
async def buy_first(request: web.Request, body: FirstPurchase) -> StaffOutcome:
    """Order seats of a course at its price in the shop, with a contract that begins when they are paid. The same form
    again gives the same order. 403 while a contract runs that staff made."""
    form, tenant = await _form(request, body, 0), request[request_keys.ACTOR].tenant
    choices = body.showsNames == "yes", body.joiningGivesSeat == "yes"
    purchase = FirstSeats(form, body.course, *choices, request.app[SETTINGS].seat_term_days)
    return await place_and_lead(
        request, lambda terms, context: (first_seats.place_first_seats, tenant, purchase, terms, context)
    )


async def _form(request: web.Request, body: Purchase, contract_id: int) -> SeatForm:
    """The form of a person who may try once more, and who was given it. A bank transfer needs no gateway."""
    actor = request[request_keys.ACTOR]
    await policies.limit(request, *policies.CHECKOUTS)
    _require_own_key(request.app, actor.learner_id, body.key)
    by_transfer = body.payment == "transfer"
    if not by_transfer:
        paying.require_gateway(request.app)
    numbers = contract_id, _int(body.quantity), _int(body.unitMinor)
    return SeatForm(actor.learner_id, body.key, *numbers, body.values, body.terms, by_transfer)


async def place_and_lead(
    request: web.Request, work: Callable[[PurchaseTerms, Context], tuple[Any, ...]]
) -> StaffOutcome:
    """Write what `work` names, and lead to where the order is paid."""
    app, actor = request.app, request[request_keys.ACTOR]
    settings, policy = app[SETTINGS], app[SITE].state.content(POLICY)
    context = Context(datetime.now(UTC), order_terms.placing_settings(settings, policy))
    write, *values = work(order_terms.terms(settings, policy), context)
    placed = await app[DATABASE].write_as(actor, write, *values)
    if not isinstance(placed, Placed):
        raise seat_purchase.refusal_of(placed)
    result = await placing.after_placing(app, actor.learner_id, placed)
    return_cookie.add_to_call(request, result.code, actor.learner_id, datetime.now(UTC))
    return StaffOutcome(text="The order is placed.", href=result.redirect)


def _require_own_key(app: web.Application, learner_id: int, key: str) -> None:
    """Raises InvalidInput."""
    try:
        owner = app[FORM_KEYS].learner_of(PURPOSE, key, datetime.now(UTC))
    except InvalidFormKey:
        owner = None
    if owner != learner_id:
        raise InvalidInput({"key": "This form was open for too long. Load the page again."})


def _int(text: str) -> int:
    return int(text or "0")
