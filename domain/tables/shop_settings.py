"""What a shop is and stays, stored so that no start with other settings changes it."""

from sqlalchemy import CheckConstraint, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, UuidText


class StoredShop(Base):
    """One row, `id` 1. `uid`: random, tells this shop from others, such as in the data of a payment gateway;
    `currency`: ISO 4217, that of every price."""

    __tablename__ = "shop_settings"
    __table_args__ = (CheckConstraint("id = 1", name="single"), MARIADB)

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    uid: Mapped[str] = mapped_column(UuidText)
    currency: Mapped[str] = mapped_column(String(3))
