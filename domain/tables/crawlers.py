"""Crawlers: the ranges of addresses that their operators publish, and which of them were checked."""

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, Digest, LongText, UTCTime, exact_text


class CrawlerRanges(Base):
    """A published list of ranges, as it was fetched last. `created_at`: when its operator wrote it, if the list says
    so. `prefixes`: a JSON list of networks such as "192.0.2.0/24"."""

    __tablename__ = "crawler_ranges"
    __table_args__ = MARIADB

    name: Mapped[str] = mapped_column(exact_text(40, ASCII), primary_key=True)
    fetched_at: Mapped[datetime] = mapped_column(UTCTime)
    created_at: Mapped[datetime | None] = mapped_column(UTCTime)
    prefixes: Mapped[str] = mapped_column(LongText)
    digest: Mapped[str] = mapped_column(Digest)


class CrawlerCheck(Base):
    """Whether an address belongs to the crawler that it says to be. `verification`: verified | spoofed | claimed;
    `method`: by what it was found. From `expires_at` on it is looked at again."""

    __tablename__ = "crawler_checks"
    __table_args__ = (Index("ix_crawler_checks_checked_at", "checked_at"), MARIADB)

    # A keyed hash of the address: 8 bytes in hexadecimal.
    ip_hash: Mapped[str] = mapped_column(exact_text(16, ASCII), primary_key=True)
    crawler: Mapped[str] = mapped_column(exact_text(64), primary_key=True)
    verification: Mapped[str] = mapped_column(exact_text(10, ASCII))
    method: Mapped[str] = mapped_column(exact_text(10, ASCII))
    checked_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
