"""Sales by day, computed from the orders. Only domain/reports/sale_storage.py writes these tables, a day at a time."""

from datetime import date, datetime

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.areas.visit_days import DIMENSION
from domain.tables.base import ASCII, MARIADB, Base, Folded, UTCTime, exact_text


class SaleRollup(Base):
    """A local day of `zone` with paid orders or refunds. `built_at`: the state of the orders from which its rows were
    computed (None: never); `dirty_at`: when it was last found to need computing again, None: it does not. `version`
    counts what has written or forbidden its rows: who computes a day stores nothing once it is another. `checked_at`,
    of the newest day alone: until when changed orders were looked for."""

    __tablename__ = "sale_rollups"
    __table_args__ = (
        Index("ix_sale_rollups_dirty_at", "dirty_at"),
        Index("ix_sale_rollups_built_at", "built_at"),
        MARIADB,
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    zone: Mapped[str] = mapped_column(String(64), default="")
    version: Mapped[int] = mapped_column(BigInteger, default=0)
    built_at: Mapped[datetime | None] = mapped_column(UTCTime)
    dirty_at: Mapped[datetime | None] = mapped_column(UTCTime)
    checked_at: Mapped[datetime | None] = mapped_column(UTCTime)


class SaleDay(Base):
    """What was paid on a day in one currency, by one value of one dimension; amounts in minor units. `orders` are
    different ones, so that those of products do not sum to those of the day. `gross_minor` - `discount_minor` is what
    was paid with tax; less `tax_minor` and `refunded_minor`, without tax, it is `net_minor`. `refunded_minor` is what
    went back of these sales, on whichever day; `returned_minor`: what went back on this day, of whichever sales."""

    __tablename__ = "sale_days"
    __table_args__ = MARIADB

    dimension: Mapped[str] = mapped_column(DIMENSION, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII), primary_key=True)
    key: Mapped[str] = mapped_column(Folded, primary_key=True)
    orders: Mapped[int] = mapped_column(BigInteger)
    lines: Mapped[int] = mapped_column(BigInteger)
    units: Mapped[int] = mapped_column(BigInteger)
    gross_minor: Mapped[int] = mapped_column(BigInteger)
    discount_minor: Mapped[int] = mapped_column(BigInteger)
    tax_minor: Mapped[int] = mapped_column(BigInteger)
    refunded_minor: Mapped[int] = mapped_column(BigInteger)
    net_minor: Mapped[int] = mapped_column(BigInteger)
    returned_minor: Mapped[int] = mapped_column(BigInteger)
