"""Carts: a learner's lines, the coupon of a whole cart, and what somebody wishes for."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, Money, UTCTime


class Cart(Base):
    """What belongs to a whole cart: the coupon of a learner, or of a guest's session (kept as a digest, and only until
    `expires_at`). A guest's lines are in the browser."""

    __tablename__ = "carts"
    __table_args__ = (CheckConstraint("(learner_id IS NULL) <> (guest IS NULL)", name="owner"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id"), unique=True)
    guest: Mapped[str | None] = mapped_column(Digest, unique=True)
    coupon_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("coupons.id"))
    expires_at: Mapped[datetime | None] = mapped_column(UTCTime, index=True)


class CartLine(Base):
    """`coupon_id` is the line's code; `seen_price` what one unit cost, after sale, when the learner last saw it."""

    __tablename__ = "cart_lines"
    __table_args__ = (
        UniqueConstraint("learner_id", "product_id"),
        CheckConstraint("quantity BETWEEN 1 AND 99", name="quantity"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), index=True)
    quantity: Mapped[int] = mapped_column(default=1)
    coupon_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("coupons.id"))
    seen_price: Mapped[Decimal | None] = mapped_column(Money)
    # For later: it stands below the cart and counts in no total.
    is_saved: Mapped[bool] = mapped_column(default=False)
    added_at: Mapped[datetime] = mapped_column(UTCTime)


class Wish(Base):
    """`seen_price`: what it cost, after sale, when it was wished for."""

    __tablename__ = "wishes"
    __table_args__ = (UniqueConstraint("learner_id", "product_id"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), index=True)
    seen_price: Mapped[Decimal | None] = mapped_column(Money)
    added_at: Mapped[datetime] = mapped_column(UTCTime)
