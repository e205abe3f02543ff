"""Orders with their lines, events and voucher codes. Amounts are integers in minor units of the order's currency.
Only domain/orders writes the state of an order, and only together with its event."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, EmailKey, Folded, UTCTime, exact_text
from domain.tables.commerce.tax_and_delivery import REGION_LENGTH

ORDER_CODE = exact_text(20, ASCII)
VOUCHER_CODE = exact_text(12, ASCII)
FORM_KEY = exact_text(200, ASCII)
CARRIER_LENGTH, TRACKING_LENGTH = 60, 100
PURCHASE_ORDER_LENGTH = 50


class Order(Base):
    """`code` is upper case. `open_learner_id` is the learner while the state is placed: one open order each. `quote`:
    inputs and output of the pricing engine. `tax_place`: country or country-region. `reserved_until` None: no end."""

    __tablename__ = "orders"
    __table_args__ = (
        UniqueConstraint("learner_id", "form_key"),
        CheckConstraint("state IN ('placed', 'processing', 'paid', 'expired', 'cancelled', 'refunded')", name="state"),
        CheckConstraint("price_mode IN ('inclusive', 'exclusive')", name="price_mode"),
        CheckConstraint("tax_kind IN ('standard', 'reverse_charge', 'none')", name="tax_kind"),
        CheckConstraint(
            "subtotal_minor >= 0 AND discount_minor >= 0 AND delivery_minor >= 0 AND tax_minor >= 0 "
            "AND total_minor >= 0 AND refunded_minor >= 0 AND refunded_minor <= total_minor",
            name="amounts",
        ),
        Index("ix_orders_learner_id_placed_at", "learner_id", "placed_at"),
        Index("ix_orders_state_reserved_until", "state", "reserved_until"),
        Index("ix_orders_state_paid_at", "state", "paid_at"),
        Index("ix_orders_placed_at", "placed_at"),
        Index("ix_orders_state_placed_at", "state", "placed_at"),
        Index("ix_orders_changed_at", "changed_at"),
        Index("ix_orders_email_key", "email_key"),
        Index("ix_orders_purchase_order_key", "purchase_order_key"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    code: Mapped[str] = mapped_column(ORDER_CODE, unique=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"))
    open_learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id"), unique=True)
    organisation_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("organisations.id"), index=True)
    state: Mapped[str] = mapped_column(String(12))
    currency: Mapped[str] = mapped_column(String(3))
    subtotal_minor: Mapped[int] = mapped_column(BigInteger)
    discount_minor: Mapped[int] = mapped_column(BigInteger)
    delivery_minor: Mapped[int] = mapped_column(BigInteger)
    tax_minor: Mapped[int] = mapped_column(BigInteger)
    total_minor: Mapped[int] = mapped_column(BigInteger)
    refunded_minor: Mapped[int] = mapped_column(BigInteger, default=0)
    price_mode: Mapped[str] = mapped_column(String(10))
    tax_place: Mapped[str] = mapped_column(String(REGION_LENGTH + 3), default="")
    tax_kind: Mapped[str] = mapped_column(String(15))
    engine_version: Mapped[int]
    form_key: Mapped[str] = mapped_column(FORM_KEY)
    content_digest: Mapped[str] = mapped_column(Digest)
    email: Mapped[str] = mapped_column(String(254))
    # The address in lower case.
    email_key: Mapped[str] = mapped_column(EmailKey)
    # Date of the terms that were accepted, ISO 8601.
    terms_date: Mapped[str] = mapped_column(String(10))
    # The number by which a business knows the order, as typed and as it is found.
    purchase_order: Mapped[str] = mapped_column(String(PURCHASE_ORDER_LENGTH), default="", server_default="")
    purchase_order_key: Mapped[str] = mapped_column(
        exact_text(3 * PURCHASE_ORDER_LENGTH), default="", server_default=""
    )
    # The quote by which an organisation ordered, "" for none.
    quote_number: Mapped[str] = mapped_column(exact_text(40, ASCII), default="", server_default="")
    quote: Mapped[dict[str, Any]] = mapped_column(JSON)
    billing: Mapped[dict[str, Any]] = mapped_column(JSON)
    delivery: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    refund_terms: Mapped[dict[str, Any]] = mapped_column(JSON)
    reserved_until: Mapped[datetime | None] = mapped_column(UTCTime)
    placed_at: Mapped[datetime] = mapped_column(UTCTime)
    paid_at: Mapped[datetime | None] = mapped_column(UTCTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)
    disputed_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # The time of the last event, and how many there are, with the chain of the last (domain/orders/events.py).
    changed_at: Mapped[datetime] = mapped_column(UTCTime)
    event_count: Mapped[int] = mapped_column(default=0, server_default="0")
    event_chain: Mapped[str] = mapped_column(Digest, default="", server_default="")


class OrderLine(Base):
    """One line, with its price frozen. `gift`: {recipient_email, message, send_at}. `steps` and `taxes`: as in the
    order's quote. `ended_at`: its access or delivery was taken back. Of goods, `shipped_quantity` units were sent in
    parcels so far; `shipped_at`: when the last that were not refunded were sent, `delivered_at`: when they all had
    arrived. `agent`: the program whose cart link brought the line, as of CartLink."""

    __tablename__ = "order_lines"
    __table_args__ = (
        UniqueConstraint("order_id", "number"),
        CheckConstraint("kind IN ('product', 'delivery', 'seats')", name="kind"),
        CheckConstraint("quantity > 0", name="quantity"),
        CheckConstraint(
            "refunded_minor BETWEEN 0 AND total_minor AND refunded_tax_minor BETWEEN 0 AND tax_minor "
            "AND refunded_quantity BETWEEN 0 AND quantity",
            name="refunded",
        ),
        Index("ix_order_lines_fulfilment_shipped_at", "fulfilment", "shipped_at"),
        Index("ix_order_lines_agent", "agent"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, ForeignKey("orders.id"))
    number: Mapped[int] = mapped_column(SmallInteger)
    kind: Mapped[str] = mapped_column(String(10))
    product_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    contract_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("contracts.id"), index=True)
    name: Mapped[str] = mapped_column(String(255))
    sku: Mapped[str] = mapped_column(Folded, default="")
    # shipped | download | code | courses; "" for a course and for delivery.
    fulfilment: Mapped[str] = mapped_column(String(10), default="")
    quantity: Mapped[int]
    list_minor: Mapped[int] = mapped_column(BigInteger)
    unit_minor: Mapped[int] = mapped_column(BigInteger)
    net_minor: Mapped[int] = mapped_column(BigInteger)
    tax_minor: Mapped[int] = mapped_column(BigInteger)
    total_minor: Mapped[int] = mapped_column(BigInteger)
    # The offer that made the price: its step in the breakdown and its id; "" for list and sale.
    offer_step: Mapped[str] = mapped_column(String(12), default="")
    offer_id: Mapped[int | None] = mapped_column(BigInteger)
    line_code: Mapped[str] = mapped_column(String(64), default="")
    cart_code: Mapped[str] = mapped_column(String(64), default="")
    agent: Mapped[str] = mapped_column(String(64), default="", server_default="")
    gift: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    steps: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    taxes: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    refunded_minor: Mapped[int] = mapped_column(BigInteger, default=0)
    refunded_tax_minor: Mapped[int] = mapped_column(BigInteger, default=0)
    refunded_quantity: Mapped[int] = mapped_column(default=0)
    shipped_at: Mapped[datetime | None] = mapped_column(UTCTime)
    delivered_at: Mapped[datetime | None] = mapped_column(UTCTime)
    shipped_quantity: Mapped[int] = mapped_column(default=0, server_default="0")
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)


class OrderParcel(Base):
    """Goods of an order that were sent together. `carrier` and `tracking`: who carries them, and the number by which
    they can be followed; "" where nobody said so."""

    __tablename__ = "parcels"
    __table_args__ = (UniqueConstraint("order_id", "number"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, ForeignKey("orders.id"))
    number: Mapped[int]
    carrier: Mapped[str] = mapped_column(String(CARRIER_LENGTH))
    tracking: Mapped[str] = mapped_column(String(TRACKING_LENGTH))
    shipped_at: Mapped[datetime] = mapped_column(UTCTime)
    delivered_at: Mapped[datetime | None] = mapped_column(UTCTime)


class ParcelLine(Base):
    """How many units of a line are in a parcel."""

    __tablename__ = "parcel_lines"
    __table_args__ = (CheckConstraint("quantity > 0", name="quantity"), MARIADB)

    parcel_id: Mapped[int] = mapped_column(BigKey, ForeignKey("parcels.id"), primary_key=True, autoincrement=False)
    line_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("order_lines.id"), primary_key=True, autoincrement=False, index=True
    )
    quantity: Mapped[int]


class OrderEvent(Base):
    """A row of an order's timeline, never changed. `facts` name no person. `chain`: SHA-256 of the chain of the event
    before and of this event."""

    __tablename__ = "order_events"
    __table_args__ = (UniqueConstraint("order_id", "number"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, ForeignKey("orders.id"))
    number: Mapped[int]
    occurred_at: Mapped[datetime] = mapped_column(UTCTime)
    kind: Mapped[str] = mapped_column(String(40))
    # learner | gateway | system | staff:{learner id}
    actor: Mapped[str] = mapped_column(String(40))
    from_state: Mapped[str | None] = mapped_column(String(12))
    to_state: Mapped[str | None] = mapped_column(String(12))
    facts: Mapped[dict[str, Any]] = mapped_column(JSON)
    chain: Mapped[str] = mapped_column(Digest)


class VoucherCode(Base):
    """A code that a paid voucher line gives; `number` counts within the line."""

    __tablename__ = "voucher_codes"
    __table_args__ = (UniqueConstraint("line_id", "number"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    line_id: Mapped[int] = mapped_column(BigKey, ForeignKey("order_lines.id"))
    number: Mapped[int]
    code: Mapped[str] = mapped_column(VOUCHER_CODE, unique=True)
    issued_at: Mapped[datetime] = mapped_column(UTCTime)
    used_at: Mapped[datetime | None] = mapped_column(UTCTime)
    void_at: Mapped[datetime | None] = mapped_column(UTCTime)


# Amounts of a refund, and of one whose money came back to the shop.
REFUND_AMOUNTS = (
    "(reason <> 'dispute_won' AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor) "
    "OR (reason = 'dispute_won' AND amount_minor <= 0 AND tax_minor BETWEEN amount_minor AND 0)"
)
# Characters of the words of staff to a learner about a request.
MAX_ANSWER = 500
PART_AMOUNTS = (
    "(quantity >= 0 AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor) "
    "OR (quantity <= 0 AND amount_minor <= 0 AND tax_minor BETWEEN amount_minor AND 0)"
)


class Refund(Base):
    """Money that goes back. `manual`: paid back outside the gateway. `key`: the idempotency key of the gateway;
    `form_key`: of the learner's form that asked for it; `answer`: to the learner, why not all of it goes back.
    `dispute_id`: of a dispute that moved it, at the gateway; with the reason dispute_won its money came back to the
    shop, and its amounts and units are negative."""

    __tablename__ = "refunds"
    __table_args__ = (
        UniqueConstraint("order_id", "number"),
        CheckConstraint(
            "state IN ('requested', 'declined', 'approved', 'sent', 'pending', 'succeeded', 'failed', 'manual')",
            name="state",
        ),
        CheckConstraint(REFUND_AMOUNTS, name="amounts"),
        Index("ix_refunds_state_changed_at", "state", "changed_at"),
        Index("ix_refunds_dispute_id", "dispute_id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, ForeignKey("orders.id"))
    payment_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("payments.id"), index=True)
    number: Mapped[int]
    amount_minor: Mapped[int] = mapped_column(BigInteger)
    tax_minor: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(String(10))
    # request | withdrawal | late | duplicate | owned | mismatch | dispute | dispute_won | gateway | staff
    reason: Mapped[str] = mapped_column(String(20))
    note: Mapped[str] = mapped_column(Text)
    actor: Mapped[str] = mapped_column(String(40))
    gateway_id: Mapped[str | None] = mapped_column(exact_text(191, ASCII), unique=True)
    key: Mapped[str] = mapped_column(exact_text(64, ASCII), unique=True)
    form_key: Mapped[str | None] = mapped_column(FORM_KEY, unique=True)
    dispute_id: Mapped[str | None] = mapped_column(exact_text(191, ASCII))
    answer: Mapped[str] = mapped_column(String(MAX_ANSWER), default="", server_default="")
    failure: Mapped[str] = mapped_column(String(255), default="")
    keeps_access: Mapped[bool] = mapped_column(default=False)
    restocks: Mapped[bool] = mapped_column(default=False)
    requested_at: Mapped[datetime] = mapped_column(UTCTime)
    changed_at: Mapped[datetime] = mapped_column(UTCTime)


class RefundLine(Base):
    """What a refund takes back of one line."""

    __tablename__ = "refund_lines"
    __table_args__ = (
        CheckConstraint(PART_AMOUNTS, name="amounts"),
        MARIADB,
    )

    refund_id: Mapped[int] = mapped_column(BigKey, ForeignKey("refunds.id"), primary_key=True, autoincrement=False)
    line_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("order_lines.id"), primary_key=True, autoincrement=False, index=True
    )
    quantity: Mapped[int]
    amount_minor: Mapped[int] = mapped_column(BigInteger)
    tax_minor: Mapped[int] = mapped_column(BigInteger)


class DeclinedPart(Base):
    """What was asked for in a request and not given back, of one that was approved in part. `quantity` 0: a part of the
    price of units that went back."""

    __tablename__ = "declined_parts"
    __table_args__ = (CheckConstraint("quantity >= 0 AND amount_minor >= 0", name="amounts"), MARIADB)

    refund_id: Mapped[int] = mapped_column(BigKey, ForeignKey("refunds.id"), primary_key=True, autoincrement=False)
    line_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("order_lines.id"), primary_key=True, autoincrement=False, index=True
    )
    quantity: Mapped[int]
    amount_minor: Mapped[int] = mapped_column(BigInteger)
