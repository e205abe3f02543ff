"""Invoices and credit notes: numbered without gaps, frozen when they are issued."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, SmallInteger, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, UTCTime, exact_text


class DocumentCounter(Base):
    """The last number of a kind in a year (UTC). Its row is locked until the document's transaction ends."""

    __tablename__ = "document_counters"
    __table_args__ = MARIADB

    kind: Mapped[str] = mapped_column(exact_text(12, ASCII), primary_key=True)
    year: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    last: Mapped[int] = mapped_column(default=0)


class Document(Base):
    """`body`: all that is printed. `digest`: SHA-256 of it."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("kind", "year", "seq"),
        CheckConstraint("kind IN ('invoice', 'credit_note')", name="kind"),
        Index("ix_documents_issued_at", "issued_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(exact_text(12, ASCII))
    number: Mapped[str] = mapped_column(exact_text(40, ASCII), unique=True)
    year: Mapped[int] = mapped_column(SmallInteger)
    seq: Mapped[int]
    order_id: Mapped[int] = mapped_column(BigKey, ForeignKey("orders.id"), index=True)
    refund_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("refunds.id"), unique=True)
    issued_at: Mapped[datetime] = mapped_column(UTCTime)
    body: Mapped[dict[str, Any]] = mapped_column(JSON)
    digest: Mapped[str] = mapped_column(Digest)


class File(Base):
    """A stored file; its contents are in FILES_DIR under their SHA-256."""

    __tablename__ = "files"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sha256: Mapped[str] = mapped_column(Digest, unique=True)
    name: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(100))
    bytes: Mapped[int]
    kind: Mapped[str] = mapped_column(String(20))
    width: Mapped[int | None]
    height: Mapped[int | None]
    duration_s: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    created_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)


class ItemFile(Base):
    """A file that a shop item with the fulfilment `download` gives."""

    __tablename__ = "item_files"
    __table_args__ = MARIADB

    item_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("shop_items.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    file_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("files.id"), primary_key=True, autoincrement=False, index=True
    )
    position: Mapped[int] = mapped_column(default=0)
