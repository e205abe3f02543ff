"""The written pages of the shop, and the words of its mails, in every version that was published."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, LongText, UTCTime


class ContentPage(Base):
    """A version of a page, or of the words of a mail, whose slug is its kind; the highest of its slug counts. `body`:
    Markdown. `meta`: `refund`, the terms of the refund policy; `words`, those of a mail; nothing on other pages.
    `published_by` None: the version of the shop's files, or of somebody whose account is deleted."""

    __tablename__ = "content_pages"
    __table_args__ = (UniqueConstraint("slug", "version"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    slug: Mapped[str] = mapped_column(Folded)
    version: Mapped[int]
    title: Mapped[str] = mapped_column(String(255))
    description: Mapped[str] = mapped_column(String(500))
    body: Mapped[str] = mapped_column(LongText)
    meta: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    published_at: Mapped[datetime] = mapped_column(UTCTime)
    published_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
