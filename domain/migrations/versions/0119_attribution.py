"""Paths of orders, their credits, and credits by day."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import (
    ASCII,
    DIGEST,
    FOLDED,
    KEY,
    UUID_TEXT,
    create_table,
    exact_text,
    optional,
    required,
)
from domain.tables.base import UTCTime

revision = "0119_attribution"
down_revision = "0118_touchpoints"
branch_labels = None
depends_on = None

BY_KEY = {"sqlite_with_rowid": False}
MODEL = exact_text(10, ASCII)


def _id(name: str) -> sa.Column[int]:
    return required(name, KEY, primary_key=True, autoincrement=False)


def _position() -> sa.Column[int]:
    return required("position", sa.SmallInteger(), primary_key=True, autoincrement=False)


def upgrade() -> None:
    create_table(
        "order_paths",
        _id("order_id"),
        required("ref", exact_text(12, ASCII)),
        required("currency", exact_text(3, ASCII)),
        *(required(name, UTCTime()) for name in ("placed_at", "paid_at")),
        *(required(name, sa.Integer()) for name in ("window_days", "half_life_hours")),
        optional("closed_at", UTCTime()),
        required("digest", DIGEST),
    )
    op.create_index("uq_order_paths_ref", "order_paths", ["ref"], unique=True)
    op.create_index("ix_order_paths_paid_at", "order_paths", ["paid_at"])
    create_table(
        "order_path_touchpoints",
        _id("order_id"),
        _position(),
        required("event_id", UUID_TEXT),
        required("visited_at", UTCTime()),
        required("channel", exact_text(20, ASCII)),
        *(required(name, FOLDED) for name in ("source", "campaign")),
        *(required(name, exact_text(100)) for name in ("term", "content")),
        *(required(name, FOLDED) for name in ("referrer", "coupon", "special", "student", "partner", "landing")),
        required("is_own", sa.Boolean()),
        **BY_KEY,
    )
    op.create_index("ix_order_path_touchpoints_student", "order_path_touchpoints", ["student"])
    create_table(
        "credits",
        _id("order_id"),
        _id("line_id"),
        required("model", MODEL, primary_key=True),
        _position(),
        required("amount_minor", sa.BigInteger()),
        **BY_KEY,
    )
    create_table(
        "credit_rollups",
        sa.Column("day", sa.Date(), primary_key=True),
        required("zone", sa.String(64)),
        required("version", sa.BigInteger()),
        *(optional(name, UTCTime()) for name in ("built_at", "dirty_at", "checked_at")),
        required("open_paths", sa.Integer(), server_default="0"),
    )
    for name in ("dirty_at", "built_at", "open_paths"):
        op.create_index(f"ix_credit_rollups_{name}", "credit_rollups", [name])
    create_table(
        "credit_days",
        sa.Column("dimension", exact_text(10, ASCII), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("currency", exact_text(3, ASCII), primary_key=True),
        sa.Column("model", MODEL, primary_key=True),
        sa.Column("key", FOLDED, primary_key=True),
        *(required(name, sa.BigInteger()) for name in ("amount_minor", "orders_milli")),
    )


def downgrade() -> None:
    for name in ("credit_days", "credit_rollups", "credits", "order_path_touchpoints", "order_paths"):
        op.drop_table(name)
