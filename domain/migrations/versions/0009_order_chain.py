"""Orders: the number and the chain of the last event, so that a missing last event is found too."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, required

revision = "0009_order_chain"
down_revision = "0008_grants"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("orders") as orders:
        orders.add_column(required("event_count", sa.Integer(), server_default="0"))
        orders.add_column(required("event_chain", DIGEST, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("orders") as orders:
        orders.drop_column("event_chain")
        orders.drop_column("event_count")
