"""What a bulk change is for, and the prices of its rows before and after it."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional, required

revision = "0108_bulk_prices"
down_revision = "0106_upkeep"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bulk_changes", required("purpose", sa.String(10), server_default="catalogue"))
    op.add_column("bulk_changes", optional("pricing", sa.JSON()))
    op.add_column("bulk_change_rows", optional("prices", sa.JSON()))


def downgrade() -> None:
    op.drop_column("bulk_change_rows", "prices")
    op.drop_column("bulk_changes", "pricing")
    op.drop_column("bulk_changes", "purpose")
