"""Files, the files of shop items, invoices and credit notes with their counters."""

import sqlalchemy as sa

from domain.migrations.columns import ASCII, DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

TABLES = ("files", "item_files", "document_counters", "documents")


def create() -> None:
    _files()
    _item_files()
    _document_counters()
    _documents()


def _files() -> None:
    create_table(
        "files",
        required("id", KEY, primary_key=True),
        required("sha256", DIGEST, unique=True),
        required("name", sa.String(255)),
        required("media_type", sa.String(100)),
        required("bytes", sa.Integer()),
        required("kind", sa.String(20)),
        optional("width", sa.Integer()),
        optional("height", sa.Integer()),
        optional("duration_s", sa.Integer()),
        required("created_at", UTCTime()),
        optional("created_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
    )


def _item_files() -> None:
    create_table(
        "item_files",
        required(
            "item_id", KEY, sa.ForeignKey("shop_items.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("file_id", KEY, sa.ForeignKey("files.id"), primary_key=True, autoincrement=False, index=True),
        required("position", sa.Integer()),
    )


def _document_counters() -> None:
    create_table(
        "document_counters",
        required("kind", exact_text(12, ASCII), primary_key=True),
        required("year", sa.SmallInteger(), primary_key=True, autoincrement=False),
        required("last", sa.Integer()),
    )


def _documents() -> None:
    create_table(
        "documents",
        required("id", KEY, primary_key=True),
        required("kind", exact_text(12, ASCII)),
        required("number", exact_text(40, ASCII), unique=True),
        required("year", sa.SmallInteger()),
        required("seq", sa.Integer()),
        required("order_id", KEY, sa.ForeignKey("orders.id"), index=True),
        optional("refund_id", KEY, sa.ForeignKey("refunds.id"), unique=True),
        required("issued_at", UTCTime()),
        required("body", sa.JSON()),
        required("digest", DIGEST),
        sa.UniqueConstraint("kind", "year", "seq"),
        sa.CheckConstraint("kind IN ('invoice', 'credit_note')", name="kind"),
    )
