"""Carts: a number that grows with every change, so that a browser can tell an older answer from a newer one."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0005_cart_versions"
down_revision = "0004_coupon_indexes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The default is for hosts and workers of the build before, which insert rows without the column.
    with op.batch_alter_table("carts") as carts:
        carts.add_column(required("version", sa.Integer(), server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("carts") as carts:
        carts.drop_column("version")
