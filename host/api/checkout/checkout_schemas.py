"""JSON models of the checkout (docs/contracts.md, "calls"): all that its page shows, and what placing an order says.

Amounts are in minor units of `totals.currency`. The call, the props of React and the plain form use the same models.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, RootModel

from host.api.cart_schemas import ProductFacts, RefusalSchema, RejectedOfferSchema, StepSchema
from host.api.checkout.address_form import OptionSchema
from host.api.fields import WHOLE, Strict

MAX_AMOUNT = 10**15 - 1
MAX_FIELDS = 400
Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT), WHOLE]


class GiftSchema(BaseModel):
    """`sendAt`: ISO 8601 date on which the recipient is told, "" for as soon as it is paid."""

    recipientEmail: str
    message: str
    sendAt: str


class CheckoutLineSchema(ProductFacts):
    """A line of the cart, priced. `listMinor`, `unitMinor`: of one unit, before and after its offers (the cart's coupon
    apart). `offeredMinor`: of the line after all offers, before any step of tax: what the form shows beside it.
    `totalMinor`: with what its tax adds. `steps`: from the list price to `offeredMinor`. `refusedOffers`: offers on
    this line that do not hold, with the reason. `refusal`: why the line cannot be bought, null when it can.
    `canBeGift`: the forms have a group for it."""

    quantity: int
    listMinor: int
    lowestBefore: int | None
    unitMinor: int
    offeredMinor: int
    taxMinor: int
    totalMinor: int
    steps: list[StepSchema]
    rejectedOffers: list[RejectedOfferSchema]
    refusedOffers: list[RefusalSchema]
    refusal: str | None
    gift: GiftSchema | None
    canBeGift: bool


class CheckoutFieldSchema(BaseModel):
    """`name`: of the field in the form, in `values` and in errors, such as billing.postal_code. `kind` country: one of
    `Checkout.countries`; lines: a text of `lines` lines; radio and select: one of `options`; checkbox: its value is
    "yes" when it is ticked. `value`: what was typed, right or wrong, "" for nothing. `error`: what to do about the
    value, null for nothing. `warning`: what may be wrong with it and is taken all the same, null for nothing.
    `autocomplete`: tokens of the HTML attribute. `changesForm`: another value may need other fields or prices.
    `follows`: of a select in which nothing is chosen, the option that counts until something is, as no other suits the
    postal code; "" for none."""

    name: str
    label: str
    kind: Literal["text", "email", "date", "lines", "select", "country", "radio", "checkbox"]
    value: str
    required: bool
    options: list[OptionSchema]
    autocomplete: str
    lines: int
    example: str
    follows: str
    error: str | None
    warning: str | None
    changesForm: bool


class CheckoutGroupSchema(BaseModel):
    """Fields under one legend. `productId`: of the line that a group `gift` is about."""

    group: Literal["buyer", "delivery", "billing", "withdrawal", "gift"]
    legend: str
    productId: int | None
    fields: list[CheckoutFieldSchema]


class CheckoutServiceSchema(BaseModel):
    """A delivery service. `listMinor`: what it costs below `freeFromMinor` (null: it is never free). `days`: such as "2
    to 4 working days"."""

    name: str
    label: str
    priceMinor: int
    listMinor: int
    freeFromMinor: int | None
    days: str
    isChosen: bool


class CheckoutTaxSchema(BaseModel):
    """All lines of one rate. `percent`: decimal text such as 9.975; `baseMinor`: what it is computed from."""

    label: str
    percent: str
    baseMinor: int
    taxMinor: int


class CheckoutTotalsSchema(BaseModel):
    """subtotal - discount + delivery + tax (exclusive prices) - removedTax (inclusive prices where none is due) is the
    total. With inclusive prices the tax is inside the total. `place`: where the order is taxed, such as CA-QC.
    `missingArea`: the label of the field without which the tax is not known, such as State; "" when it is."""

    subtotalMinor: int
    discountMinor: int
    deliveryMinor: int
    taxMinor: int
    removedTaxMinor: int
    totalMinor: int
    currency: str
    priceMode: Literal["inclusive", "exclusive"]
    taxKind: Literal["standard", "reverse_charge", "none"]
    place: str
    missingArea: str


class SeenSchema(Strict):
    """What the form shows, sent back when the order is placed. `lines`: product id -> `offeredMinor`."""

    lines: Annotated[dict[str, Amount], Field(max_length=MAX_FIELDS)]
    delivery: Amount
    tax: Amount
    total: Amount


class CheckoutRefusalSchema(BaseModel):
    """Why the order cannot be placed as it is. `productId` null: all of it."""

    productId: int | None
    name: str
    message: str


class CheckoutTermsSchema(BaseModel):
    """The box to tick. Its value is `date`, that of the terms (ISO 8601); the text names the page at `href`."""

    text: str
    href: str
    date: str


class OpenOrderSchema(BaseModel):
    """The learner's unpaid order, which goes on at `href`. Another order replaces it."""

    code: str
    names: list[str]
    totalMinor: int
    currency: str
    placedAt: datetime
    reservedUntil: datetime | None
    href: str


class Checkout(BaseModel):
    """`key`: of this rendering, new each time; the form sends it back. `forms`: in the order of the page, for what was
    typed so far. `services`: none when nothing is shipped. `seen`: the form sends it back as JSON.
    `refusedOffers`: those of the whole cart. `paymentsRefusal`: payments cannot be taken just now, a text.
    `reservedMinutes`: how long an order placed now stays reserved for its payment. `isFree`: nothing is to be paid, and
    placing settles the order."""

    key: str
    lines: list[CheckoutLineSchema]
    forms: list[CheckoutGroupSchema]
    countries: list[OptionSchema]
    services: list[CheckoutServiceSchema]
    taxes: list[CheckoutTaxSchema]
    totals: CheckoutTotalsSchema
    seen: SeenSchema
    refusals: list[CheckoutRefusalSchema]
    refusedOffers: list[RefusalSchema]
    terms: CheckoutTermsSchema
    openOrder: OpenOrderSchema | None
    isFree: bool
    reservedMinutes: int
    paymentsRefusal: str | None


class CheckoutDifference(BaseModel):
    """What the form showed, and what it is now. `beforeMinor` null: it is new; `afterMinor` null: it is gone. `step`:
    of the breakdown, the one that makes the price now; `reason`: why an offer no longer holds, "" for none."""

    part: Literal["line", "delivery", "tax", "total"]
    productId: int | None
    name: str
    beforeMinor: int | None
    afterMinor: int | None
    step: str
    reason: str


class CheckoutPlaced(BaseModel):
    """The order is placed, or was by an earlier call with this key. `redirect`: where the buyer goes on."""

    status: Literal["success"]
    code: str
    redirect: str


class CheckoutChanged(BaseModel):
    """Nothing was placed: these prices are not those of the form."""

    status: Literal["changed"]
    differences: list[CheckoutDifference]
    checkout: Checkout


class CheckoutFailed(BaseModel):
    """Nothing was placed: this cannot be bought so."""

    status: Literal["failed"]
    lines: list[CheckoutRefusalSchema]
    checkout: Checkout


class CheckoutResult(
    RootModel[Annotated[CheckoutPlaced | CheckoutChanged | CheckoutFailed, Field(discriminator="status")]]
):
    """What became of an order."""


FieldValues = Annotated[dict[str, str], Field(max_length=MAX_FIELDS)]


class CheckoutValues(Strict):
    """`values`: what was typed, by name of the field. `service`: of `Checkout.services`, "" for the cheapest."""

    values: FieldValues
    service: Annotated[str, Field(max_length=60)] = ""


class CheckoutOrder(CheckoutValues):
    """`key` may come as the header Idempotency-Key instead. `seen`, `terms`: as the form showed them; `terms` is ""
    when the box is not ticked."""

    key: Annotated[str, Field(max_length=200)] = ""
    seen: SeenSchema
    terms: Annotated[str, Field(max_length=20)]
