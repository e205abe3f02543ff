"""Indexes of the list of orders for staff: by day, and by day within a state."""

from alembic import op

revision = "0024_order_list"
down_revision = "0023_staff_audit"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("orders") as orders:
        orders.create_index("ix_orders_placed_at", ["placed_at"])
        orders.create_index("ix_orders_state_placed_at", ["state", "placed_at"])


def downgrade() -> None:
    with op.batch_alter_table("orders") as orders:
        orders.drop_index("ix_orders_state_placed_at")
        orders.drop_index("ix_orders_placed_at")
