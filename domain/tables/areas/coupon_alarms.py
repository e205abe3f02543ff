"""Alarms about codes that more people know than should."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime


class CouponAlarm(Base):
    """In the hour that began at `hour`, visits with the code came from `networks` networks, where `expected` were
    usual. `hosts`: other sites that led there and had not before. `decided_by` and `reason`: of the decision."""

    __tablename__ = "coupon_alarms"
    __table_args__ = (
        UniqueConstraint("coupon_id", "hour"),
        CheckConstraint("state IN ('open', 'paused', 'replaced', 'dismissed')", name="state"),
        Index("ix_coupon_alarms_state_id", "state", "id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    coupon_id: Mapped[int] = mapped_column(BigKey, ForeignKey("coupons.id", ondelete="CASCADE"))
    hour: Mapped[datetime] = mapped_column(UTCTime)
    networks: Mapped[int]
    expected: Mapped[float]
    hosts: Mapped[list[str]] = mapped_column(JSON, default=list)
    state: Mapped[str] = mapped_column(String(10), default="open")
    raised_at: Mapped[datetime] = mapped_column(UTCTime)
    decided_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    decided_at: Mapped[datetime | None] = mapped_column(UTCTime)
    reason: Mapped[str] = mapped_column(String(500), default="")
