"""Which touchpoints led to an order, and what each is credited with. Only domain/reports/attribution writes these
tables: paths and credits order by order, days whole."""

from datetime import date, datetime

from sqlalchemy import BigInteger, Index, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.areas.visit_days import DIMENSION
from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, Folded, UTCTime, UuidText, exact_text

# Rows are kept in the order of the key alone.
_BY_KEY = {**MARIADB, "sqlite_with_rowid": False}
_MODEL = exact_text(10, ASCII)
_PART_OF_CAMPAIGN = exact_text(100)


class OrderPath(Base):
    """The path of a paid order. `ref`: a random name of the order, for those who may not know whose it is. `closed_at`:
    since then its touchpoints stay as they are, None: they are looked up again. Window and half-life are those by which
    they were chosen and are weighed; `digest`: SHA-256 of its touchpoints."""

    __tablename__ = "order_paths"
    __table_args__ = (
        Index("uq_order_paths_ref", "ref", unique=True),
        Index("ix_order_paths_paid_at", "paid_at"),
        MARIADB,
    )

    order_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    ref: Mapped[str] = mapped_column(exact_text(12, ASCII))
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII))
    placed_at: Mapped[datetime] = mapped_column(UTCTime)
    paid_at: Mapped[datetime] = mapped_column(UTCTime)
    window_days: Mapped[int]
    half_life_hours: Mapped[int]
    closed_at: Mapped[datetime | None] = mapped_column(UTCTime)
    digest: Mapped[str] = mapped_column(Digest)


class OrderPathTouchpoint(Base):
    """A copy of a touchpoint, which stays when that is deleted. `is_own`: by the link with the buyer's own student
    number. Of an erased buyer `event_id` is "", and `visited_at` tells whole hours before the order alone."""

    __tablename__ = "order_path_touchpoints"
    __table_args__ = (Index("ix_order_path_touchpoints_student", "student"), _BY_KEY)

    order_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    event_id: Mapped[str] = mapped_column(UuidText)
    visited_at: Mapped[datetime] = mapped_column(UTCTime)
    channel: Mapped[str] = mapped_column(exact_text(20, ASCII))
    source: Mapped[str] = mapped_column(Folded)
    campaign: Mapped[str] = mapped_column(Folded)
    term: Mapped[str] = mapped_column(_PART_OF_CAMPAIGN)
    content: Mapped[str] = mapped_column(_PART_OF_CAMPAIGN)
    referrer: Mapped[str] = mapped_column(Folded)
    coupon: Mapped[str] = mapped_column(Folded)
    special: Mapped[str] = mapped_column(Folded)
    student: Mapped[str] = mapped_column(Folded)
    partner: Mapped[str] = mapped_column(Folded)
    landing: Mapped[str] = mapped_column(Folded)
    is_own: Mapped[bool]


class OrderCredit(Base):
    """What a line of an order gives to the touchpoint at `position` of its path, 0: to none. In the currency of the
    order, whose lines lie together."""

    __tablename__ = "credits"
    __table_args__ = _BY_KEY

    order_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    line_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    model: Mapped[str] = mapped_column(_MODEL, primary_key=True)
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    amount_minor: Mapped[int] = mapped_column(BigInteger)


class CreditRollup(Base):
    """A local day of `zone` on which orders were paid, as of SaleRollup; `open_paths`: how many of them are not closed
    yet."""

    __tablename__ = "credit_rollups"
    __table_args__ = (
        Index("ix_credit_rollups_dirty_at", "dirty_at"),
        Index("ix_credit_rollups_built_at", "built_at"),
        Index("ix_credit_rollups_open_paths", "open_paths"),
        MARIADB,
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    zone: Mapped[str] = mapped_column(String(64), default="")
    version: Mapped[int] = mapped_column(BigInteger, default=0)
    built_at: Mapped[datetime | None] = mapped_column(UTCTime)
    dirty_at: Mapped[datetime | None] = mapped_column(UTCTime)
    checked_at: Mapped[datetime | None] = mapped_column(UTCTime)
    open_paths: Mapped[int] = mapped_column(default=0, server_default="0")


class CreditDay(Base):
    """What the orders that were paid on a day in one currency give to one value of one dimension by one model.
    `orders_milli`: thousandths of orders."""

    __tablename__ = "credit_days"
    __table_args__ = MARIADB

    dimension: Mapped[str] = mapped_column(DIMENSION, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII), primary_key=True)
    model: Mapped[str] = mapped_column(_MODEL, primary_key=True)
    key: Mapped[str] = mapped_column(Folded, primary_key=True)
    amount_minor: Mapped[int] = mapped_column(BigInteger)
    orders_milli: Mapped[int] = mapped_column(BigInteger)


class ReferralDay(Base):
    """The orders that were paid on a day in one currency and came by a link: `referrer` says whose kind of link,
    "student" or "partner". Own orders are those by the buyer's own link, and in no other column."""

    __tablename__ = "referral_days"
    __table_args__ = _BY_KEY

    referrer: Mapped[str] = mapped_column(DIMENSION, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII), primary_key=True)
    key: Mapped[str] = mapped_column(Folded, primary_key=True)
    orders: Mapped[int]
    net_minor: Mapped[int] = mapped_column(BigInteger)
    own_orders: Mapped[int]
    own_net_minor: Mapped[int] = mapped_column(BigInteger)


class FirstChannel(Base):
    """Where the learner of a first paid order first came from: the channel of the first session that is known to be
    theirs, "(not measured)" without one."""

    __tablename__ = "first_channels"
    __table_args__ = MARIADB

    order_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    channel: Mapped[str] = mapped_column(exact_text(20, ASCII))


class CohortDay(Base):
    """The learners who paid for an order on a day, by the month or week of their first one (`start`) and by that of the
    day (`part`); `calendar` says which of both. `buyers`: those who bought nothing earlier in `part`; `new`: those who
    never had; `back`: those for whom it is the second day; `net_minor`: of all their orders of the day."""

    __tablename__ = "cohort_days"
    __table_args__ = _BY_KEY

    calendar: Mapped[str] = mapped_column(DIMENSION, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(exact_text(20, ASCII), primary_key=True)
    start: Mapped[date] = mapped_column(primary_key=True)
    part: Mapped[date] = mapped_column(primary_key=True)
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII), primary_key=True)
    buyers: Mapped[int]
    new: Mapped[int]
    back: Mapped[int]
    net_minor: Mapped[int] = mapped_column(BigInteger)


class CodedOrder(Base):
    """An order that was paid on a day and of which `code`, folded, lowered a line; `is_first`: the learner had paid for
    none before."""

    __tablename__ = "coded_orders"
    __table_args__ = _BY_KEY

    day: Mapped[date] = mapped_column(primary_key=True)
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII), primary_key=True)
    code: Mapped[str] = mapped_column(Folded, primary_key=True)
    order_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    learner_id: Mapped[int] = mapped_column(BigKey)
    paid_at: Mapped[datetime] = mapped_column(UTCTime)
    is_first: Mapped[bool]
