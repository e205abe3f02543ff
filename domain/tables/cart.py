"""Carts: a learner's lines, the coupon of a whole cart, and the wishlist."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, Money, UTCTime


class Cart(Base):
    """The coupon of a whole cart, for a learner or a guest. `guest_key` is a digest, stored until `expires_at`; a
    guest's lines are in the browser. `version` grows with every change of a learner's cart."""

    __tablename__ = "carts"
    __table_args__ = (CheckConstraint("(learner_id IS NULL) <> (guest_key IS NULL)", name="owner"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id"), unique=True)
    guest_key: Mapped[str | None] = mapped_column(Digest, unique=True)
    coupon_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("coupons.id"))
    expires_at: Mapped[datetime | None] = mapped_column(UTCTime, index=True)
    version: Mapped[int] = mapped_column(default=0, server_default="0")


class CartLine(Base):
    """`coupon_id`: the coupon of this line. `seen_price`: the unit price, after sale, that the learner last saw.
    `is_gift`: for somebody else, so that the learner may own it; the checkout asks for whom. `promised_list`,
    `promised_sale`: prices of one unit that a cart link promises until then; `agent`: as of that link."""

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
    # Saved for later: listed below the cart and counted in no total.
    is_saved: Mapped[bool] = mapped_column(default=False)
    is_gift: Mapped[bool] = mapped_column(default=False, server_default=false())
    added_at: Mapped[datetime] = mapped_column(UTCTime)
    promised_list: Mapped[Decimal | None] = mapped_column(Money)
    promised_sale: Mapped[Decimal | None] = mapped_column(Money)
    promised_until: Mapped[datetime | None] = mapped_column(UTCTime)
    agent: Mapped[str] = mapped_column(String(64), default="", server_default="")


class WishlistEntry(Base):
    """`seen_price`: the price, after sale, when it was added."""

    __tablename__ = "wishlist_entries"
    __table_args__ = (UniqueConstraint("learner_id", "product_id"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), index=True)
    seen_price: Mapped[Decimal | None] = mapped_column(Money)
    added_at: Mapped[datetime] = mapped_column(UTCTime)
