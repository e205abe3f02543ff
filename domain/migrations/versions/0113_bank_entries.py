"""Entries of statements of the shop's bank account."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0113_bank_entries"
down_revision = "0110_purchase_orders"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "bank_entries",
        required("id", KEY, primary_key=True),
        required("key", DIGEST),
        required("job_id", KEY, sa.ForeignKey("jobs.id")),
        required("form", sa.String(10)),
        required("kind", sa.String(15)),
        required("booked_on", sa.Date()),
        required("amount_minor", sa.BigInteger()),
        required("currency", sa.String(3)),
        required("text", sa.String(1_000)),
        required("payer", sa.String(140)),
        required("bank_id", exact_text(140)),
        required("doubt", sa.String(10)),
        required("instructed", sa.String(140)),
        required("state", sa.String(10)),
        required("why", sa.String(10)),
        optional("order_id", KEY, sa.ForeignKey("orders.id")),
        required("used_minor", sa.BigInteger()),
        required("back_minor", sa.BigInteger()),
        required("note", sa.String(500)),
        required("created_at", UTCTime()),
        required("changed_at", UTCTime()),
        sa.UniqueConstraint("key"),
        sa.CheckConstraint("kind IN ('credit', 'debit', 'credit_reversed', 'debit_reversed')", name="kind"),
        sa.CheckConstraint("state IN ('open', 'part', 'used', 'returned', 'ignored', 'noted')", name="state"),
        sa.CheckConstraint(
            "amount_minor >= 0 AND used_minor >= 0 AND back_minor >= 0 AND used_minor + back_minor <= amount_minor",
            name="amounts",
        ),
    )
    op.create_index("ix_bank_entries_state", "bank_entries", ["state"])
    op.create_index("ix_bank_entries_job_id", "bank_entries", ["job_id"])
    op.create_index("ix_bank_entries_order_id", "bank_entries", ["order_id"])


def downgrade() -> None:
    op.drop_table("bank_entries")
