"""Quotes for organisations: what seats would cost them, frozen, until a day."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, SmallInteger, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, UTCTime, exact_text
from domain.tables.commerce.orders import PURCHASE_ORDER_LENGTH

QUOTE_NUMBER = exact_text(40, ASCII)


class SeatQuote(Base):
    """Seats for an organisation at a frozen price. `learner_id`: who asked, and gets the mails; `staff_id`: who of the
    staff made it, None: nobody did.

    `term_days`: its seats come with a contract of their own that lasts so many days, for the course `product_id`; None:
    they are further seats of the contract `contract_id`. `quote`: inputs and output of the pricing engine. `body`: all
    that is printed, `digest` its SHA-256.

    `state` is written with the row locked alone; what it means now also follows from `valid_until` and from the order
    `order_id`, which was placed by it last (domain/quotes/quote_states.py).
    """

    __tablename__ = "quotes"
    __table_args__ = (
        UniqueConstraint("year", "seq"),
        CheckConstraint("state IN ('open', 'accepted', 'withdrawn')", name="state"),
        CheckConstraint("quantity > 0", name="quantity"),
        CheckConstraint("unit_minor > 0 AND tax_minor >= 0 AND total_minor >= 0", name="amounts"),
        Index("ix_quotes_organisation_id_state", "organisation_id", "state"),
        Index("ix_quotes_state_valid_until", "state", "valid_until"),
        Index("ix_quotes_issued_at", "issued_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    number: Mapped[str] = mapped_column(QUOTE_NUMBER, unique=True)
    year: Mapped[int] = mapped_column(SmallInteger)
    seq: Mapped[int]
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id"))
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    staff_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    contract_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("contracts.id", ondelete="SET NULL"), index=True)
    product_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("products.id", ondelete="SET NULL"), index=True)
    term_days: Mapped[int | None]
    name: Mapped[str] = mapped_column(String(255))
    quantity: Mapped[int]
    unit_minor: Mapped[int] = mapped_column(BigInteger)
    tax_minor: Mapped[int] = mapped_column(BigInteger)
    total_minor: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(String(3))
    state: Mapped[str] = mapped_column(String(10), default="open")
    purchase_order: Mapped[str] = mapped_column(String(PURCHASE_ORDER_LENGTH), default="")
    billing: Mapped[dict[str, Any]] = mapped_column(JSON)
    quote: Mapped[dict[str, Any]] = mapped_column(JSON)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    digest: Mapped[str] = mapped_column(Digest)
    order_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("orders.id"), unique=True)
    issued_at: Mapped[datetime] = mapped_column(UTCTime)
    valid_until: Mapped[datetime] = mapped_column(UTCTime)
    reminded_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # When it was accepted last, or withdrawn.
    ended_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # When what identifies a person was removed.
    erased_at: Mapped[datetime | None] = mapped_column(UTCTime)
