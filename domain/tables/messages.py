"""Messages from visitors, and work that follows a commit."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime


class ContactMessage(Base):
    __tablename__ = "contact_messages"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(UTCTime)
    name: Mapped[str] = mapped_column(String(120))
    email: Mapped[str] = mapped_column(String(254))
    subject: Mapped[str] = mapped_column(String(160))
    message: Mapped[str] = mapped_column(Text)


class Outbox(Base):
    """Work that belongs to a committed change: written in its transaction, done afterwards, at least once."""

    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_done_at_id", "done_at", "id"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    task: Mapped[str] = mapped_column(String(100))
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    done_at: Mapped[datetime | None] = mapped_column(UTCTime)
