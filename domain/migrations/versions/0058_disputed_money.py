"""Refunds name the dispute that moved their money, and may be negative where it came back; indexes for what is read by
the time of payments, documents and gateway events."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, exact_text, optional

revision = "0058_disputed_money"
down_revision = "0057_longest_values"
branch_labels = None
depends_on = None

AMOUNTS = {
    "refunds": (
        "amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor",
        "(reason <> 'dispute_won' AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor) "
        "OR (reason = 'dispute_won' AND amount_minor <= 0 AND tax_minor BETWEEN amount_minor AND 0)",
    ),
    "refund_lines": (
        "quantity >= 0 AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor",
        "(quantity >= 0 AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor) "
        "OR (quantity <= 0 AND amount_minor <= 0 AND tax_minor BETWEEN amount_minor AND 0)",
    ),
}
INDEXES = (
    ("ix_refunds_dispute_id", "refunds", ["dispute_id"]),
    ("ix_payments_paid_at", "payments", ["paid_at"]),
    ("ix_payments_gateway_reconciled_at_paid_at", "payments", ["gateway", "reconciled_at", "paid_at"]),
    ("ix_documents_issued_at", "documents", ["issued_at"]),
    ("ix_gateway_events_received_at", "gateway_events", ["received_at"]),
)


def upgrade() -> None:
    op.add_column("refunds", optional("dispute_id", exact_text(191, ASCII)))
    for table, (_before, after) in AMOUNTS.items():
        _replace_check(table, after)
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns)


def downgrade() -> None:
    for name, table, _columns in reversed(INDEXES):
        op.drop_index(name, table)
    # The build before knows no negative amounts.
    if op.get_bind().scalar(sa.text("SELECT COUNT(*) FROM refunds WHERE reason = 'dispute_won'")):
        raise RuntimeError("money of a dispute came back: the build before cannot count it")
    for table, (before, _after) in AMOUNTS.items():
        _replace_check(table, before)
    op.drop_column("refunds", "dispute_id")


def _replace_check(table: str, condition: str) -> None:
    with op.batch_alter_table(table) as changed:
        changed.drop_constraint(op.f(f"ck_{table}_amounts"), type_="check")
        changed.create_check_constraint(op.f(f"ck_{table}_amounts"), condition)
