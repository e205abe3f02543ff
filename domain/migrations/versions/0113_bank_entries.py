"""Entries of statements of the shop's bank account, and the purpose of the files that have them."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0113_bank_entries"
down_revision = "0112_quotes"
branch_labels = None
depends_on = None
FORMER = ("import", "image", "lesson", "members", "logo")


def upgrade() -> None:
    _allow_purposes(*FORMER, "statement")
    create_table(
        "bank_entries",
        required("id", KEY, primary_key=True),
        required("key", DIGEST),
        required("job_id", KEY, sa.ForeignKey("jobs.id")),
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
    op.execute("DELETE FROM uploads WHERE purpose = 'statement'")
    _allow_purposes(*FORMER)


def _allow_purposes(*purposes: str) -> None:
    condition = f"purpose IN ({', '.join(map(repr, purposes))})"
    if op.get_bind().dialect.name != "sqlite":
        op.execute("ALTER TABLE uploads DROP CONSTRAINT ck_uploads_purpose")
        op.execute(f"ALTER TABLE uploads ADD CONSTRAINT ck_uploads_purpose CHECK ({condition})")
        return
    # SQLite changes no condition of a table that is there.
    op.rename_table("uploads", "former_uploads")
    for column in ("created_by", "expires_at"):
        op.drop_index(f"ix_uploads_{column}", "former_uploads")
    create_table(
        "uploads",
        required("id", KEY, primary_key=True),
        required("name", sa.String(255)),
        required("bytes", sa.BigInteger()),
        required("purpose", sa.String(10)),
        required("parts", sa.Text()),
        required("created_by", KEY, sa.ForeignKey("learners.id")),
        required("created_at", UTCTime()),
        required("expires_at", UTCTime()),
        optional("completed_at", UTCTime()),
        sa.CheckConstraint(condition, name="purpose"),
        sa.CheckConstraint("bytes > 0", name="bytes"),
    )
    op.execute(
        "INSERT INTO uploads (id, name, bytes, purpose, parts, created_by, created_at, expires_at, completed_at) "
        "SELECT id, name, bytes, purpose, parts, created_by, created_at, expires_at, completed_at FROM former_uploads"
    )
    op.drop_table("former_uploads")
    for column in ("created_by", "expires_at"):
        op.create_index(f"ix_uploads_{column}", "uploads", [column])
