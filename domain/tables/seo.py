"""How products are found from outside: addresses they once had, the texts of their search results, late visitors."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, UTCTime


class FormerSlug(Base):
    """A slug that a product once had, and for good still leads to it: nobody else gets it."""

    __tablename__ = "former_slugs"
    __table_args__ = MARIADB

    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    slug: Mapped[str] = mapped_column(Folded, primary_key=True)
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), index=True)
    # When it stopped being the address.
    until: Mapped[datetime] = mapped_column(UTCTime)


class PageText(Base):
    """Title and description of a product's page, neither shared by two products of the whole catalogue.

    Apart from `products`, so that lists and counts never read them.
    """

    __tablename__ = "page_texts"
    __table_args__ = MARIADB

    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    title: Mapped[str] = mapped_column(Folded, unique=True)
    description: Mapped[str] = mapped_column(Folded, unique=True)


class Entrance(Base):
    """The last visit a person made to a retired course, to the day: while there are some, its page stays."""

    __tablename__ = "entrances"
    __table_args__ = MARIADB

    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    last_at: Mapped[datetime] = mapped_column(UTCTime)
