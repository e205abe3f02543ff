"""Texts and pictures of the site that staff write and send."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, UTCTime, exact_text


class ContentPage(Base):
    """A published version of a page. `body`: Markdown. `meta`: {refund_terms}, as in
    domain/orders/refund_rules.py, {} on pages that promise none. The highest version is shown."""

    __tablename__ = "content_pages"
    __table_args__ = (UniqueConstraint("slug", "version"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    slug: Mapped[str] = mapped_column(exact_text(60, ASCII))
    version: Mapped[int]
    title: Mapped[str] = mapped_column(String(255))
    description: Mapped[str] = mapped_column(String(500))
    body: Mapped[str] = mapped_column(Text)
    meta: Mapped[dict[str, Any]] = mapped_column(JSON)
    published_at: Mapped[datetime] = mapped_column(UTCTime)
    published_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)


class Image(Base):
    """A picture that was sent and re-encoded. `sha256`: of its largest rendition, by which its address is made.
    `sizes`: width -> SHA-256 of each rendition, whose contents are rows of `files`."""

    __tablename__ = "images"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sha256: Mapped[str] = mapped_column(Digest, index=True)
    width: Mapped[int]
    height: Mapped[int]
    sizes: Mapped[dict[str, str]] = mapped_column(JSON)
    name: Mapped[str] = mapped_column(String(255))
    alt: Mapped[str] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    created_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
