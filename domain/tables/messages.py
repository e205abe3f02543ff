"""Messages from visitors, and work that follows a commit."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, Integer, String, Text
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
    """Work that belongs to a committed change: written in its transaction, done afterwards (domain/outbox).

    Server defaults are for hosts of the build before, which insert rows without the columns that they do not know.
    """

    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_topic_done_at_next_at_id", "topic", "done_at", "next_at", "id"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    topic: Mapped[str] = mapped_column(String(20), server_default="mail")
    # The build before reads and writes the column under this name.
    kind: Mapped[str] = mapped_column("task", String(100))
    # Ids alone, as a payload of contracts/payloads.py.
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")
    # A row is due from then on; None: no further attempt. While the row is leased it equals `leased_until`.
    next_at: Mapped[datetime | None] = mapped_column(UTCTime, server_default="1970-01-01 00:00:00")
    error: Mapped[str | None] = mapped_column(Text)
    lease_token: Mapped[str | None] = mapped_column(String(32))
    leased_until: Mapped[datetime | None] = mapped_column(UTCTime)
    done_at: Mapped[datetime | None] = mapped_column(UTCTime)
    dead_at: Mapped[datetime | None] = mapped_column(UTCTime)
