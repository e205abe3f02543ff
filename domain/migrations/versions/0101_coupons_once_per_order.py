"""Whether an amount is taken off an order at most once. Coupons that exist keep taking it off each unit of a line."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0101_coupons_once_per_order"
down_revision = "0100_baseline"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("coupons", required("once_per_order", sa.Boolean(), server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("coupons", "once_per_order")
