"""What crawlers fetch, and when pages changed: computed with the days of visits, but for the changes, which publishing
writes."""

from datetime import date, datetime

from sqlalchemy import BigInteger, Index, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, Folded, UTCTime, exact_text

# Rows are kept in the order of the key alone.
_BY_KEY = {**MARIADB, "sqlite_with_rowid": False}
VERIFICATION = exact_text(10, ASCII)
_SHORT = exact_text(10, ASCII)


class PageChange(Base):
    """A change that crawlers can see, of the page at `path`. `kind`: publish | change | price | move | retire. One that
    is still to come is the begin or the end of a sale that is planned now. `product_id`: None of other pages."""

    __tablename__ = "page_changes"
    __table_args__ = (
        Index("ix_page_changes_path_changed_at", "path", "changed_at"),
        Index("ix_page_changes_changed_at", "changed_at"),
        Index("ix_page_changes_product_id_changed_at", "product_id", "changed_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    path: Mapped[str] = mapped_column(Folded)
    product_id: Mapped[int | None] = mapped_column(BigKey)
    kind: Mapped[str] = mapped_column(_SHORT)
    changed_at: Mapped[datetime] = mapped_column(UTCTime)


class CrawlDay(Base):
    """Fetches of a crawler on a day by kind of page and status; status 0: not recorded then. `verification`: verified |
    claimed | spoofed. `bytes`: of all bodies as they were sent; `ms`: until all were answered; `wasted`: fetches that
    told the crawler nothing new."""

    __tablename__ = "crawl_days"
    __table_args__ = _BY_KEY

    day: Mapped[date] = mapped_column(primary_key=True)
    crawler: Mapped[str] = mapped_column(Folded, primary_key=True)
    verification: Mapped[str] = mapped_column(VERIFICATION, primary_key=True)
    page_kind: Mapped[str] = mapped_column(_SHORT, primary_key=True)
    status: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    fetches: Mapped[int] = mapped_column(BigInteger)
    bytes: Mapped[int] = mapped_column(BigInteger)
    ms: Mapped[int] = mapped_column(BigInteger)
    wasted: Mapped[int] = mapped_column(BigInteger)


class CrawlPage(Base):
    """What a crawler knows of a page. Read: answered with 200, or with 304, which says that it has the page as it is.
    `last_at`, `last_status`: of the last fetch, read or not. `title` to `digest`: of what it last read; None where that
    has no price."""

    __tablename__ = "crawl_pages"
    __table_args__ = (Index("ix_crawl_pages_path", "path"), _BY_KEY)

    crawler: Mapped[str] = mapped_column(Folded, primary_key=True)
    verification: Mapped[str] = mapped_column(VERIFICATION, primary_key=True)
    path: Mapped[str] = mapped_column(Folded, primary_key=True)
    first_ok_at: Mapped[datetime] = mapped_column(UTCTime)
    last_ok_at: Mapped[datetime] = mapped_column(UTCTime)
    last_at: Mapped[datetime] = mapped_column(UTCTime)
    last_status: Mapped[int] = mapped_column(SmallInteger)
    title: Mapped[str] = mapped_column(exact_text(200))
    price_minor: Mapped[int | None] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(exact_text(3, ASCII))
    digest: Mapped[str] = mapped_column(exact_text(16, ASCII))


class ChangeFetch(Base):
    """When a crawler first read a page after it had changed."""

    __tablename__ = "change_fetches"
    __table_args__ = _BY_KEY

    change_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    crawler: Mapped[str] = mapped_column(Folded, primary_key=True)
    verification: Mapped[str] = mapped_column(VERIFICATION, primary_key=True)
    first_at: Mapped[datetime] = mapped_column(UTCTime)


class ProgramLink(Base):
    """A cart link that a program made for a person; it outlives the link, which is deleted after a day. `digest`: of
    the link's secret. `agent`: the program, as of CartLink. `opened_at`: when a person first opened it; None: nobody
    has."""

    __tablename__ = "program_links"
    __table_args__ = (Index("ix_program_links_created_at", "created_at"), MARIADB)

    digest: Mapped[str] = mapped_column(Digest, primary_key=True)
    agent: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    opened_at: Mapped[datetime | None] = mapped_column(UTCTime)
