"""Coupons and their uses. domain/coupons/ is the only place that writes them."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, Money, UTCTime


class Coupon(Base):
    """`code` is normalised, `display_code` as it was entered. `value`: percent or amount. `applies_to`: all | course |
    item, or category with its id. `uses` counts the rows of coupon_uses and is only written together with them."""

    __tablename__ = "coupons"
    __table_args__ = (
        CheckConstraint("kind IN ('percent', 'amount')", name="kind"),
        CheckConstraint("applies_to IN ('all', 'course', 'item', 'category')", name="applies_to"),
        CheckConstraint("state IN ('draft', 'active', 'paused', 'ended')", name="state"),
        CheckConstraint("value > 0 AND minimum >= 0 AND uses >= 0", name="amounts"),
        Index("ix_coupons_campaign", "campaign"),
        # With its id, which every index of InnoDB and SQLite ends with: the newest special coupons for everybody.
        Index("ix_coupons_special_offer", "is_special", "state", "organisation_id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    code: Mapped[str] = mapped_column(Folded, unique=True)
    display_code: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(10))
    value: Mapped[Decimal] = mapped_column(Money)
    minimum: Mapped[Decimal] = mapped_column(Money, default=Decimal(0))
    applies_to: Mapped[str] = mapped_column(String(10), default="all")
    category_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("categories.id"))
    starts_at: Mapped[datetime | None] = mapped_column(UTCTime)
    ends_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # None: no limit.
    total_limit: Mapped[int | None]
    learner_limit: Mapped[int | None]
    # None: no restriction; else only members may use it.
    organisation_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("organisations.id"))
    is_special: Mapped[bool] = mapped_column(default=False)
    campaign: Mapped[str] = mapped_column(String(100), default="")
    state: Mapped[str] = mapped_column(String(10), default="active")
    uses: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(UTCTime)


class CouponProduct(Base):
    """A product that a coupon names; a coupon without any applies to all that `applies_to` names."""

    __tablename__ = "coupon_products"
    __table_args__ = MARIADB

    coupon_id: Mapped[int] = mapped_column(BigKey, ForeignKey("coupons.id", ondelete="CASCADE"), primary_key=True)
    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class CouponUse(Base):
    """One use: reserved (until `expires_at`) or committed. One that is released is deleted.

    product_id 0 is the whole cart, order_id 0 is no order yet. `slot` numbers a learner's uses of the coupon, so that
    a unique key refuses one use too many even when two requests pass the rules at the same time.
    """

    __tablename__ = "coupon_uses"
    __table_args__ = (
        UniqueConstraint("coupon_id", "learner_id", "product_id", "order_id"),
        UniqueConstraint("coupon_id", "learner_id", "slot"),
        CheckConstraint("state IN ('reserved', 'committed')", name="state"),
        CheckConstraint("slot > 0", name="slot"),
        Index("ix_coupon_uses_expiring", "coupon_id", "state", "expires_at"),
        Index("ix_coupon_uses_state_expires_at", "state", "expires_at"),
        Index("ix_coupon_uses_learner_id_product_id", "learner_id", "product_id"),
        Index("ix_coupon_uses_order_id", "order_id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    coupon_id: Mapped[int] = mapped_column(BigKey, ForeignKey("coupons.id"))
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"))
    product_id: Mapped[int] = mapped_column(BigKey)
    order_id: Mapped[int] = mapped_column(BigKey, default=0)
    slot: Mapped[int]
    state: Mapped[str] = mapped_column(String(10), default="reserved")
    reserved_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime | None] = mapped_column(UTCTime)
