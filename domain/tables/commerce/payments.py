"""Payments at the gateway: one attempt to pay on one hosted page each, events that name what changed, findings of the
reconciliation. Amounts are integers in minor units."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, SmallInteger, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, UTCTime, exact_text

GATEWAY_ID = exact_text(191, ASCII)


class Payment(Base):
    """`key`: the gateway's idempotency key. `url`: of the hosted page, until `expires_at`. `poll_at`: when the gateway
    is asked next, `polls` how often it was; `checked_at`: when it was last asked for somebody who waits. A lease lets
    one process open the hosted page."""

    __tablename__ = "payments"
    __table_args__ = (
        UniqueConstraint("order_id", "number"),
        CheckConstraint("state IN ('new', 'open', 'processing', 'paid', 'failed', 'expired', 'void')", name="state"),
        CheckConstraint("amount_minor >= 0 AND refunded_minor BETWEEN 0 AND amount_minor", name="amounts"),
        Index("ix_payments_poll_at", "poll_at"),
        Index("ix_payments_created_at", "created_at"),
        Index("ix_payments_intent_id", "intent_id"),
        Index("ix_payments_charge_id", "charge_id"),
        Index("ix_payments_paid_at", "paid_at"),
        Index("ix_payments_gateway_reconciled_at_paid_at", "gateway", "reconciled_at", "paid_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, ForeignKey("orders.id"))
    number: Mapped[int] = mapped_column(SmallInteger)
    gateway: Mapped[str] = mapped_column(String(20))
    session_id: Mapped[str | None] = mapped_column(GATEWAY_ID, unique=True)
    intent_id: Mapped[str | None] = mapped_column(GATEWAY_ID)
    charge_id: Mapped[str | None] = mapped_column(GATEWAY_ID)
    amount_minor: Mapped[int] = mapped_column(BigInteger)
    refunded_minor: Mapped[int] = mapped_column(BigInteger, default=0)
    currency: Mapped[str] = mapped_column(String(3))
    state: Mapped[str] = mapped_column(String(10))
    key: Mapped[str] = mapped_column(exact_text(64, ASCII), unique=True)
    url: Mapped[str | None] = mapped_column(Text)
    expires_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # For people: "Visa 4242".
    method: Mapped[str] = mapped_column(String(60), default="")
    failure: Mapped[str] = mapped_column(String(255), default="")
    livemode: Mapped[bool | None]
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    paid_at: Mapped[datetime | None] = mapped_column(UTCTime)
    poll_at: Mapped[datetime | None] = mapped_column(UTCTime)
    polls: Mapped[int] = mapped_column(default=0)
    checked_at: Mapped[datetime | None] = mapped_column(UTCTime)
    lease_token: Mapped[str | None] = mapped_column(String(32))
    leased_until: Mapped[datetime | None] = mapped_column(UTCTime)
    reconciled_at: Mapped[datetime | None] = mapped_column(UTCTime)


class GatewayEvent(Base):
    """An event of the gateway: which object to retrieve. Its contents are neither trusted nor stored."""

    __tablename__ = "gateway_events"
    __table_args__ = (
        UniqueConstraint("gateway", "event_id"),
        Index("ix_gateway_events_gateway_created_at", "gateway", "created_at"),
        Index("ix_gateway_events_received_at", "received_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    gateway: Mapped[str] = mapped_column(String(20))
    event_id: Mapped[str] = mapped_column(exact_text(160, ASCII))
    type: Mapped[str] = mapped_column(String(80))
    object_id: Mapped[str] = mapped_column(GATEWAY_ID)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    received_at: Mapped[datetime] = mapped_column(UTCTime)


class GatewayCursor(Base):
    """How far the events of a gateway were listed: all up to `listed_until`. While a list of many pages is not at its
    end: `page`, where it goes on, and `newest_at`, when its first event was created. Times are the gateway's."""

    __tablename__ = "gateway_cursors"
    __table_args__ = (MARIADB,)

    gateway: Mapped[str] = mapped_column(String(20), primary_key=True)
    listed_until: Mapped[datetime | None] = mapped_column(UTCTime)
    page: Mapped[str | None] = mapped_column(exact_text(160, ASCII))
    newest_at: Mapped[datetime | None] = mapped_column(UTCTime)


class PaymentFinding(Base):
    """A difference between the gateway's transactions and ours, until somebody or a later run resolves it."""

    __tablename__ = "payment_findings"
    __table_args__ = (
        CheckConstraint("kind IN ('missing_here', 'missing_there', 'amount', 'orphan')", name="kind"),
        UniqueConstraint("kind", "gateway_id"),
        Index("ix_payment_findings_resolved_at", "resolved_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(String(15))
    gateway_id: Mapped[str] = mapped_column(exact_text(160, ASCII))
    order_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("orders.id"), index=True)
    detected_at: Mapped[datetime] = mapped_column(UTCTime)
    resolved_at: Mapped[datetime | None] = mapped_column(UTCTime)
