"""JSON models of orders (docs/contracts.md, "calls"). Amounts are integers in minor units of the order's `currency`."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from domain.pricing.quote import StepName
from host.api.fields import Strict
from host.api.orders.refund_schemas import RefundForm, RefundStatus

Tone = Literal["good", "warning", "info", "neutral"]
State = Literal["placed", "processing", "paid", "expired", "cancelled", "refunded"]
PaymentState = Literal["new", "open", "processing", "paid", "failed", "expired", "void"]
RefundState = Literal["requested", "declined", "approved", "sent", "pending", "succeeded", "failed", "manual"]
RefundReason = Literal[
    "request", "withdrawal", "late", "duplicate", "owned", "mismatch", "dispute", "dispute_won", "gateway", "staff"
]
Fulfilment = Literal["", "shipped", "download", "code", "courses"]


class OrderStep(BaseModel):
    """A step of a line's price: what it changes, and the price of the whole line after it. `included`: tax that is
    inside the price."""

    step: StepName
    name: str
    change: int
    total: int
    included: int


class UnusedOffer(BaseModel):
    """An offer that did not lower the price, and why. `total`: the line's price with it; null: it did not apply."""

    step: StepName
    name: str
    total: int | None
    message: str


class OrderLineTax(BaseModel):
    """`percent`: decimal text, such as 19 or 9.975."""

    label: str
    percent: str
    tax: int


class OrderTax(OrderLineTax):
    """All lines of one rate. `net`: what it applies to."""

    net: int


class OrderVoucherCode(BaseModel):
    """A code that the line gives. `voidAt`: it was taken back with a refund."""

    code: str
    stateText: str
    usedAt: datetime | None
    voidAt: datetime | None


class OrderDownload(BaseModel):
    name: str
    href: str
    bytes: int


class OrderLink(BaseModel):
    name: str
    href: str


class OrderGift(BaseModel):
    """`recipientEmail` "": it was erased. `sendAt` null: as soon as the order is paid. `stateText`: what became of it,
    "" before the payment and after a refund. `canSendAgain`: its email, to the same address."""

    recipientEmail: str
    message: str
    sendAt: datetime | None
    stateText: str
    claimedAt: datetime | None
    canSendAgain: bool


class LineParcel(BaseModel):
    """A parcel with `quantity` units of a line. `carrier` and `tracking`: "" where nobody said so."""

    number: int
    quantity: int
    carrier: str
    tracking: str
    shippedAt: datetime
    deliveredAt: datetime | None


class OrderLine(BaseModel):
    """`kind` delivery: the delivery, without a product. `productId` and `href` null: the product has no page.
    `unitPrice`: what one unit costs before the coupon of the whole cart and tax; `net`, `tax` and `total` are of the
    whole line. `learn`: courses that the line opens for the learner now. `toSend`: units of goods that are still
    to be sent; `parcels`: those with its goods, the first one first. `endedAt`: it was taken back. `owed`: of refunds
    that the bank sent back, which `refunded` does not count."""

    number: int
    productId: int | None
    kind: Literal["product", "delivery", "seats"]
    name: str
    href: str | None
    sku: str
    fulfilment: Fulfilment
    quantity: int
    listPrice: int
    unitPrice: int
    net: int
    tax: int
    total: int
    steps: list[OrderStep]
    unusedOffers: list[UnusedOffer]
    taxes: list[OrderLineTax]
    refunded: int
    owed: int
    refundedQuantity: int
    shippedAt: datetime | None
    deliveredAt: datetime | None
    toSend: int
    parcels: list[LineParcel]
    endedAt: datetime | None
    voucherCodes: list[OrderVoucherCode]
    downloads: list[OrderDownload]
    learn: list[OrderLink]
    gift: OrderGift | None


class OrderTotals(BaseModel):
    """subtotal - discount + delivery + tax (with `priceMode` exclusive) = total. `refunded`: of it, so far. `owed`: of
    refunds that the bank sent back, still to be paid in another way."""

    subtotal: int
    discount: int
    delivery: int
    tax: int
    total: int
    refunded: int
    owed: int


class OrderPayment(BaseModel):
    """An attempt to pay. `method` such as "Visa 4242", "" when nothing is known. `failure`: why it did not succeed and
    what to do, "" if it did."""

    number: int
    state: PaymentState
    stateText: str
    method: str
    amount: int
    refunded: int
    at: datetime
    paidAt: datetime | None
    failure: str


class OrderRefundLine(BaseModel):
    """`number`: of the order's line. `quantity` 0: a part of the price."""

    number: int
    name: str
    quantity: int
    amount: int


class OrderRefund(BaseModel):
    """`lines` empty: money that bought nothing, such as a second payment. `notBack`: what of a request was not given
    back, of one that was approved in part; `answer`: why, also of one that was declined. `at`: when it was requested.
    """

    number: int
    state: RefundState
    stateText: str
    reason: RefundReason
    reasonText: str
    note: str
    amount: int
    lines: list[OrderRefundLine]
    notBack: list[OrderRefundLine]
    answer: str
    at: datetime
    changedAt: datetime


class OrderDocument(BaseModel):
    """`title`: what it is, in words: a credit note may take another one back. `isStructured`: its PDF has the
    invoice in it for programs too, by EN 16931."""

    kind: Literal["invoice", "credit_note"]
    title: str
    number: str
    href: str
    issuedAt: datetime
    isStructured: bool


class OrderEventText(BaseModel):
    """What happened to the order, in words."""

    at: datetime
    text: str


class TransferPart(BaseModel):
    """What a form of a bank asks for."""

    label: str
    text: str


class PaymentCode(BaseModel):
    """A code that banking apps read. `path`: its dark squares, of a drawing with `size` squares a side."""

    size: int
    path: str


class OrderTransfer(BaseModel):
    """The bank transfer that an order waits for. `due`: what is still to come, `received`: what came so far."""

    account: list[TransferPart]
    reference: str
    due: int
    received: int
    untilText: str
    code: PaymentCode | None


class Order(BaseModel):
    """An order as its learner sees it. `nextStep`: what to do now. `tone`: how its state is marked. `paymentKey`: the
    key of the calls pay and cancel, for a day. `delivery` null: to the billing address, or nothing is delivered.
    `taxKind`: reverse_charge: the buyer owes the tax. `unusedOffers`: of the whole cart. `refundForm` null: the order
    is not paid. `withdrawHref`: of the page to withdraw from the contract, in shops of the Union. `transfer` null: it
    waits for none. The newest payment, document and event is the last."""

    code: str
    state: State
    stateText: str
    nextStep: str
    tone: Tone
    canPay: bool
    canCancel: bool
    paymentKey: str
    currency: str
    placedAt: datetime
    paidAt: datetime | None
    endedAt: datetime | None
    reservedUntil: datetime | None
    priceMode: Literal["inclusive", "exclusive"]
    taxKind: Literal["standard", "reverse_charge", "none"]
    totals: OrderTotals
    taxes: list[OrderTax]
    lines: list[OrderLine]
    unusedOffers: list[UnusedOffer]
    email: str
    vatId: str
    purchaseOrder: str
    quoteNumber: str
    billing: list[str]
    delivery: list[str] | None
    payments: list[OrderPayment]
    refunds: list[OrderRefund]
    documents: list[OrderDocument]
    documentNote: str
    events: list[OrderEventText]
    refundForm: RefundForm | None
    withdrawHref: str | None
    transfer: OrderTransfer | None


class RefundOutcome(BaseModel):
    """`message`: what happens next. `order`: as it is now."""

    status: RefundStatus
    message: str
    order: Order


class OrderStatus(BaseModel):
    """What may be known of an order without a sign-in. `retryMs`: ask again after this time; null: nothing changes
    soon, or it was asked for two minutes. `hasPage`: a page to pay on has been opened; without one nothing can be paid
    yet."""

    code: str
    state: State
    stateText: str
    nextStep: str
    tone: Tone
    retryMs: int | None
    canPay: bool
    hasPage: bool
    reservedUntil: datetime | None


class OrderSummary(BaseModel):
    """`names`: of its products."""

    code: str
    placedAt: datetime
    state: State
    stateText: str
    total: int
    currency: str
    names: list[str]


class OrderList(BaseModel):
    """The newest first. `pages` is at least 1; beyond the last page `orders` is empty."""

    orders: list[OrderSummary]
    page: int
    pages: int


class OrderRedirect(BaseModel):
    """`redirect`: the hosted page of the payment, or the order's own page that says how to go on."""

    redirect: str


class OrderKey(Strict):
    """`key`: `paymentKey` of the order."""

    key: Annotated[str, Field(max_length=200)]
