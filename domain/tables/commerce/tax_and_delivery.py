"""Tax rates, and zones with their delivery rates. Amounts are integers in minor units of the shop's currency."""

from datetime import date
from decimal import Decimal

from sqlalchemy import BigInteger, CheckConstraint, Date, ForeignKey, Index, Numeric, String, false
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey

# The area of an address has a code, such as CA, or in countries without a list is any text of this length.
REGION_LENGTH = 200
POSTAL_CODE_LENGTH = 20


class TaxRate(Base):
    """`region` "": the whole country. `postal_from` to `postal_to`: how the postal codes begin for which alone it
    holds, "" for all. Several rates that match are components of the tax, a step each; where one of them replaces, the
    most exact ones that replace are charged in place of all others (domain/tax/rates.py)."""

    __tablename__ = "tax_rates"
    __table_args__ = (
        CheckConstraint("tax_class IN ('service', 'ebook', 'book', 'voucher', 'goods', 'delivery')", name="tax_class"),
        CheckConstraint("percent >= 0 AND percent <= 100", name="percent"),
        Index("ix_tax_rates_place", "country", "region", "tax_class", "starts_on"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    country: Mapped[str] = mapped_column(String(2))
    region: Mapped[str] = mapped_column(String(REGION_LENGTH), default="")
    tax_class: Mapped[str] = mapped_column(String(10))
    # Its name on documents: VAT, GST, Sales tax.
    label: Mapped[str] = mapped_column(String(60))
    percent: Mapped[Decimal] = mapped_column(Numeric(6, 3))
    replaces: Mapped[bool] = mapped_column(default=False, server_default=false())
    postal_from: Mapped[str] = mapped_column(String(POSTAL_CODE_LENGTH), default="", server_default="")
    postal_to: Mapped[str] = mapped_column(String(POSTAL_CODE_LENGTH), default="", server_default="")
    starts_on: Mapped[date] = mapped_column(Date)
    # The last day; None: no end.
    ends_on: Mapped[date | None] = mapped_column(Date)


class DeliveryZone(Base):
    __tablename__ = "delivery_zones"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    position: Mapped[int] = mapped_column(default=0)


class DeliveryPlace(Base):
    """A country, or one region of it, that a zone covers."""

    __tablename__ = "delivery_places"
    __table_args__ = (Index("ix_delivery_places_country_region", "country", "region"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    zone_id: Mapped[int] = mapped_column(BigKey, ForeignKey("delivery_zones.id", ondelete="CASCADE"), index=True)
    country: Mapped[str] = mapped_column(String(2))
    region: Mapped[str] = mapped_column(String(REGION_LENGTH), default="")


class DeliveryRate(Base):
    """What a service costs for shipments of `from_g` to `to_g` (None: no end) grams. `free_from_minor`: from this sum
    of shipped lines it is free."""

    __tablename__ = "delivery_rates"
    __table_args__ = (
        CheckConstraint("price_minor >= 0 AND from_g >= 0 AND days_min <= days_max", name="values"),
        Index("ix_delivery_rates_zone_id_service", "zone_id", "service"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    zone_id: Mapped[int] = mapped_column(BigKey, ForeignKey("delivery_zones.id", ondelete="CASCADE"))
    service: Mapped[str] = mapped_column(String(60))
    from_g: Mapped[int] = mapped_column(default=0)
    to_g: Mapped[int | None]
    price_minor: Mapped[int] = mapped_column(BigInteger)
    free_from_minor: Mapped[int | None] = mapped_column(BigInteger)
    days_min: Mapped[int]
    days_max: Mapped[int]
    starts_on: Mapped[date] = mapped_column(Date)
    ends_on: Mapped[date | None] = mapped_column(Date)
