"""Former slugs of products, titles and descriptions for search results, and visits to retired pages."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, UTCTime


class FormerSlug(Base):
    """A slug that a product once had. It redirects to the product forever; no other product may take it."""

    __tablename__ = "former_slugs"
    __table_args__ = MARIADB

    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    slug: Mapped[str] = mapped_column(Folded, primary_key=True)
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), index=True)
    replaced_at: Mapped[datetime] = mapped_column(UTCTime)


class SearchSnippet(Base):
    """Title and description of a product's page, each unique in the whole catalogue.

    A table of their own, so that lists and counts never read them.
    """

    __tablename__ = "search_snippets"
    __table_args__ = MARIADB

    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    title: Mapped[str] = mapped_column(Folded, unique=True)
    description: Mapped[str] = mapped_column(Folded, unique=True)


class RetiredPageVisit(Base):
    """The last visit of a person to a retired course, to the day: recent visits keep its page alive."""

    __tablename__ = "retired_page_visits"
    __table_args__ = MARIADB

    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    last_at: Mapped[datetime] = mapped_column(UTCTime)
