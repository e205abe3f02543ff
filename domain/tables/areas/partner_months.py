"""What the link of an organisation brought in a month. Only domain/reports/partner_months writes this table."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, UTCTime, exact_text


class PartnerMonth(Base):
    """Figures as they were first shown, never the exact ones: nothing can be computed from them anew with other steps.

    `dimension`: visits (`key` "all": `sessions`, and those that saw a product, the cart and the checkout), sales and
    refunds (`key`: the currency; `orders` and `amount_minor`). None: too few, or too alike, to show. `k`: the steps of
    the figures. That a month has its row of visits says that it is frozen."""

    __tablename__ = "partner_months"
    __table_args__ = MARIADB

    organisation_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("organisations.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    month: Mapped[str] = mapped_column(exact_text(7, ASCII), primary_key=True)
    dimension: Mapped[str] = mapped_column(exact_text(10, ASCII), primary_key=True)
    key: Mapped[str] = mapped_column(exact_text(3, ASCII), primary_key=True)
    frozen_at: Mapped[datetime] = mapped_column(UTCTime)
    k: Mapped[int]
    sessions: Mapped[int | None] = mapped_column(BigInteger)
    product: Mapped[int | None] = mapped_column(BigInteger)
    cart: Mapped[int | None] = mapped_column(BigInteger)
    checkout: Mapped[int | None] = mapped_column(BigInteger)
    orders: Mapped[int | None] = mapped_column(BigInteger)
    amount_minor: Mapped[int | None] = mapped_column(BigInteger)
