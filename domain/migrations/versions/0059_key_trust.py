"""Signing keys that others know are marked: since when, and why."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional, required
from domain.tables.base import UTCTime

revision = "0059_key_trust"
down_revision = "0056_lowest_prices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("signing_keys", optional("distrusted_since", UTCTime()))
    op.add_column("signing_keys", required("distrust_reason", sa.String(500), server_default=""))


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table.
    for name in ("distrust_reason", "distrusted_since"):
        op.execute(f"ALTER TABLE signing_keys DROP COLUMN {name}")
