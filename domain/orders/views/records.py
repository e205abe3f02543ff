"""What the views of an order hold. Amounts are integers in minor units of the order's currency; times are UTC."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from domain.orders.refunds.refundable import RefundOffer
from domain.orders.transfers import TransferView

# How a state is marked: done, somebody has to act, under way, over.
Tone = Literal["good", "warning", "info", "neutral"]


@dataclass(frozen=True)
class StateText:
    """A state in words, and what to do now."""

    text: str
    next_step: str
    tone: Tone


@dataclass(frozen=True)
class Returned:
    """What the state of an order needs to know of a refund."""

    reason: str
    state: str


@dataclass(frozen=True)
class ProductRef:
    """What the address of a product's page is made of. `kind`: course | item."""

    kind: str
    id: int
    slug: str
    name: str


@dataclass(frozen=True)
class StepView:
    step: str
    name: str
    change: int
    total: int
    included: int


@dataclass(frozen=True)
class UnusedOfferView:
    """`total`: the line's price with the offer; None: a rule refused it."""

    step: str
    name: str
    total: int | None
    message: str


@dataclass(frozen=True)
class LineTaxView:
    """`percent`: decimal text without trailing zeros."""

    label: str
    percent: str
    tax: int


@dataclass(frozen=True)
class TaxView(LineTaxView):
    net: int


@dataclass(frozen=True)
class VoucherView:
    code: str
    state_text: str
    used_at: datetime | None
    void_at: datetime | None


@dataclass(frozen=True)
class FileView:
    """`number` counts within the line, from 1."""

    number: int
    name: str
    bytes: int


@dataclass(frozen=True)
class GiftView:
    """`recipient_email` "": it was erased. `send_at` None: once the order is paid. `state_text` "": the order is not
    paid, or the line was taken back."""

    recipient_email: str
    message: str
    send_at: datetime | None
    state_text: str = ""
    claimed_at: datetime | None = None
    can_send_again: bool = False


@dataclass(frozen=True)
class LineParcelView:
    """A parcel with `quantity` units of a line. `carrier` and `tracking`: "" where nobody said so."""

    number: int
    quantity: int
    carrier: str
    tracking: str
    shipped_at: datetime
    delivered_at: datetime | None


@dataclass(frozen=True)
class LineView:
    """`product` None: it has no page. `courses`: those that the line opens now. `to_send`: units of goods that are
    still to be sent; `parcels`: those with its goods, the first one first. `owed`: as in TotalsView."""

    number: int
    kind: str
    name: str
    product: ProductRef | None
    sku: str
    fulfilment: str
    quantity: int
    list_price: int
    unit_price: int
    net: int
    tax: int
    total: int
    steps: tuple[StepView, ...]
    unused_offers: tuple[UnusedOfferView, ...]
    taxes: tuple[LineTaxView, ...]
    refunded: int
    refunded_quantity: int
    shipped_at: datetime | None
    delivered_at: datetime | None
    to_send: int
    parcels: tuple[LineParcelView, ...]
    ended_at: datetime | None
    voucher_codes: tuple[VoucherView, ...]
    files: tuple[FileView, ...]
    courses: tuple[ProductRef, ...]
    gift: GiftView | None
    owed: int = 0


@dataclass(frozen=True)
class TotalsView:
    """`owed`: of refunds that the bank sent back, which `refunded` does not count."""

    subtotal: int
    discount: int
    delivery: int
    tax: int
    total: int
    refunded: int
    owed: int


@dataclass(frozen=True)
class PaymentView:
    """`failure`: why it did not succeed and what to do; "" if it did, or may still."""

    number: int
    state: str
    state_text: str
    method: str
    amount: int
    refunded: int
    at: datetime
    paid_at: datetime | None
    failure: str


@dataclass(frozen=True)
class RefundLineView:
    """`quantity` 0: a part of the line's price."""

    number: int
    name: str
    quantity: int
    amount: int


@dataclass(frozen=True)
class RefundView:
    """`not_back`: what of a request was not given back, of one that was approved in part; `answer`: why, also of one
    that was declined."""

    number: int
    state: str
    state_text: str
    reason: str
    reason_text: str
    note: str
    amount: int
    lines: tuple[RefundLineView, ...]
    not_back: tuple[RefundLineView, ...]
    answer: str
    at: datetime
    changed_at: datetime


@dataclass(frozen=True)
class DocumentView:
    """`title`: what it is, in words. `is_structured`: its PDF has the invoice in it for programs too."""

    kind: str
    title: str
    number: str
    issued_at: datetime
    is_structured: bool


@dataclass(frozen=True)
class EventView:
    at: datetime
    text: str


@dataclass(frozen=True)
class OrderView:
    """An order with all that belongs to it. `billing` and `delivery`: the lines of a letter. `unused_offers`: of the
    whole cart."""

    code: str
    state: str
    state_text: str
    next_step: str
    tone: Tone
    is_disputed: bool
    can_pay: bool
    can_cancel: bool
    currency: str
    placed_at: datetime
    paid_at: datetime | None
    ended_at: datetime | None
    reserved_until: datetime | None
    price_mode: str
    tax_kind: str
    totals: TotalsView
    taxes: tuple[TaxView, ...]
    lines: tuple[LineView, ...]
    unused_offers: tuple[UnusedOfferView, ...]
    email: str
    vat_id: str
    purchase_order: str
    quote_number: str
    billing: tuple[str, ...]
    delivery: tuple[str, ...] | None
    payments: tuple[PaymentView, ...]
    refunds: tuple[RefundView, ...]
    documents: tuple[DocumentView, ...]
    events: tuple[EventView, ...]
    refund_offer: RefundOffer | None
    transfer: TransferView | None = None


@dataclass(frozen=True)
class StatusView:
    """What may be known of an order without a sign-in: no names, items or amounts. `is_settling`: a payment may still
    come or change the state soon. `has_page`: a page to pay on has been opened; without one nothing can be paid yet."""

    code: str
    state: str
    state_text: str
    next_step: str
    tone: Tone
    can_pay: bool
    has_page: bool
    is_settling: bool
    reserved_until: datetime | None
