"""What days of visits say of coupons, and trials of the special offer. Only domain/visits writes the rows of days."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Folded, UTCTime, exact_text


class CouponHour(Base):
    """Who came with a code in the hour of UTC that began at `hour`, crawlers apart. `day`: the local day in which the
    hour began; `coupon`: the folded code, or "(unknown)" for all that name no coupon. `sessions` and `networks`:
    different SessionIDs and shortened addresses of visits with the code; `referrer_hosts`: other sites that led to
    these visits."""

    __tablename__ = "coupon_hours"
    __table_args__ = (Index("ix_coupon_hours_coupon_hour", "coupon", "hour"), MARIADB)

    day: Mapped[date] = mapped_column(primary_key=True)
    hour: Mapped[datetime] = mapped_column(UTCTime, primary_key=True)
    coupon: Mapped[str] = mapped_column(Folded, primary_key=True)
    sessions: Mapped[int]
    networks: Mapped[int]
    referrer_hosts: Mapped[int]


class OrderSession(Base):
    """When the session began that an order came from: that of the learner's last visit to the checkout before it."""

    __tablename__ = "order_sessions"
    __table_args__ = (Index("ix_order_sessions_began_at", "began_at"), MARIADB)

    day: Mapped[date] = mapped_column(primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    began_at: Mapped[datetime] = mapped_column(UTCTime)


class CouponTrial(Base):
    """A trial of the special offer: from `starts_at` to `ends_at` it is shown and hidden by turns, in blocks of
    `block_hours` hours; `seed` decides which of two blocks shows it. `stopped_at`: somebody ended the trial early."""

    __tablename__ = "coupon_trials"
    __table_args__ = (
        CheckConstraint("block_hours BETWEEN 4 AND 168 AND ends_at > starts_at", name="blocks"),
        Index("ix_coupon_trials_coupon_id", "coupon_id"),
        Index("ix_coupon_trials_ends_at", "ends_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    coupon_id: Mapped[int] = mapped_column(BigKey, ForeignKey("coupons.id", ondelete="CASCADE"))
    starts_at: Mapped[datetime] = mapped_column(UTCTime)
    ends_at: Mapped[datetime] = mapped_column(UTCTime)
    block_hours: Mapped[int] = mapped_column(SmallInteger)
    seed: Mapped[str] = mapped_column(exact_text(32, ASCII))
    created_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    stopped_at: Mapped[datetime | None] = mapped_column(UTCTime)
