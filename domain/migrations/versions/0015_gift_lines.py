"""Cart lines that are gifts for somebody else."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0015_gift_lines"
down_revision = "0014_gateway_cursors"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("cart_lines") as lines:
        lines.add_column(required("is_gift", sa.Boolean(), server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table("cart_lines") as lines:
        lines.drop_column("is_gift")
