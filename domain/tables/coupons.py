"""Coupons. domain/coupons/ is the only place that writes them; domain/reservations/ counts their uses."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, false
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, Money, UTCTime


class Coupon(Base):
    """`code` is normalised, `display_code` as it was entered. `value`: percent or amount. `once_per_order`: an amount
    is taken off an order at most once; else a code takes it off each unit of its line. `applies_to`: all | course |
    item, or category with its id. `uses` counts the coupon's reservations and is only written together with them."""

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
    # The database's default is what the build before this column did.
    once_per_order: Mapped[bool] = mapped_column(default=True, server_default=false())
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
    # The job that made it with many others. No foreign key: only staff ask for it.
    batch_id: Mapped[int | None] = mapped_column(BigInteger, index=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)


class CouponProduct(Base):
    """A product that a coupon names; a coupon without any applies to all that `applies_to` names."""

    __tablename__ = "coupon_products"
    __table_args__ = MARIADB

    coupon_id: Mapped[int] = mapped_column(BigKey, ForeignKey("coupons.id", ondelete="CASCADE"), primary_key=True)
    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
    )
