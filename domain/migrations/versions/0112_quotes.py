"""Quotes for organisations, and the number of the quote by which an order was placed."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0112_quotes"
down_revision = "0110_purchase_orders"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("orders", required("quote_number", exact_text(40, ASCII), server_default=""))
    create_table(
        "quotes",
        required("id", KEY, primary_key=True),
        required("number", exact_text(40, ASCII), unique=True),
        required("year", sa.SmallInteger),
        required("seq", sa.Integer),
        required("organisation_id", KEY, sa.ForeignKey("organisations.id")),
        required("learner_id", KEY, sa.ForeignKey("learners.id"), index=True),
        optional("staff_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        optional("contract_id", KEY, sa.ForeignKey("contracts.id", ondelete="SET NULL"), index=True),
        optional("product_id", KEY, sa.ForeignKey("products.id", ondelete="SET NULL"), index=True),
        optional("term_days", sa.Integer),
        required("name", sa.String(255)),
        required("quantity", sa.Integer),
        required("unit_minor", sa.BigInteger),
        required("tax_minor", sa.BigInteger),
        required("total_minor", sa.BigInteger),
        required("currency", sa.String(3)),
        required("state", sa.String(10)),
        required("purchase_order", sa.String(50)),
        required("billing", sa.JSON),
        required("quote", sa.JSON),
        required("body", sa.JSON),
        required("digest", DIGEST),
        optional("order_id", KEY, sa.ForeignKey("orders.id"), unique=True),
        required("issued_at", UTCTime()),
        required("valid_until", UTCTime()),
        optional("reminded_at", UTCTime()),
        optional("ended_at", UTCTime()),
        optional("erased_at", UTCTime()),
        sa.UniqueConstraint("year", "seq"),
        sa.CheckConstraint("state IN ('open', 'accepted', 'withdrawn')", name="state"),
        sa.CheckConstraint("quantity > 0", name="quantity"),
        sa.CheckConstraint("unit_minor > 0 AND tax_minor >= 0 AND total_minor >= 0", name="amounts"),
        sa.Index("ix_quotes_organisation_id_state", "organisation_id", "state"),
        sa.Index("ix_quotes_state_valid_until", "state", "valid_until"),
        sa.Index("ix_quotes_issued_at", "issued_at"),
    )


def downgrade() -> None:
    op.drop_table("quotes")
    op.drop_column("orders", "quote_number")
