"""Limited resources set aside for cart lines and orders. domain/reservations/ is the only place that writes them."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, UTCTime, exact_text


class Reservation(Base):
    """Units of a resource: reserved for a cart line until `expires_at`, or for an order until the order changes its
    state; committed once the order is paid. One that is released is deleted.

    `kind`: coupon | stock (domain.reservations.kinds), `resource_id`: of the coupon or shop item. `product_id` and
    `line_id` None: for the whole cart. `slot` numbers a learner's uses of a coupon, so that a unique key refuses one
    use too many even when two requests pass the rules at the same time; other kinds have none.
    """

    __tablename__ = "reservations"
    __table_args__ = (
        UniqueConstraint("kind", "resource_id", "owner_key"),
        UniqueConstraint("kind", "resource_id", "learner_id", "slot"),
        CheckConstraint("state IN ('reserved', 'committed')", name="state"),
        CheckConstraint("quantity > 0 AND slot > 0", name="numbers"),
        # A cart's ends by the clock, an order's never.
        CheckConstraint("(expires_at IS NULL) <> (order_id IS NULL)", name="end"),
        Index("ix_reservations_resource_expires_at", "kind", "resource_id", "expires_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(exact_text(10, ASCII))
    resource_id: Mapped[int] = mapped_column(BigKey)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    order_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("orders.id"), index=True)
    line_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("order_lines.id"), index=True)
    product_id: Mapped[int | None] = mapped_column(BigKey)
    quantity: Mapped[int] = mapped_column(default=1)
    slot: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(10), default="reserved")
    # cart:{learner}:{product}, order:{id}:{line} or order:{id}:cart
    owner_key: Mapped[str] = mapped_column(exact_text(64, ASCII))
    reserved_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime | None] = mapped_column(UTCTime, index=True)
