"""Payments: when somebody who waits for one last had the gateway looked at."""

from alembic import op

from domain.migrations.columns import optional
from domain.tables.base import UTCTime

revision = "0013_payment_checks"
down_revision = "0012_refund_keys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("payments") as payments:
        payments.add_column(optional("checked_at", UTCTime()))


def downgrade() -> None:
    with op.batch_alter_table("payments") as payments:
        payments.drop_column("checked_at")
