"""Messages from visitors, and work that follows a commit."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime

MESSAGE_STATES = ("new", "answered", "closed")


class ContactMessage(Base):
    """A message of a visitor. Hosts of the build before insert rows without the state."""

    __tablename__ = "contact_messages"
    __table_args__ = (Index("ix_contact_messages_state_id", "state", "id"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(UTCTime)
    name: Mapped[str] = mapped_column(String(120))
    email: Mapped[str] = mapped_column(String(254))
    subject: Mapped[str] = mapped_column(String(160))
    message: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(10), default="new", server_default="new")


class ContactReply(Base):
    """An answer of the staff to a message; `text` is sent by mail. `author_id`: NULL when nobody knows any more."""

    __tablename__ = "contact_replies"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    message_id: Mapped[int] = mapped_column(BigKey, ForeignKey("contact_messages.id", ondelete="CASCADE"), index=True)
    sent_at: Mapped[datetime] = mapped_column(UTCTime)
    author_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    text: Mapped[str] = mapped_column(Text)


class Outbox(Base):
    """Work that belongs to a committed change: written in its transaction, done afterwards (domain/outbox).

    Server defaults are for hosts of the build before, which insert rows without the columns that they do not know.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_topic_done_at_next_at_id", "topic", "done_at", "next_at", "id"),
        Index("ix_outbox_topic_id", "topic", "id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    topic: Mapped[str] = mapped_column(String(20), server_default="mail")
    # The build before reads and writes the column under this name.
    kind: Mapped[str] = mapped_column("task", String(100))
    # Ids alone, and the words of a test mail, as a payload of contracts/payloads.py.
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")
    # A row is due from then on; None: no further attempt. While the row is leased it equals `leased_until`.
    next_at: Mapped[datetime | None] = mapped_column(UTCTime, server_default="1970-01-01 00:00:00")
    error: Mapped[str | None] = mapped_column(Text)
    lease_token: Mapped[str | None] = mapped_column(String(32))
    leased_until: Mapped[datetime | None] = mapped_column(UTCTime)
    done_at: Mapped[datetime | None] = mapped_column(UTCTime)
    dead_at: Mapped[datetime | None] = mapped_column(UTCTime)
